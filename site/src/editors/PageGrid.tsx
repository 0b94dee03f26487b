import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { type Layout, layoutFor, scrollFor, shownItems, useViewport } from './window';

type Props = {
  pages: number;
  label: string;
  /** Height of what stands below a page's square, in pixels. */
  extraHeight: number;
  leastCell?: number;
  /** The last page that takes the focus. */
  reach?: number;
  /** Draws page `number`; the element with `data-page` takes the focus. */
  cell(number: number, size: number, focusable: boolean): ReactNode;
  /** A key on page `number`; true when it was used. Arrows are the grid's own. */
  onKey?(event: KeyboardEvent, number: number): boolean;
  onMove?(event: KeyboardEvent, from: number, to: number): void;
};

const GAP = 12;

/** All pages of a document as a scrolling grid; only the rows in sight are in the tree. */
export function PageGrid({
  pages,
  label,
  extraHeight,
  leastCell = 132,
  reach = pages,
  cell,
  onKey,
  onMove,
}: Props) {
  const scroller = useRef<HTMLDivElement>(null);
  const viewport = useViewport(scroller);
  const [active, setActive] = useState(1);
  const wantsFocus = useRef(false);
  const layout = layoutFor(
    viewport.width - 2 * GAP,
    viewport.width < 480 ? leastCell * 0.76 : leastCell,
    GAP,
    extraHeight,
  );
  const shown = shownItems(pages, layout, viewport.scroll, viewport.height);

  useEffect(() => {
    if (!wantsFocus.current) return;
    const target = scroller.current?.querySelector<HTMLElement>(`[data-page="${active}"]`);
    if (!target) return;
    wantsFocus.current = false;
    target.focus({ preventScroll: true });
  });

  const move = (event: KeyboardEvent) => {
    if (onKey?.(event, active)) return event.preventDefault();
    const to = pageAfterKey(event, active, reach, layout, viewport.height);
    if (to === null) return;
    event.preventDefault();
    onMove?.(event, active, to);
    wantsFocus.current = true;
    setActive(to);
    const scroll = scrollFor(to - 1, layout, viewport.scroll, viewport.height);
    if (scroll !== null) scroller.current?.scrollTo({ top: scroll });
  };

  const numbers = Array.from(
    { length: Math.max(0, shown.last - shown.first) },
    (_, i) => shown.first + i + 1,
  );
  const reachable = numbers.includes(active) ? active : numbers[0];
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would not scroll as this does
    <div ref={scroller} className="page-grid" role="group" aria-label={label} onKeyDown={move}>
      <div className="page-grid-space" style={{ height: shown.total }}>
        <ol
          className="page-grid-rows"
          style={{
            top: shown.top,
            gridTemplateColumns: `repeat(${layout.columns}, ${layout.cellWidth}px)`,
            gap: GAP,
          }}
        >
          {viewport.width > 0 &&
            numbers.map((number) => (
              <li key={number} style={{ height: layout.rowHeight - GAP }} onFocus={() => setActive(number)}>
                {cell(number, layout.cellWidth, number === reachable)}
              </li>
            ))}
        </ol>
      </div>
    </div>
  );
}

export function pageAfterKey(
  event: Pick<KeyboardEvent, 'key'>,
  page: number,
  pages: number,
  { columns, rowHeight }: Layout,
  height: number,
): number | null {
  const screen = Math.max(1, Math.floor(height / rowHeight)) * columns;
  const steps: Record<string, number> = {
    ArrowLeft: -1,
    ArrowRight: 1,
    ArrowUp: -columns,
    ArrowDown: columns,
    PageUp: -screen,
    PageDown: screen,
    Home: -pages,
    End: pages,
  };
  const step = steps[event.key];
  return step === undefined ? null : Math.min(pages, Math.max(1, page + step));
}
