import { type CollectionEntry, getCollection } from 'astro:content';
import { contract, type ToolContract } from './contract';
import { LANGS, type Lang, localPath } from './lang';

export type ToolContent = CollectionEntry<'tools'>['data'];
export type ToolPage = { tool: ToolContract; content: ToolContent; path: string; lang: Lang };

/** A draft build shows only the finished tools; a real one stops at a gap. */
const DRAFT = import.meta.env.PAPERCRANE_DRAFT === '1' || process.env.PAPERCRANE_DRAFT === '1';

let loading: Promise<Map<string, ToolContent>> | undefined;

async function load(): Promise<Map<string, ToolContent>> {
  const entries = await getCollection('tools');
  const content = new Map(entries.map((entry) => [entry.id, entry.data]));
  const gaps = contract.tools.flatMap(({ key }) =>
    LANGS.filter((lang) => !content.has(`${lang}/${key}`)).map(
      (lang) => `src/content/tools/${lang}/${key}.yaml`,
    ),
  );
  if (gaps.length > 0 && !DRAFT)
    throw new Error(`Tools of contract.json without content:\n  ${gaps.join('\n  ')}`);
  return content;
}

function contents(): Promise<Map<string, ToolContent>> {
  loading ??= load();
  return loading;
}

/** All tool pages of a language, in the order of the contract's groups. */
export async function toolPages(lang: Lang): Promise<ToolPage[]> {
  const content = await contents();
  const order = contract.groups.map((group) => group.key);
  return contract.tools
    .filter(({ key }) => LANGS.every((each) => content.has(`${each}/${key}`)))
    .toSorted((a, b) => order.indexOf(a.group) - order.indexOf(b.group))
    .map((tool) => ({
      tool,
      content: content.get(`${lang}/${tool.key}`)!,
      path: localPath(lang, tool.route),
      lang,
    }));
}

/** What most people come for, first; a tool that is still to come leaves its place to the next. */
const WANTED = [
  'compress',
  'merge',
  'pdf_to_word',
  'word_to_pdf',
  'split',
  'pdf_to_image',
  'image_to_pdf',
  'image_to_text',
  'unlock',
  'watermark',
  'rotate',
  'encrypt',
];

/** The most wanted tools: as many as fill whole rows of four. */
export async function wantedPages(lang: Lang): Promise<ToolPage[]> {
  const pages = await toolPages(lang);
  const wanted = WANTED.flatMap((key) => pages.find(({ tool }) => tool.key === key) ?? []);
  return wanted.slice(0, 8);
}

/** What a search looks through, a word or phrase a line. */
export const searchWords = ({ toolTitle, summary, keywords, search }: ToolContent): string =>
  [toolTitle, summary, ...keywords, ...search].join('\n').toLowerCase();

/** Groups in display order, each with its tools; empty groups are left out. */
export async function toolGroups(lang: Lang) {
  const pages = await toolPages(lang);
  return contract.groups
    .map((group) => ({
      key: group.key,
      title: group.title[lang],
      pages: pages.filter(({ tool }) => tool.group === group.key),
    }))
    .filter((group) => group.pages.length > 0);
}

/** The tools a page names as related, topped up from its own group. */
export function relatedPages(page: ToolPage, all: ToolPage[]): ToolPage[] {
  const named = page.content.related
    .map((key) => all.find(({ tool }) => tool.key === key))
    .filter((other) => other !== undefined);
  const others = all.filter((other) => other.tool.key !== page.tool.key && !named.includes(other));
  const near = others.filter((other) => other.tool.group === page.tool.group);
  return [...named, ...near, ...others.filter((other) => !near.includes(other))].slice(0, 6);
}

/** `.pdf .jpg …`, as the `accept` attribute of an input wants it. */
export function acceptOf(tool: ToolContract): string {
  return [...new Set(tool.accepts.flatMap(({ extensions }) => extensions))].join(',');
}
