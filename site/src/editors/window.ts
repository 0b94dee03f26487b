import { type RefObject, useEffect, useState } from 'react';

/** Size and scroll offset of a scrolling element, at most once a frame. */
export function useViewport(element: RefObject<HTMLElement | null>) {
  const [viewport, setViewport] = useState({ width: 0, height: 0, scroll: 0 });
  useEffect(() => {
    const target = element.current;
    if (!target) return;
    let frame = 0;
    const read = () => {
      frame ||= requestAnimationFrame(() => {
        frame = 0;
        const { clientWidth: width, clientHeight: height, scrollTop: scroll } = target;
        setViewport((old) =>
          old.width === width && old.height === height && old.scroll === scroll
            ? old
            : { width, height, scroll },
        );
      });
    };
    const observer = new ResizeObserver(read);
    observer.observe(target);
    target.addEventListener('scroll', read, { passive: true });
    return () => {
      observer.disconnect();
      target.removeEventListener('scroll', read);
      cancelAnimationFrame(frame);
    };
  }, [element]);
  return viewport;
}

/** Where to scroll, from `at`, so that an extent is seen behind a head: of what is longer than the room, its start. */
export function scrolledTo(at: number, start: number, extent: number, head: number, room: number): number {
  if (start - head < at) return start - head;
  return Math.max(at, start + Math.min(extent, room - head) - room);
}
