import { type RefObject, useEffect, useRef } from 'react';

const NEXT: Record<string, string> = {
  uploading: 'files',
  ready: 'files',
  starting: 'stage',
  running: 'stage',
  done: 'result',
  failed: 'problem',
  choosing: 'choose',
};

const WITHIN = 2000;

/**
 * The focus goes where the next thing is, when the phase that held it is over: to the files once they are chosen, to
 * the progress, to the download. Focus that is somewhere else, on the page's header or in a dialog, stays there.
 */
export function useNextFocus(phase: string, root: RefObject<HTMLElement | null>): void {
  const before = useRef(phase);
  const place = NEXT[phase];
  useEffect(() => {
    if (before.current === phase) return;
    const same = NEXT[before.current] === place;
    before.current = phase;
    if (same || !place) return;
    const end = performance.now() + WITHIN;
    let frame = 0;
    // The panel may still be on its way.
    const look = () => {
      const target = root.current?.querySelector<HTMLElement>(`[data-next=${place}]`);
      if (target && isFree(root.current)) target.focus({ preventScroll: true });
      else if (!target && performance.now() < end) frame = requestAnimationFrame(look);
    };
    look();
    return () => cancelAnimationFrame(frame);
  }, [phase, place, root]);
}

const isFree = (root: HTMLElement | null) => {
  const { activeElement: active } = document;
  return active === null || active === document.body || Boolean(root?.contains(active));
};
