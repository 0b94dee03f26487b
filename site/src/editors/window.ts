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
