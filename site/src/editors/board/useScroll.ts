import { type RefObject, useLayoutEffect, useState } from 'react';
import { holdRendering } from '../pdf/render';

/** What is in sight is told in steps, so that most frames of a scroll draw nothing anew. */
const STEP = 96;
/** Rows are in the tree this much before they are in sight. */
const BEYOND = 240;
/** CSS pixels a millisecond: faster, nobody reads what passes. */
const FAST = 2;
const REST = 120;

export type Window = { width: number; height: number; from: number; to: number };

/** The room of a scrolling element and the stretch of its content that must be in the tree. */
export function useScroll(element: RefObject<HTMLElement | null>): Window {
  const [seen, setSeen] = useState<Window>({ width: 0, height: 0, from: 0, to: 0 });
  useLayoutEffect(() => {
    const target = element.current;
    if (!target) return;
    const read = () => setSeen((old) => unlessSame(old, windowOf(target)));
    const pace = paceOf(target);
    const scrolled = () => {
      if (pace() > FAST) holdRendering(REST);
      read();
    };
    const observer = new ResizeObserver(read);
    observer.observe(target);
    target.addEventListener('scroll', scrolled, { passive: true });
    read();
    return () => {
      observer.disconnect();
      target.removeEventListener('scroll', scrolled);
    };
  }, [element]);
  return seen;
}

function windowOf({ clientWidth, clientHeight, scrollTop }: HTMLElement): Window {
  const from = Math.floor(scrollTop / STEP) * STEP;
  return {
    width: clientWidth,
    height: clientHeight,
    from: from - BEYOND,
    to: from + STEP + clientHeight + BEYOND,
  };
}

const unlessSame = (old: Window, now: Window): Window =>
  old.width === now.width && old.height === now.height && old.from === now.from ? old : now;

/** How fast it was scrolled since it was last asked. */
function paceOf(target: HTMLElement): () => number {
  let [top, at] = [target.scrollTop, performance.now()];
  return () => {
    const now = performance.now();
    const pace = Math.abs(target.scrollTop - top) / Math.max(1, now - at);
    [top, at] = [target.scrollTop, now];
    return pace;
  };
}
