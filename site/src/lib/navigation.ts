import type { Lang } from './lang';
import type { ToolPage } from './tools';

/** The three items of the specification, by route. */
const ITEMS = [
  { route: '/PdfCompress', name: { zh: '压缩 PDF', en: 'Compress' } },
  { route: '/PdfMerge', name: { zh: '合并 PDF', en: 'Merge' } },
  { route: '/Pdf2Word', name: { zh: 'PDF 转 Word', en: 'PDF to Word' } },
];

export type NavigationItem = { path: string | null; name: string; active: boolean };

/** An item whose tool does not exist yet keeps its place, without a link. */
export function navigation(lang: Lang, pages: ToolPage[], route: string): NavigationItem[] {
  return ITEMS.map((item) => ({
    path: pages.find(({ tool }) => tool.route === item.route)?.path ?? null,
    name: item.name[lang],
    active: item.route === route,
  }));
}

/** Hosts that serve one page at `/`: the whole home or one tool. The server maps `<host>.` to `/sub/<host>`. */
export const SUB_SITES = [
  { host: 'pdf', route: '/' },
  { host: 'compress', route: '/PdfCompress' },
  { host: 'merge', route: '/PdfMerge' },
  { host: 'pdf2word', route: '/Pdf2Word' },
];

/** What the page of a tool that does not exist yet calls it. */
export const comingName = (lang: Lang, route: string): string =>
  ITEMS.find((item) => item.route === route)?.name[lang] ?? '';

export function subSiteOrigin(host: string): string {
  const main = new URL(__SITE_URL__);
  return `${main.protocol}//${host}.${main.host}`;
}
