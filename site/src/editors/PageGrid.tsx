import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
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
export function PageGrid(props: Props) {
  const { pages, label, extraHeight, leastCell = 132, cell } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const viewport = useViewport(scroller);
  const least = viewport.width < 480 ? leastCell * 0.76 : leastCell;
  const layout = layoutFor(viewport.width - 2 * GAP, least, GAP, extraHeight);
  const { active, setActive, move } = useMoves(props, scroller, layout, viewport);
  const shown = shownItems(pages, layout, viewport.scroll, viewport.height);
  const length = viewport.width > 0 ? Math.max(0, shown.last - shown.first) : 0;
  const numbers = Array.from({ length }, (_, index) => shown.first + index + 1);
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
          {numbers.map((number) => (
            <li key={number} style={{ height: layout.rowHeight - GAP }} onFocus={() => setActive(number)}>
              {cell(number, layout.cellWidth, number === reachable)}
            </li>
          ))}
        </ol>
      </div>
    </div>
  );
}

type Viewport = ReturnType<typeof useViewport>;

/** One page takes the focus; arrow keys move it, also to rows that are not in the tree yet. */
function useMoves(props: Props, scroller: RefObject<HTMLElement | null>, layout: Layout, viewport: Viewport) {
  const [active, setActive] = useState(1);
  const wantsFocus = useRef(false);
  useEffect(() => {
    if (!wantsFocus.current) return;
    const target = scroller.current?.querySelector<HTMLElement>(`[data-page="${active}"]`);
    if (!target) return;
    wantsFocus.current = false;
    target.focus({ preventScroll: true });
  });
  const move = (event: KeyboardEvent) => {
    if (props.onKey?.(event, active)) return event.preventDefault();
    const to = pageAfterKey(event, active, props.reach ?? props.pages, layout, viewport.height);
    if (to === null) return;
    event.preventDefault();
    props.onMove?.(event, active, to);
    wantsFocus.current = true;
    setActive(to);
    const scroll = scrollFor(to - 1, layout, viewport.scroll, viewport.height);
    if (scroll !== null) scroller.current?.scrollTo({ top: scroll });
  };
  return { active, setActive, move };
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
