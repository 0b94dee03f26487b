import { reloadOnce } from './reload';

const CHECK_EVERY = 10 * 60_000;

type Latest = { id: string; timestamp: number };

async function newest(): Promise<string | null> {
  try {
    const answer = await fetch(`/builds/latest.json?${Date.now()}`, { cache: 'no-store' });
    return answer.ok ? ((await answer.json()) as Latest).id : null;
  } catch {
    return null;
  }
}

function linkOf(event: MouseEvent): HTMLAnchorElement | null {
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return null;
  const link = (event.target as Element).closest<HTMLAnchorElement>('a[href]');
  return link && link.origin === location.origin && !link.target && !link.download ? link : null;
}

/** With a new build live, the next navigation takes the page afresh instead of a prefetched old one. */
function renewNextNavigation(): void {
  document.addEventListener('click', (event) => {
    const link = event.defaultPrevented ? null : linkOf(event);
    if (!link || (link.pathname === location.pathname && link.hash)) return;
    event.preventDefault();
    fetch(link.href, { cache: 'reload' }).finally(() => location.assign(link.href));
  });
  addEventListener('pageshow', (event) => {
    if (event.persisted) reloadOnce();
  });
}

/** Asks every ten minutes, and when the window is looked at again, whether a new build is live. */
export function watchBuilds(): void {
  const mine = document.documentElement.dataset.build;
  let stale = false;
  const check = async () => {
    if (stale) return;
    const id = await newest();
    if (id === null || id === mine || stale) return;
    stale = true;
    void fetch(`/builds/meta/${id}.json`).catch(() => undefined);
    renewNextNavigation();
    document.dispatchEvent(new CustomEvent('papercrane:new-build', { detail: id }));
  };
  setInterval(check, CHECK_EVERY);
  addEventListener('focus', check);
}
