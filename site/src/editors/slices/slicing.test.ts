import { expect, test } from 'vitest';
import {
  DEFAULTS,
  dragged,
  linesOf,
  partsIn,
  type SliceOptions,
  sharesOf,
  withCommon,
  withOwn,
} from './slicing';

const place = (page: number, landscape: boolean | null = null) => ({ file: 0, page, pages: 4, landscape });

test('equal parts until lines are dragged, and again when their number changes', () => {
  expect(linesOf(DEFAULTS, place(1))).toEqual({ columns: [0.5], rows: [] });
  const moved = withCommon(DEFAULTS, dragged({ columns: [0.5], rows: [] }, 'columns', 0, 0.4));
  expect(linesOf(moved, place(1))?.columns).toEqual([0.4]);
  expect(linesOf({ ...moved, columns: 4 }, place(1))?.columns).toEqual([0.25, 0.5, 0.75]);
});

test('a line stays between its neighbours', () => {
  const lines = { columns: [0.25, 0.5], rows: [] };
  expect(dragged(lines, 'columns', 0, 0.9).columns).toEqual([0.48, 0.5]);
  expect(dragged(lines, 'columns', 1, -1).columns).toEqual([0.25, 0.27]);
});

test('parts come in reading order', () => {
  const lines = { columns: [0.5], rows: [0.5] };
  const first = (order: SliceOptions['order']) =>
    sharesOf(lines, order)
      .slice(0, 2)
      .map(({ left, top }) => [left, top]);
  expect(first('ltr')).toEqual([
    [0, 0],
    [0.5, 0],
  ]);
  expect(first('rtl')).toEqual([
    [0.5, 0],
    [0, 0],
  ]);
  expect(first('down')).toEqual([
    [0, 0],
    [0, 0.5],
  ]);
  expect(first('down_rtl')).toEqual([
    [0.5, 0],
    [0.5, 0.5],
  ]);
});

test('covers, ranges and upright pages stay whole; a page has its own lines', () => {
  const whole = { columns: [], rows: [] };
  expect(linesOf({ ...DEFAULTS, keep: 'both' }, place(1))).toEqual(whole);
  expect(linesOf({ ...DEFAULTS, keep: 'last' }, place(4))).toEqual(whole);
  expect(linesOf({ ...DEFAULTS, pages: '2-3' }, place(4))).toEqual(whole);
  expect(linesOf({ ...DEFAULTS, only: 'landscape' }, place(2, false))).toEqual(whole);
  expect(linesOf({ ...DEFAULTS, way: 'gutter' }, place(2, true))?.columns).toEqual([0.5]);
  expect(linesOf({ ...DEFAULTS, way: 'gutter' }, place(2))).toBeNull();
  const own = withOwn({ ...DEFAULTS, keep: 'first' }, place(1), { columns: [0.3], rows: [] });
  expect(linesOf(own, place(1))?.columns).toEqual([0.3]);
  expect(withOwn(own, place(1), null).by_page).toEqual([]);
});

test('pages of the result', () => {
  const [one, four, unknown] = [{ pages: 1 }, { pages: 4 }, { pages: null }];
  expect(partsIn({ ...DEFAULTS, rows: 3, keep: 'first' }, [four, one])).toBe(1 + 3 * 6 + 1);
  expect(partsIn(DEFAULTS, [four, unknown])).toBeNull();
  expect(partsIn({ ...DEFAULTS, only: 'landscape' }, [one])).toBeNull();
  expect(partsIn({ ...DEFAULTS, only: 'landscape' }, [{ pages: 2, lying: [true, false] }])).toBe(2 + 1);
});
