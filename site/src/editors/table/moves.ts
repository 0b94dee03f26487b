import { cellAt, grown, type Range, rangeOf, type Table } from './model';

export type Place = { row: number; column: number };

/** Where a choice began, which is the cell that keys act on, and where it goes to. */
export type Choice = {
  anchor: Place;
  focus: Place;
  /** Whole rows or columns, taken by their heads: nothing is scrolled to the table's end. */
  still?: boolean;
};

export const only = (place: Place): Choice => ({ anchor: place, focus: place });

/** The whole table. */
export const everything = ({ rows, columns }: Table): Choice => ({
  still: true,
  anchor: { row: 0, column: 0 },
  focus: { row: rows - 1, column: columns - 1 },
});

/** All that is chosen, merged cells as a whole. */
export function chosenIn(table: Table, { anchor, focus }: Choice): Range {
  return grown(table, {
    top: Math.min(anchor.row, focus.row),
    left: Math.min(anchor.column, focus.column),
    bottom: Math.max(anchor.row, focus.row),
    right: Math.max(anchor.column, focus.column),
  });
}

const within = (value: number, count: number) => Math.max(0, Math.min(count - 1, value));

/** Within the table again, after rows or columns went. */
export const fitted = (table: Table, { anchor, focus, still = false }: Choice): Choice => ({
  still,
  anchor: inside(table, anchor),
  focus: inside(table, focus),
});

const inside = (table: Table, { row, column }: Place): Place => ({
  row: within(row, table.rows),
  column: within(column, table.columns),
});

/** The first place of the cell that covers a place. */
export const home = (table: Table, { row, column }: Place): Place => {
  const cell = cellAt(table, row, column);
  return { row: cell.row, column: cell.column };
};

/** One step beyond the whole cell, as far as the table goes. */
export function stepped(table: Table, from: Place, down: number, right: number): Place {
  const own = rangeOf(cellAt(table, from.row, from.column));
  const row = down > 0 ? own.bottom + down : down < 0 ? own.top + down : from.row;
  const column = right > 0 ? own.right + right : right < 0 ? own.left + right : from.column;
  return inside(table, { row, column });
}

/** The cell after (or before) this one in reading order; null beyond the table's end, where Tab leaves it. */
export function tabbed(table: Table, from: Place, back: boolean): Place | null {
  const own = rangeOf(cellAt(table, from.row, from.column));
  const step = back ? -1 : 1;
  let at = from.row * table.columns + (back ? own.left : own.right) + step;
  for (; at >= 0 && at < table.rows * table.columns; at += step) {
    const place = { row: Math.floor(at / table.columns), column: at % table.columns };
    const { row, column } = home(table, place);
    // What a merged cell only covers was passed where it begins.
    if (row === place.row && column === place.column) return place;
  }
  return null;
}

/** A, B … Z, AA: as spreadsheets name columns. */
export function columnName(column: number): string {
  const rest = Math.floor(column / 26);
  return (rest > 0 ? columnName(rest - 1) : '') + String.fromCharCode(65 + (column % 26));
}

export const placeName = ({ row, column }: Place): string => `${columnName(column)}${row + 1}`;
