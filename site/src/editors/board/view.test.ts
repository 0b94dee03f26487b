import { describe, expect, test } from 'vitest';
import { extended, inverted, NONE, namedBy, placesOf, present, toggled } from './choice';
import {
  closestFit,
  gapAt,
  itemAfterKey,
  itemAt,
  itemsIn,
  layoutOf,
  type Metrics,
  placeOf,
  scrollFor,
  shownIn,
  type Stretch,
} from './layout';
import type { ChosenFile } from '../../workbench/contract';
import { actOfKey } from './keys';
import { EMPTY, inserted, pagesOf, removed } from './model';
import { namesOf } from './naming';
import { boardWords } from './words';

const METRICS: Metrics = {
  width: 800,
  leastCell: 132,
  closer: 0,
  gap: 12,
  foot: 44,
  heading: 48,
  notice: 120,
};
const plain = (count: number): Stretch => ({ count, heading: false, notice: false });
const headed = (count: number): Stretch => ({ count, heading: true, notice: count === 0 });

describe('layout', () => {
  const layout = layoutOf([plain(20_000)], METRICS);

  test('fills the width and knows the whole height', () => {
    expect(layout.columns).toBe(5);
    expect(layout.columns * layout.cell + 4 * 12).toBeLessThanOrEqual(800);
    expect(layout.height).toBe(4000 * layout.row);
  });

  test('each step of the zoom takes one column less, down to two', () => {
    const columns = [-1, 0, 1, 2, 3, 4].map((closer) => layoutOf([plain(9)], { ...METRICS, closer }).columns);
    expect(columns).toEqual([6, 5, 4, 3, 2, 2]);
  });

  test('few pages fill their room, all of them in sight, and many are as small as they were', () => {
    const fits = [1, 3, 6, 12, 60].map((count) => closestFit([plain(count)], METRICS, 600));
    expect(fits).toEqual([2, 2, 1, 0, 0]);
    for (const [index, count] of [1, 3, 6].entries()) {
      const layout = layoutOf([plain(count)], { ...METRICS, closer: fits[index] as number });
      expect(layout.height - 12).toBeLessThanOrEqual(600);
    }
    expect(closestFit([plain(3)], METRICS, 200)).toBe(0);
  });

  test('keeps only the rows in sight, of 20,000 pages', () => {
    expect(shownIn(layout, 50 * layout.row, 53 * layout.row)).toEqual([
      { stretch: 0, first: 250, last: 265, top: 50 * layout.row },
    ]);
    expect(shownIn(layout, layout.height - 10, layout.height + 600).at(-1)?.last).toBe(20_000);
  });

  test('files begin a row of their own, below their heading', () => {
    const files = layoutOf([headed(7), headed(0), headed(3)], METRICS);
    expect(placeOf(files, 0)).toEqual({ left: 0, top: 48 });
    expect(placeOf(files, 7)).toEqual({ left: 0, top: 48 + 2 * files.row + 168 + 48 });
    expect(shownIn(files, 0, 9999).map(({ first, last }) => [first, last])).toEqual([
      [0, 7],
      [7, 7],
      [7, 10],
    ]);
  });

  test('every item is found again where it lies', () => {
    for (const stretches of [[plain(23)], [headed(7), headed(0), headed(3), headed(11)]]) {
      const each = layoutOf(stretches, METRICS);
      for (let item = 0; item < each.count; item += 1) {
        const { left, top } = placeOf(each, item);
        expect(itemAt(each, left + 5, top + 5)).toBe(item);
        expect(itemAt(each, left - 5, top + 5)).not.toBe(item);
        expect(gapAt(each, left + 5, top + 5)).toBe(item);
        expect(gapAt(each, left + each.cell - 5, top + 5)).toBe(item + 1);
      }
    }
  });

  test('a rectangle takes what it touches, also in rows out of sight', () => {
    const { left, top } = placeOf(layout, 6);
    expect(itemsIn(layout, { left: left + 1, top: top + 1, right: left + 2, bottom: top + 2 })).toEqual([6]);
    expect(itemsIn(layout, { left: 0, top: 0, right: 800, bottom: 3 * layout.row - 20 })).toHaveLength(15);
    expect(itemsIn(layout, { left: left - 5, top, right: left - 4, bottom: top + 9 })).toEqual([]);
  });

  test('a drop beyond the pages is one after the last', () => {
    expect(gapAt(layoutOf([plain(7)], METRICS), 700, 5000)).toBe(7);
    expect(gapAt(layoutOf([plain(0)], METRICS), 10, 10)).toBe(0);
  });

  test('scrolls just far enough', () => {
    expect(scrollFor(layout, 0, 100, 600)).toBe(0);
    expect(scrollFor(layout, 1, 0, 600)).toBeNull();
    expect(scrollFor(layout, 20, 0, 600)).toBe(5 * layout.row - 600);
  });

  test.each([
    ['ArrowRight', 3, 4],
    ['ArrowDown', 3, 8],
    ['ArrowUp', 5, 0],
    ['End', 3, 19_999],
    ['PageDown', 3, 13],
    ['x', 3, null],
  ])('%s from item %i goes to %s', (key, from, to) => {
    expect(itemAfterKey(layout, key, from, 600)).toBe(to);
  });

  test('arrows cross headings and come back', () => {
    const files = layoutOf([headed(7), headed(0), headed(3)], METRICS);
    expect(itemAfterKey(files, 'ArrowDown', 5, 600)).toBe(7);
    expect(itemAfterKey(files, 'ArrowDown', 4, 600)).toBe(6);
    expect(itemAfterKey(files, 'ArrowUp', 8, 600)).toBe(6);
    expect(itemAfterKey(files, 'ArrowDown', 8, 600)).toBe(8);
  });
});

describe('keys', () => {
  const plain = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false };

  test.each([
    [' ', {}, 'look'],
    ['z', { ctrlKey: true }, 'undo'],
    ['Z', { metaKey: true, shiftKey: true }, 'redo'],
    ['y', { ctrlKey: true }, 'redo'],
    ['a', { ctrlKey: true }, 'all'],
    ['a', {}, null],
    [']', {}, 'right'],
    ['Delete', {}, 'remove'],
    ['r', { ctrlKey: true }, null],
    ['ArrowLeft', { altKey: true }, null],
    ['x', {}, null],
  ])('%j with %j is %j', (key, held, wanted) => {
    expect(actOfKey({ ...plain, key, ...held })).toBe(wanted);
  });
});

describe('names', () => {
  const words = boardWords('zh');
  const file = (id: string) => ({ id, name: `${id}.pdf` }) as ChosenFile;
  const { leaves } = inserted(EMPTY, 0, [...pagesOf('甲', 2).reverse(), { blank: 'previous' }]);

  test('where files are mixed the number is the place, else the page of the file', () => {
    const named = namesOf([{ file: null, leaves }], [file('甲'), file('乙')], words);
    expect(leaves.map(named)).toEqual([
      { number: 1, name: '甲.pdf 第 2 页' },
      { number: 2, name: '甲.pdf 第 1 页' },
      { number: 3, name: '空白页' },
    ]);
    const alone = namesOf([{ file: file('甲'), leaves }], [file('甲')], words);
    expect(leaves.slice(0, 2).map(alone)).toEqual([
      { number: 2, name: '第 2 页' },
      { number: 1, name: '第 1 页' },
    ]);
  });
});

describe('choosing', () => {
  const { leaves } = inserted(EMPTY, 0, pagesOf('a', 6));

  test('a click toggles, a shift-click goes on from there', () => {
    const one = toggled(NONE, 3);
    const more = extended(one, leaves, 6);
    expect(placesOf(more, leaves)).toEqual([3, 4, 5, 6]);
    expect(placesOf(extended(more, leaves, 2), leaves)).toEqual([2, 3, 4, 5, 6]);
    expect(placesOf(toggled(more, 4), leaves)).toEqual([3, 5, 6]);
    expect(placesOf(extended(NONE, leaves, 4), leaves)).toEqual([4]);
  });

  test('ranges name leaves as they lie', () => {
    expect(namedBy('odd', [leaves])?.ids).toEqual(new Set([1, 3, 5]));
    expect(namedBy('2-,-3', [leaves])?.ids.size).toBe(6);
    expect(namedBy('9', [leaves])).toBeNull();
    expect(namedBy(' ', [leaves])).toBe(NONE);
  });

  test('with several files each is counted from 1, and a shorter one takes what it has', () => {
    const files = [leaves.slice(0, 2), leaves.slice(2)];
    expect(namedBy('odd', files)?.ids).toEqual(new Set([1, 3, 5]));
    expect(namedBy('even', files)?.ids).toEqual(new Set([2, 4, 6]));
    expect(namedBy('3', files)?.ids).toEqual(new Set([5]));
    expect(namedBy('5', files)).toBeNull();
  });

  test('the others instead', () => {
    expect(placesOf(inverted(toggled(NONE, 2), leaves), leaves)).toEqual([1, 3, 4, 5, 6]);
  });

  test('what went is no longer chosen', () => {
    const chosen = toggled(toggled(NONE, 2), 3);
    const fewer = removed({ leaves, next: 7 }, new Set([3]));
    expect([...present(chosen, fewer.leaves).ids]).toEqual([2]);
    expect(present(chosen, leaves)).toBe(chosen);
  });
});
