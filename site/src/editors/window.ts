import { type RefObject, useEffect, useState } from 'react';

export type Layout = { columns: number; rowHeight: number; cellWidth: number };
export type Shown = { first: number; last: number; top: number; total: number };

const ROWS_BEYOND = 2;

export function layoutFor(width: number, leastCell: number, gap: number, extraHeight: number): Layout {
  const columns = Math.max(2, Math.floor((width + gap) / (leastCell + gap)));
  const cellWidth = Math.max(1, Math.floor((width - gap * (columns - 1)) / columns));
  return { columns, cellWidth, rowHeight: cellWidth + extraHeight + gap };
}

/** Which items (counted from 0, `last` excluded) of a scrolled grid are in the tree, and where their rows begin. */
export function shownItems(
  count: number,
  { columns, rowHeight }: Layout,
  scroll: number,
  height: number,
): Shown {
  const rows = Math.ceil(count / columns);
  const from = Math.max(0, Math.floor(scroll / rowHeight) - ROWS_BEYOND);
  const to = Math.min(rows, Math.ceil((scroll + height) / rowHeight) + ROWS_BEYOND);
  return {
    first: from * columns,
    last: Math.min(count, to * columns),
    top: from * rowHeight,
    total: rows * rowHeight,
  };
}

/** The scroll offset that brings an item into view, or null where it is already. */
export function scrollFor(
  item: number,
  { columns, rowHeight }: Layout,
  scroll: number,
  height: number,
): number | null {
  const top = Math.floor(item / columns) * rowHeight;
  if (top < scroll) return top;
  return top + rowHeight > scroll + height ? top + rowHeight - height : null;
}

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
