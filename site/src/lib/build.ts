import { LANGS, localPath } from './lang';
import { pagePayloads } from './payload';

export const BUILT_AT = Date.now();

type RouteRule = { layout: 'default' | 'mobile'; prerender: boolean; auth: boolean };

/** Pages of the specification that are not pre-rendered here. */
const OTHERS: Record<string, RouteRule> = {
  '/Orders': { layout: 'default', prerender: false, auth: true },
  '/tasks': { layout: 'default', prerender: false, auth: true },
  '/UserInfo': { layout: 'mobile', prerender: false, auth: false },
  '/pay/error': { layout: 'mobile', prerender: false, auth: false },
  '/pay/union': { layout: 'mobile', prerender: false, auth: false },
  '/pay/weixin': { layout: 'mobile', prerender: false, auth: false },
};

/** The route rules manifest behind `builds/meta/{id}.json`. */
export async function routeRules(): Promise<Record<string, RouteRule>> {
  const pages = (await pagePayloads()).map(({ path }) => [
    path,
    { layout: 'default', prerender: true, auth: false },
  ]);
  const others = LANGS.flatMap((lang) =>
    Object.entries(OTHERS).map(([path, rule]) => [localPath(lang, path), rule]),
  );
  return Object.fromEntries([...pages, ...others]);
}
