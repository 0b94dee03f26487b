export type Lang = 'zh' | 'en';

export const LANGS: readonly Lang[] = ['zh', 'en'];
export const HTML_LANG: Record<Lang, string> = { zh: 'zh-CN', en: 'en' };
export const OG_LOCALE: Record<Lang, string> = { zh: 'zh_CN', en: 'en_US' };

/** The address of a page in a language: Chinese at the root, English under /en. */
export function localPath(lang: Lang, path: string): string {
  if (lang === 'zh') return path;
  return path === '/' ? '/en' : `/en${path}`;
}

/** Static paths of a `[...lang]` route. */
export function langPaths() {
  return LANGS.map((lang) => ({ params: { lang: lang === 'zh' ? undefined : lang }, props: { lang } }));
}
