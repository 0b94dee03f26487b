const WAIT = 1000;
const AT_ONCE = 4;

type Connection = { saveData?: boolean; effectiveType?: string };

export function isSlow(connection: Connection | undefined): boolean {
  return Boolean(connection?.saveData) || /(^|-)2g$/.test(connection?.effectiveType ?? '');
}

function prefetch(href: string): Promise<void> {
  return new Promise((resolve) => {
    const link = document.createElement('link');
    link.rel = 'prefetch';
    link.href = href;
    link.onload = link.onerror = () => resolve();
    document.head.append(link);
  });
}

/** Works through the addresses, at most four at a time. */
export async function drain(hrefs: string[], load: (href: string) => Promise<void>): Promise<void> {
  const rest = [...hrefs];
  const lane = async () => {
    for (let href = rest.shift(); href; href = rest.shift()) await load(href);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
}

function routes(): string[] {
  const links = [...document.querySelectorAll<HTMLAnchorElement>('a[data-prefetch]')];
  const near = links.filter((link) => link.origin === location.origin && link.pathname !== location.pathname);
  return [...new Set(near.map((link) => link.href))];
}

/** One second after load, unless the connection is slow, the pages people go to next are fetched. */
export function prefetchAfterLoad(): void {
  const connection = (navigator as Navigator & { connection?: Connection }).connection;
  if (isSlow(connection)) return;
  const start = () => setTimeout(() => drain(routes(), prefetch), WAIT);
  if (document.readyState === 'complete') start();
  else addEventListener('load', start);
}
