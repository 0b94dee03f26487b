import { FINGER, useMedia } from '../../lib/useMedia';
import { widthOf } from '../../lib/textWidth';
import { type Range, rangeOf, type Cell, type Table } from './model';
import type { Place } from './moves';

/** CSS pixels of a row, under a pointer and under a finger, of the rows' heads, and of columns at most and least. */
const ROW = 34;
const FINGER_ROW = 44;
export const HEAD = 44;
const WIDEST = 300;
const NARROWEST = 76;
/** Up to here a column grows with its texts where the picture's is narrower: a Latin letter is as wide as HALF. */
const FILLED = 220;
const HALF = 7.5;
const MARGINS = 20;
/** Pixels a point. */
const ZOOM = 1.4;

/** Where rows and columns lie: the height of each row, the left edges of columns and the last one's right edge. */
export type Geometry = { high: number; edges: number[] };

export type Area = { left: number; top: number; width: number; height: number };

export function useGeometry(table: Table): Geometry {
  const high = useMedia(FINGER) ? FINGER_ROW : ROW;
  return { high, edges: edgesOf(table) };
}

function edgesOf({ widths, columns, cells }: Table): number[] {
  const wanted = Array.from({ length: columns }, (_, at) => (widths[at] ?? 0) * ZOOM);
  for (const { text, column, columns: over } of cells)
    if (over === 1)
      wanted[column] = Math.max(wanted[column]!, Math.min(FILLED, lengthOf(text) * HALF + MARGINS));
  const edges = [HEAD];
  for (const width of wanted)
    edges.push(edges.at(-1)! + Math.round(Math.min(WIDEST, Math.max(NARROWEST, width))));
  return edges;
}

/** Of the longest line. */
const lengthOf = (text: string): number => Math.max(0, ...text.split('\n').map(widthOf));

export const areaOf = ({ high, edges }: Geometry, { top, left, bottom, right }: Range): Area => ({
  left: edges[left]!,
  top: high * (top + 1),
  width: edges[right + 1]! - edges[left]!,
  height: high * (bottom - top + 1),
});

export const areaOfCell = (geometry: Geometry, cell: Cell): Area => areaOf(geometry, rangeOf(cell));

/** The cell at pixels from the sheet's corner, or the one next to them. */
export function placeAt({ high, edges }: Geometry, { rows, columns }: Table, x: number, y: number): Place {
  const column = edges.findLastIndex((edge) => edge <= x);
  const row = Math.floor(y / high) - 1;
  return {
    row: Math.max(0, Math.min(rows - 1, row)),
    column: Math.max(0, Math.min(columns - 1, column)),
  };
}
