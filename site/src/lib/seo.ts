import type { FAQPage, Graph, HowTo, BreadcrumbList, WebApplication, WebSite } from 'schema-dts';
import { HTML_LANG, type Lang, localPath } from './lang';
import type { ToolContent, ToolPage } from './tools';
import { words } from './words';

const absolute = (path: string) => {
  const url = new URL(path, __SITE_URL__);
  return url.pathname === '/' ? url.href : url.href.replace(/\/$/, '');
};

function application(page: ToolPage, url: string): WebApplication {
  return {
    '@type': 'WebApplication',
    '@id': `${url}#app`,
    name: page.content.toolTitle,
    url,
    description: page.content.desc,
    applicationCategory: 'UtilitiesApplication',
    operatingSystem: 'Any',
    browserRequirements: 'JavaScript',
    inLanguage: HTML_LANG[page.lang],
    isAccessibleForFree: true,
    offers: { '@type': 'Offer', price: '0', priceCurrency: 'CNY' },
    featureList: page.content.advantages.map(({ title }) => title),
  };
}

function howTo({ toolTitle, steps }: ToolContent, url: string): HowTo {
  return {
    '@type': 'HowTo',
    '@id': `${url}#howto`,
    name: toolTitle,
    step: steps.map((step, index) => ({
      '@type': 'HowToStep',
      position: index + 1,
      name: step.title,
      text: step.desc,
    })),
  };
}

function questions({ faq }: ToolContent, url: string): FAQPage {
  return {
    '@type': 'FAQPage',
    '@id': `${url}#faq`,
    mainEntity: faq.map(({ q, a }) => ({
      '@type': 'Question',
      name: q,
      acceptedAnswer: { '@type': 'Answer', text: a },
    })),
  };
}

function breadcrumbs(page: ToolPage, url: string): BreadcrumbList {
  const home = absolute(localPath(page.lang, '/'));
  return {
    '@type': 'BreadcrumbList',
    itemListElement: [
      { '@type': 'ListItem', position: 1, name: words[page.lang].home, item: home },
      { '@type': 'ListItem', position: 2, name: page.content.toolTitle, item: url },
    ],
  };
}

export function toolGraph(page: ToolPage, url: string): Graph {
  return {
    '@context': 'https://schema.org',
    '@graph': [
      application(page, url),
      howTo(page.content, url),
      questions(page.content, url),
      breadcrumbs(page, url),
    ],
  };
}

export function homeGraph(lang: Lang, url: string): Graph {
  const site: WebSite = {
    '@type': 'WebSite',
    name: words[lang].brand,
    url,
    description: words[lang].homeDesc,
    inLanguage: HTML_LANG[lang],
  };
  return { '@context': 'https://schema.org', '@graph': [site] };
}

export { absolute };
