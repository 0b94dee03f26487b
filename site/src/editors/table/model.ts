/** Tables as the server tells them beside a result (cluster/engines/export/table_data.py), and what people do to them. */

export type CellKind = 'auto' | 'text' | 'number';
export type Box = readonly [number, number, number, number];

export type Cell = {
  row: number;
  column: number;
  rows: number;
  columns: number;
  text: string;
  /** How sure its reader was, 0 to 1. */
  score: number;
  /** Points of its sheet: left, top, right, bottom. */
  box: Box;
  page: number | null;
  bold?: boolean;
  align?: string;
  fill?: string;
  kind?: CellKind;
};

export type Table = {
  pages: number[];
  rows: number;
  columns: number;
  ruled: boolean;
  /** Points. */
  widths: number[];
  cells: Cell[];
};

/** How a page's sheet lies in its picture: see `Seen` of cluster/engines/layout/model.py. */
export type Sheet = {
  page: number;
  width: number;
  height: number;
  left: number;
  top: number;
  turned: 0 | 90 | 180 | 270;
  lean: number;
};

export type Tables = { sheets: Sheet[]; tables: Table[] };

/** Rows and columns, all of them included. */
export type Range = { top: number; left: number; bottom: number; right: number };

/** Less sure than this is doubtful: SURE of cluster/engines/layout/line.py. */
const SURE = 0.9;
const NOWHERE: Box = [0, 0, 0, 0];
const NEW_WIDTH = 60;
/** As many rows and columns as a paste may make: the server takes no larger tables. */
const MOST = 2_000_000;

/** Whether the picture shows it: what somebody added is nowhere. */
export const isPlaced = ({ box }: Pick<Cell, 'box'>): boolean => box[2] > box[0];

/** Whether somebody should look: an empty one holds what nobody could read. */
export const isDoubtful = ({ score }: Cell): boolean => score < SURE;

const indexes = new WeakMap<Table, Map<number, Cell>>();

function indexOf(table: Table): Map<number, Cell> {
  const known = indexes.get(table);
  if (known) return known;
  const made = new Map<number, Cell>();
  for (const cell of table.cells)
    for (let row = cell.row; row < cell.row + cell.rows; row += 1)
      for (let column = cell.column; column < cell.column + cell.columns; column += 1)
        made.set(row * table.columns + column, cell);
  indexes.set(table, made);
  return made;
}

const blank = (row: number, column: number, near?: Cell): Cell => ({
  row,
  column,
  rows: 1,
  columns: 1,
  text: '',
  score: 1,
  box: near?.box ?? NOWHERE,
  page: near?.page ?? null,
});

/** The cell at a place, be it only covered by it; an empty one where there is none. */
export const cellAt = (table: Table, row: number, column: number): Cell =>
  indexOf(table).get(row * table.columns + column) ?? blank(row, column);

export const rangeOf = ({ row, column, rows, columns }: Cell): Range => ({
  top: row,
  left: column,
  bottom: row + rows - 1,
  right: column + columns - 1,
});

const holds = (range: Range, { row, column }: Cell): boolean =>
  range.top <= row && row <= range.bottom && range.left <= column && column <= range.right;

const united = (one: Range, other: Range): Range => ({
  top: Math.min(one.top, other.top),
  left: Math.min(one.left, other.left),
  bottom: Math.max(one.bottom, other.bottom),
  right: Math.max(one.right, other.right),
});

const sameRange = (one: Range, other: Range): boolean =>
  one.top === other.top &&
  one.left === other.left &&
  one.bottom === other.bottom &&
  one.right === other.right;

/** The range with every merged cell that it touches as a whole. */
export function grown(table: Table, range: Range): Range {
  let wide = range;
  for (const cell of table.cells) {
    const own = rangeOf(cell);
    const apart =
      own.bottom < range.top || own.top > range.bottom || own.right < range.left || own.left > range.right;
    if (!apart) wide = united(wide, own);
  }
  return sameRange(wide, range) ? range : grown(table, wide);
}

/** Cells that begin in the range, in reading order; places without one are left out. */
export const cellsIn = (table: Table, range: Range): Cell[] =>
  table.cells.filter((cell) => holds(range, cell)).toSorted((a, b) => a.row - b.row || a.column - b.column);

/** The same table where nothing changed, so that no step is made of it. */
function changed(table: Table, range: Range, change: (cell: Cell) => Cell): Table {
  let same = true;
  const cells = table.cells.map((cell) => {
    const next = holds(range, cell) ? change(cell) : cell;
    same &&= next === cell;
    return next;
  });
  return same ? table : { ...table, cells };
}

const textTo = (text: string) => (cell: Cell) =>
  cell.text === text && cell.score === 1 ? cell : { ...cell, text, score: 1 };

/** What somebody typed is sure. */
export function write(table: Table, row: number, column: number, text: string): Table {
  const cell = cellAt(table, row, column);
  if (indexOf(table).has(row * table.columns + column)) {
    return cell.text === text ? table : changed(table, rangeOf(cell), textTo(text));
  }
  return text === '' ? table : { ...table, cells: [...table.cells, { ...cell, text }] };
}

export const clear = (table: Table, range: Range): Table => changed(table, range, textTo(''));

/** Looked at and found right. */
export const confirm = (table: Table, range: Range): Table =>
  changed(table, range, (cell) => (cell.score < 1 ? { ...cell, score: 1 } : cell));

export const retype = (table: Table, range: Range, kind: CellKind): Table =>
  changed(table, range, (cell) => ((cell.kind ?? 'auto') === kind ? cell : { ...cell, kind }));

const DENSE = /[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]/;

/** Words have a blank between them, 汉字 none. */
const joined = (one: string, other: string): string => {
  if (!one || !other) return one + other;
  return DENSE.test(one.at(-1)!) && DENSE.test(other[0]!) ? one + other : `${one} ${other}`;
};

export const around = (cells: Cell[]): Box => [
  Math.min(...cells.map(({ box }) => box[0])),
  Math.min(...cells.map(({ box }) => box[1])),
  Math.max(...cells.map(({ box }) => box[2])),
  Math.max(...cells.map(({ box }) => box[3])),
];

/** One cell of all in the range; their texts stand one after the other. */
export function merge(table: Table, range: Range): Table {
  const whole = grown(table, range);
  const own = cellsIn(table, whole);
  const first = own[0] ?? blank(whole.top, whole.left);
  if (sameRange(rangeOf(first), whole)) return table;
  const placed = own.filter((each) => each.page === first.page && isPlaced(each));
  const cell: Cell = {
    ...first,
    row: whole.top,
    column: whole.left,
    rows: whole.bottom - whole.top + 1,
    columns: whole.right - whole.left + 1,
    text: own.map(({ text }) => text).reduce(joined, ''),
    score: Math.min(1, ...own.map(({ score }) => score)),
    box: placed.length > 0 ? around(placed) : NOWHERE,
  };
  return { ...table, cells: [...table.cells.filter((each) => !holds(whole, each)), cell] };
}

/** Merged cells in single ones: the first keeps the text, all show the same part of the page. */
export function split(table: Table, range: Range): Table {
  const parted = cellsIn(table, range).filter(({ rows, columns }) => rows * columns > 1);
  if (parted.length === 0) return table;
  const cells = parted.flatMap((cell) => {
    const { top, left, bottom, right } = rangeOf(cell);
    const more: Cell[] = [];
    for (let row = top; row <= bottom; row += 1)
      for (let column = left; column <= right; column += 1) more.push(blank(row, column, cell));
    return [{ ...cell, rows: 1, columns: 1 }, ...more.slice(1)];
  });
  return { ...table, cells: [...table.cells.filter((cell) => !parted.includes(cell)), ...cells] };
}

/** What rows and columns have in common. */
type Axis = { at: 'row' | 'column'; span: 'rows' | 'columns' };
export const ROWS: Axis = { at: 'row', span: 'rows' };
export const COLUMNS: Axis = { at: 'column', span: 'columns' };

/** Empty rows or columns before `place`; what is merged across it becomes larger. */
export function insert(table: Table, axis: Axis, place: number, count = 1): Table {
  const cells = table.cells.map((cell) => {
    if (cell[axis.at] >= place) return { ...cell, [axis.at]: cell[axis.at] + count };
    const ends = cell[axis.at] + cell[axis.span];
    return ends > place ? { ...cell, [axis.span]: cell[axis.span] + count } : cell;
  });
  const widths =
    axis === COLUMNS ? table.widths.toSpliced(place, 0, ...Array(count).fill(NEW_WIDTH)) : table.widths;
  return { ...table, cells, widths, [axis.span]: table[axis.span] + count };
}

/** Rows or columns `from` to `to` taken out; a table keeps one at least. */
export function remove(table: Table, axis: Axis, from: number, to: number): Table {
  const count = to - from + 1;
  if (count >= table[axis.span]) return table;
  const cells = table.cells.flatMap((cell) => {
    const start = cell[axis.at];
    const end = start + cell[axis.span] - 1;
    const gone = Math.max(0, Math.min(end, to) - Math.max(start, from) + 1);
    if (gone === cell[axis.span]) return [];
    const next = start > to ? start - count : Math.min(start, from);
    return [{ ...cell, [axis.at]: next, [axis.span]: cell[axis.span] - gone }];
  });
  const widths = axis === COLUMNS ? table.widths.toSpliced(from, count) : table.widths;
  return { ...table, cells, widths, [axis.span]: table[axis.span] - count };
}

/** Texts put into the places from one on; the table grows where they do not fit, merged cells take their first. */
export function paste(table: Table, row: number, column: number, texts: string[][]): Table {
  const width = Math.max(0, ...texts.map((line) => line.length));
  const [rows, columns] = [row + texts.length, column + width];
  if (width === 0 || Math.max(rows, table.rows) * Math.max(columns, table.columns) > MOST) return table;
  let wide = table;
  if (rows > wide.rows) wide = insert(wide, ROWS, wide.rows, rows - wide.rows);
  if (columns > wide.columns) wide = insert(wide, COLUMNS, wide.columns, columns - wide.columns);
  const places = indexOf(wide);
  const texting = new Map<Cell, string>();
  const made: Cell[] = [];
  texts.forEach((line, down) => {
    line.forEach((text, across) => {
      const [y, x] = [row + down, column + across];
      const cell = places.get(y * wide.columns + x);
      if (!cell) made.push({ ...blank(y, x), text });
      else if (cell.row === y && cell.column === x) texting.set(cell, text);
    });
  });
  const cells = wide.cells.map((cell) => {
    const text = texting.get(cell);
    return text === undefined ? cell : textTo(text)(cell);
  });
  return { ...wide, cells: [...cells, ...made] };
}

/** The range's texts, row by row; what a merged cell covers is empty. */
export function textsIn(table: Table, range: Range): string[][] {
  const rows = Array.from({ length: range.bottom - range.top + 1 }, () =>
    Array<string>(range.right - range.left + 1).fill(''),
  );
  for (const cell of cellsIn(table, range)) rows[cell.row - range.top]![cell.column - range.left] = cell.text;
  return rows;
}

const doubting = new WeakMap<Table, Cell[]>();

/** Doubtful cells in reading order. */
export function doubts(table: Table): Cell[] {
  const known = doubting.get(table);
  if (known) return known;
  const found = table.cells.filter(isDoubtful).toSorted((a, b) => a.row - b.row || a.column - b.column);
  doubting.set(table, found);
  return found;
}
