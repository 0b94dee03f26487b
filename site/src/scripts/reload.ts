export const RELOAD_INTERVAL = 10_000;

type Memory = Pick<Storage, 'getItem' | 'setItem'>;

/** Whether a page may reload itself: at most once per path within 10 seconds. Notes the reload when it may. */
export function reloadAllowed(path: string, memory: Memory, now: number): boolean {
  const key = `reload:${path}`;
  const last = Number(memory.getItem(key) ?? Number.NEGATIVE_INFINITY);
  if (now - last < RELOAD_INTERVAL) return false;
  memory.setItem(key, String(now));
  return true;
}

/** True when the page is on its way to be loaded again. */
export function reloadOnce(): boolean {
  const allowed = reloadAllowed(location.pathname, sessionStorage, Date.now());
  if (allowed) location.reload();
  return allowed;
}
