import { expect, test } from 'vitest';
import { fromText, toText } from './clipboard';
import { fillDown, fillRight, pasteInto, tiled } from './fill';
import {
  type Cell,
  COLUMNS,
  cellAt,
  clear,
  confirm,
  doubts,
  grown,
  insert,
  isDoubtful,
  merge,
  paste,
  ROWS,
  remove,
  retype,
  split,
  type Table,
  textsIn,
  write,
} from './model';
import { chosenIn, columnName, only, stepped, tabbed } from './moves';

const cell = (row: number, column: number, text: string, more: Partial<Cell> = {}): Cell => ({
  row,
  column,
  rows: 1,
  columns: 1,
  text,
  score: 1,
  box: [column * 10, row * 10, column * 10 + 10, row * 10 + 10],
  page: 1,
  ...more,
});

/** 单位 over two rows, 问题 over two columns, then numbers. */
const table: Table = {
  pages: [1],
  rows: 3,
  columns: 3,
  ruled: true,
  widths: [50, 60, 70],
  cells: [
    cell(0, 0, '单位', { rows: 2 }),
    cell(0, 1, '问题', { columns: 2 }),
    cell(1, 1, '一般'),
    cell(1, 2, '重大'),
    cell(2, 0, '一部'),
    cell(2, 1, '1204', { score: 0.6 }),
    cell(2, 2, '3'),
  ],
};
const ALL = { top: 0, left: 0, bottom: 2, right: 2 };
const one = (row: number, column: number) => ({ top: row, left: column, bottom: row, right: column });

/** No two cells in one place, and none outside. */
function sound(made: Table): Table {
  const seen = new Set<string>();
  for (const each of made.cells)
    for (let row = each.row; row < each.row + each.rows; row += 1)
      for (let column = each.column; column < each.column + each.columns; column += 1) {
        expect(seen.has(`${row}/${column}`)).toBe(false);
        expect(row < made.rows && column < made.columns).toBe(true);
        seen.add(`${row}/${column}`);
      }
  expect(made.widths).toHaveLength(made.columns);
  return made;
}

test('what is typed is sure, and nothing typed is no step', () => {
  expect(doubts(table).map(({ text }) => text)).toEqual(['1204']);
  const made = write(table, 2, 1, '1205');
  expect(cellAt(made, 2, 1)).toMatchObject({ text: '1205', score: 1 });
  expect(doubts(made)).toEqual([]);
  expect(write(table, 2, 1, '1204')).toBe(table);
  expect(cellAt(write(table, 1, 0, '部门'), 0, 0).text).toBe('部门');
  expect(doubts(confirm(table, one(2, 1)))).toEqual([]);
  expect(confirm(table, one(0, 0))).toBe(table);
  expect(cellAt(retype(table, one(2, 1), 'text'), 2, 1).kind).toBe('text');
  expect(retype(table, one(2, 1), 'auto')).toBe(table);
  expect(textsIn(clear(table, ALL), ALL).flat().join('')).toBe('');
});

test('a choice takes merged cells as a whole, however they chain', () => {
  expect(grown(table, { top: 1, left: 0, bottom: 1, right: 1 })).toEqual({
    top: 0,
    left: 0,
    bottom: 1,
    right: 2,
  });
  expect(chosenIn(table, only({ row: 1, column: 0 }))).toEqual({ top: 0, left: 0, bottom: 1, right: 0 });
});

test('merging joins the texts, 汉字 without blanks, and splitting gives the places back', () => {
  const made = sound(merge(table, { top: 1, left: 1, bottom: 1, right: 2 }));
  expect(cellAt(made, 1, 2)).toMatchObject({ text: '一般重大', columns: 2, box: [10, 10, 30, 20] });
  const words = merge(table, { top: 2, left: 1, bottom: 2, right: 2 });
  expect(cellAt(words, 2, 1)).toMatchObject({ text: '1204 3', score: 0.6 });
  const whole = sound(merge(table, ALL));
  expect(whole.cells).toHaveLength(1);
  const parts = sound(split(whole, ALL));
  expect(parts.cells).toHaveLength(9);
  expect(textsIn(parts, ALL).flat().filter(Boolean)).toHaveLength(1);
  expect(merge(table, one(0, 0))).toBe(table);
  expect(split(table, one(2, 2))).toBe(table);
});

test('rows and columns come and go through merged cells', () => {
  const taller = sound(insert(table, ROWS, 1));
  expect([taller.rows, cellAt(taller, 1, 0).rows, cellAt(taller, 3, 1).text]).toEqual([4, 3, '1204']);
  const wider = sound(insert(table, COLUMNS, 2, 2));
  expect([wider.columns, cellAt(wider, 0, 1).columns, wider.widths[2]]).toEqual([5, 4, 60]);
  expect(sound(insert(table, COLUMNS, 0)).cells.every(({ column }) => column > 0)).toBe(true);
  const lower = sound(remove(table, ROWS, 0, 0));
  expect(cellAt(lower, 0, 0)).toMatchObject({ text: '单位', rows: 1 });
  expect(textsIn(lower, { top: 0, left: 0, bottom: 0, right: 2 })).toEqual([['单位', '一般', '重大']]);
  const slim = sound(remove(table, COLUMNS, 1, 2));
  expect([slim.columns, slim.cells.length]).toEqual([1, 2]);
  expect(remove(table, ROWS, 0, 2)).toBe(table);
});

test('a block from the clipboard is put in, and the table grows with it', () => {
  const made = sound(
    paste(table, 2, 2, [
      ['a', 'b'],
      ['c', 'd'],
    ]),
  );
  expect([made.rows, made.columns]).toEqual([4, 4]);
  expect(textsIn(made, { top: 2, left: 2, bottom: 3, right: 3 })).toEqual([
    ['a', 'b'],
    ['c', 'd'],
  ]);
  const over = sound(paste(table, 0, 0, [['x', 'y', 'z'], ['u']]));
  expect([cellAt(over, 0, 0).text, cellAt(over, 0, 1).text]).toEqual(['x', 'y']);
  expect(paste(table, 0, 0, [Array(3_000_000).fill('x')])).toBe(table);
});

test('the clipboard speaks as spreadsheets do', () => {
  const rows = [
    ['a\tb', 'say "x"', ''],
    ['two\nlines', '7', ''],
  ];
  expect(fromText(toText(rows))).toEqual(rows);
  expect(fromText('a\tb\r\nc\td\r\n')).toEqual([
    ['a', 'b'],
    ['c', 'd'],
  ]);
  expect(fromText('5" disk\tx')).toEqual([['5" disk', 'x']]);
  expect(fromText('"open\tx')).toEqual([['"open', 'x']]);
});

test('keys go from cell to cell, over merged ones in one step', () => {
  expect(stepped(table, { row: 0, column: 0 }, 1, 0)).toEqual({ row: 2, column: 0 });
  expect(stepped(table, { row: 2, column: 0 }, 1, 0)).toEqual({ row: 2, column: 0 });
  expect(tabbed(table, { row: 0, column: 1 }, false)).toEqual({ row: 1, column: 1 });
  expect(tabbed(table, { row: 1, column: 1 }, true)).toEqual({ row: 0, column: 1 });
  expect(tabbed(table, { row: 2, column: 2 }, false)).toBeNull();
  expect(tabbed(table, { row: 0, column: 0 }, true)).toBeNull();
  expect([0, 25, 26, 701, 702].map(columnName)).toEqual(['A', 'Z', 'AA', 'ZZ', 'AAA']);
});

test('what is pasted fills a range that is a whole number of it', () => {
  const range = { top: 1, left: 1, bottom: 2, right: 2 };
  expect(textsIn(sound(pasteInto(table, range, [['x']])), range)).toEqual([
    ['x', 'x'],
    ['x', 'x'],
  ]);
  expect(tiled([['a'], ['b']], range)).toEqual([
    ['a', 'a'],
    ['b', 'b'],
  ]);
  expect(tiled([['a'], ['b'], ['c']], range)).toEqual([['a'], ['b'], ['c']]);
});

test('rows are filled down and columns to the right', () => {
  const low = { top: 1, left: 1, bottom: 2, right: 2 };
  expect(textsIn(sound(fillDown(table, low)), ALL)[2]).toEqual(['一部', '一般', '重大']);
  expect(textsIn(sound(fillDown(table, one(2, 2))), ALL)[2]).toEqual(['一部', '1204', '重大']);
  expect(fillDown(table, one(0, 1))).toBe(table);
  expect(textsIn(sound(fillRight(table, { ...low, top: 2 })), ALL)[2]).toEqual(['一部', '1204', '1204']);
  expect(doubts(fillDown(table, low))).toEqual([]);
});

test('an empty cell in which nothing could be read is looked at, and no other empty one', () => {
  expect(isDoubtful(cell(0, 0, '', { score: 0 }))).toBe(true);
  expect(isDoubtful(cell(0, 0, ''))).toBe(false);
});
