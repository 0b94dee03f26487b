import { LANGS, localPath } from './lang';
import { pagePayloads } from './payload';

export const BUILT_AT = Date.now();

type RouteRule = { layout: 'default' | 'mobile'; prerender: boolean; auth: boolean };

/** What is special about a page: its layout, and whether it is for accounts only. */
const RULES: Record<string, Partial<RouteRule>> = {
  '/Orders': { auth: true },
  '/tasks': { auth: true },
  '/SignPad': { layout: 'mobile' },
  '/UserInfo': { layout: 'mobile', auth: true },
  '/pay/error': { layout: 'mobile' },
  '/pay/union': { layout: 'mobile' },
  '/pay/weixin': { layout: 'mobile' },
};

/** The route rules manifest behind `builds/meta/{id}.json`. */
export async function routeRules(): Promise<Record<string, RouteRule>> {
  const drawn = new Set((await pagePayloads()).map(({ path }) => path));
  const special = LANGS.flatMap((lang) =>
    Object.entries(RULES).map(([path, rule]) => [localPath(lang, path), rule] as const),
  );
  const rules = new Map([...[...drawn].map((path) => [path, {}] as const), ...special]);
  return Object.fromEntries(
    [...rules].map(([path, rule]) => [
      path,
      { layout: 'default', prerender: drawn.has(path), auth: false, ...rule } satisfies RouteRule,
    ]),
  );
}
