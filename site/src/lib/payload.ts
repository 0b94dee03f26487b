import { SUB_SITES } from './navigation';
import { contract } from './contract';
import { LANGS, type Lang, localPath } from './lang';
import { relatedPages, toolPages, type ToolPage } from './tools';
import { words } from './words';

/** Address of a page's data, with the build id as query so that a new build is not served from a cache. */
export function payloadPath(path: string): string {
  return `${path === '/' ? '' : path}/_payload.json?${__BUILD_ID__}`;
}

const localised = (texts: Record<string, { zh: string; en: string }>, lang: Lang) =>
  Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, text[lang]]));

function brief({ tool, content, path }: ToolPage) {
  return {
    key: tool.key,
    route: tool.route,
    path,
    name: content.toolTitle,
    summary: content.summary,
    icon: tool.icon ?? 'file-text',
    kinds: tool.accepts.map(({ kind }) => kind),
  };
}

function toolPayload(page: ToolPage, all: ToolPage[]) {
  return {
    build: __BUILD_ID__,
    lang: page.lang,
    tool: page.tool,
    content: page.content,
    related: relatedPages(page, all).map(brief),
    tools: all.map(brief),
    rights: contract.rights.visitor,
    reasons: localised(contract.reasons, page.lang),
    stages: localised(contract.stages, page.lang),
  };
}

export type ToolPayload = ReturnType<typeof toolPayload>;

type Choices = Record<string, { zh: string; en: string }>;

/** Levels at which a compress task may be tried again: those that need no further numbers. */
function levelsOf(lang: Lang) {
  const level = contract.tools.find(({ key }) => key === 'compress')?.options.properties?.level;
  const choices: Choices = level?.ui?.choices ?? {};
  return ['light', 'standard', 'strong'].flatMap((key) =>
    choices[key] ? [{ key, title: choices[key][lang].split(' · ')[0]! }] : [],
  );
}

/** What the task centre knows of every tool, besides what a task itself tells. */
function centrePayload(lang: Lang, all: ToolPage[]) {
  return {
    build: __BUILD_ID__,
    lang,
    title: words[lang].brand,
    tools: all.map((page) => ({
      ...brief(page),
      id: page.tool.id,
      editor: page.tool.editor,
      accepts: page.tool.accepts.map(({ kind, extensions }) => ({ kind, extensions })),
    })),
    stages: localised(contract.stages, lang),
    levels: levelsOf(lang),
  };
}

export type CentrePayload = ReturnType<typeof centrePayload>;

export type PagePayload = { path: string; data: unknown };

const PAY_PAGES = ['/pay/weixin', '/pay/union', '/pay/error'];

async function payloadsOf(lang: Lang): Promise<PagePayload[]> {
  const all = await toolPages(lang);
  const plain = ['/', '/About', '/agreement', '/privacy', '/Orders', ...PAY_PAGES].map((route) => ({
    path: localPath(lang, route),
    data: { build: __BUILD_ID__, lang, title: words[lang].brand, tools: all.map(brief) },
  }));
  const tools = all.map((page) => ({ path: page.path, data: toolPayload(page, all) }));
  const centre = { path: localPath(lang, '/tasks'), data: centrePayload(lang, all) };
  return [...plain, centre, ...tools, ...subPayloads(lang, [...plain, ...tools])];
}

/** A sub-site's home has the data of the page that it is; of a tool still to come, the home's. */
function subPayloads(lang: Lang, pages: PagePayload[]): PagePayload[] {
  if (lang !== 'zh') return [];
  const dataOf = (route: string) => pages.find(({ path }) => path === route)?.data;
  return SUB_SITES.map(({ host, route }) => ({
    path: `/sub/${host}`,
    data: dataOf(route) ?? dataOf('/'),
  }));
}

/** The data of every pre-rendered page. */
export async function pagePayloads(): Promise<PagePayload[]> {
  return (await Promise.all(LANGS.map(payloadsOf))).flat();
}
