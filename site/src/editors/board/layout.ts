/** Where everything on a board lies, in CSS pixels from the upper left of what is scrolled. Pure geometry. */

export type Size = { width: number; height: number };
export type Rect = { left: number; top: number; right: number; bottom: number };

/** A stretch of pages below a heading of its own. `notice`: there are no pages to show, but something to say. */
export type Stretch = { count: number; heading: boolean; notice: boolean };

export type Metrics = {
  /** Room for the pages from edge to edge. */
  width: number;
  leastCell: number;
  /** Columns fewer than fit at the least size: each step of the zoom is seen. */
  closer: number;
  gap: number;
  /** Below the square of a page. */
  foot: number;
  heading: number;
  notice: number;
};

type Placed = { first: number; count: number; top: number; rowsTop: number; bottom: number };

export type Layout = {
  columns: number;
  cell: number;
  row: number;
  gap: number;
  count: number;
  height: number;
  stretches: readonly Placed[];
};

/** Columns at the closest look. */
export const FEWEST = 2;

/** How many columns of the least size fit. */
export const columnsIn = ({ width, leastCell, gap }: Pick<Metrics, 'width' | 'leastCell' | 'gap'>) =>
  Math.max(FEWEST, Math.floor((width + gap) / (leastCell + gap)));

/** A page is not shown larger than this by itself. */
const LARGEST = 360;

/** The closest look at which all pages are in sight, so that few of them fill their room; 0 where they are many. */
export function closestFit(
  stretches: readonly Stretch[],
  metrics: Omit<Metrics, 'closer'>,
  height: number,
): number {
  for (let closer = columnsIn(metrics) - FEWEST; closer > 0; closer -= 1) {
    const layout = layoutOf(stretches, { ...metrics, closer });
    if (layout.cell <= LARGEST && layout.height - metrics.gap <= height) return closer;
  }
  return 0;
}

export function layoutOf(stretches: readonly Stretch[], metrics: Metrics): Layout {
  const { width, gap, foot } = metrics;
  const columns = Math.max(FEWEST, columnsIn(metrics) - metrics.closer);
  const cell = Math.max(1, Math.floor((width - gap * (columns - 1)) / columns));
  const row = cell + foot + gap;
  const placed: Placed[] = [];
  let [first, top] = [0, 0];
  for (const { count, heading, notice } of stretches) {
    const rowsTop = top + (heading ? metrics.heading : 0) + (notice ? metrics.notice : 0);
    const bottom = rowsTop + Math.ceil(count / columns) * row;
    placed.push({ first, count, top, rowsTop, bottom });
    [first, top] = [first + count, bottom];
  }
  return { columns, cell, row, gap, count: first, height: top, stretches: placed };
}

/** Items of one stretch that are in sight (`last` excluded), and where their rows begin. */
export type Shown = { stretch: number; first: number; last: number; top: number };

/** What must be in the tree for the rows between `from` and `to`. */
export function shownIn({ stretches, columns, row }: Layout, from: number, to: number): Shown[] {
  return stretches.flatMap(({ first, count, top, rowsTop, bottom }, stretch) => {
    if (bottom < from || top > to) return [];
    const rows = Math.ceil(count / columns);
    const begin = clamp(Math.floor((from - rowsTop) / row), 0, rows);
    const end = clamp(Math.ceil((to - rowsTop) / row), 0, rows);
    return [
      {
        stretch,
        first: first + begin * columns,
        last: first + Math.min(count, end * columns),
        top: rowsTop + begin * row,
      },
    ];
  });
}

/** The upper left of an item. */
export function placeOf(layout: Layout, item: number): { left: number; top: number } {
  const { first, rowsTop } = stretchOf(layout, item);
  const { columns, cell, gap, row } = layout;
  const at = item - first;
  return { left: (at % columns) * (cell + gap), top: rowsTop + Math.floor(at / columns) * row };
}

function stretchOf({ stretches }: Layout, item: number): Placed {
  const found = stretches.findLast(({ first, count }) => count > 0 && first <= item);
  return found ?? (stretches[0] as Placed);
}

/** Items that a rectangle touches. */
export function itemsIn(layout: Layout, rect: Rect): number[] {
  const { cell, gap, row } = layout;
  return shownIn(layout, rect.top, rect.bottom).flatMap(({ first, last }) =>
    between(first, last).filter((item) => {
      const { left, top } = placeOf(layout, item);
      const [right, bottom] = [left + cell, top + row - gap];
      return left < rect.right && right > rect.left && top < rect.bottom && bottom > rect.top;
    }),
  );
}

/** The gap (0 … count: before which item) nearest to a point; rows end where they end. */
export function gapAt(layout: Layout, x: number, y: number): number {
  const { columns, cell, gap, row, stretches } = layout;
  const filled = stretches.filter(({ count }) => count > 0);
  const stretch = filled.find(({ bottom }) => y < bottom) ?? filled.at(-1);
  if (!stretch) return 0;
  const rows = Math.ceil(stretch.count / columns);
  const line = clamp(Math.floor((y - stretch.rowsTop) / row), 0, rows - 1);
  const column = clamp(Math.round(x / (cell + gap)), 0, columns);
  return stretch.first + Math.min(stretch.count, line * columns + column);
}

/** The item under a point, or null between them. */
export function itemAt(layout: Layout, x: number, y: number): number | null {
  const [hit] = itemsIn(layout, { left: x, right: x + 0.01, top: y, bottom: y + 0.01 });
  return hit ?? null;
}

/** How far to scroll so that an item is in sight, or null where it is. */
export function scrollFor(layout: Layout, item: number, scroll: number, height: number): number | null {
  const { top } = placeOf(layout, item);
  const bottom = top + layout.row;
  if (top < scroll) return top;
  return bottom > scroll + height ? bottom - height : null;
}

/** The item that a key goes to from another; null for keys that are no arrows. */
export function itemAfterKey(layout: Layout, key: string, item: number, height: number): number | null {
  const rows = Math.max(1, Math.floor(height / layout.row));
  const steps: Record<string, (from: number) => number> = {
    ArrowLeft: (from) => from - 1,
    ArrowRight: (from) => from + 1,
    ArrowUp: (from) => rowsAway(layout, from, -1),
    ArrowDown: (from) => rowsAway(layout, from, 1),
    PageUp: (from) => rowsAway(layout, from, -rows),
    PageDown: (from) => rowsAway(layout, from, rows),
    Home: () => 0,
    End: () => layout.count - 1,
  };
  const step = steps[key];
  return step ? clamp(step(item), 0, layout.count - 1) : null;
}

/** Straight up or down, also over a heading; a shorter row is entered at its end. */
function rowsAway(layout: Layout, item: number, rows: number): number {
  const { left, top } = placeOf(layout, item);
  const wanted = top + rows * layout.row;
  const filled = layout.stretches.filter(({ count }) => count > 0);
  const down = filled.find(({ bottom }) => wanted < bottom) ?? filled.at(-1);
  const up = filled.findLast(({ rowsTop }) => wanted + layout.row > rowsTop) ?? filled[0];
  const stretch = rows > 0 ? down : up;
  if (!stretch) return item;
  const last = Math.ceil(stretch.count / layout.columns) - 1;
  const at = (wanted - stretch.rowsTop) / layout.row;
  const line = clamp(rows > 0 ? Math.ceil(at) : Math.floor(at), 0, last);
  const column = Math.round(left / (layout.cell + layout.gap));
  return stretch.first + Math.min(stretch.count - 1, line * layout.columns + column);
}

const clamp = (value: number, least: number, most: number) => Math.max(least, Math.min(most, value));

const between = (first: number, last: number) =>
  Array.from({ length: Math.max(0, last - first) }, (_, index) => first + index);
