import { describe, expect, test } from 'vitest';
import { pageAfterKey } from './PageGrid';
import { RenderQueue, WeightedCache } from './pdf/queue';
import { extended, noSelection, toggled } from './selection';
import { clicksToStartFrom, formTurns, turnedBy } from './turns';
import { layoutFor, scrollFor, shownItems } from './window';

describe('the window of a grid', () => {
  const layout = layoutFor(800, 132, 12, 48);

  test('fills the width', () => {
    expect(layout.columns).toBe(5);
    expect(layout.columns * layout.cellWidth + 4 * 12).toBeLessThanOrEqual(800);
  });

  test('keeps only the rows in sight and two beyond, of 20,000', () => {
    const shown = shownItems(20_000, layout, 50 * layout.rowHeight, 600);
    expect(shown.first).toBe(48 * 5);
    expect(shown.last - shown.first).toBeLessThan(60);
    expect(shown.total).toBe(4000 * layout.rowHeight);
  });

  test('ends with the last item', () => {
    expect(shownItems(7, layout, 0, 600)).toMatchObject({ first: 0, last: 7, top: 0 });
    expect(shownItems(0, layout, 0, 600)).toMatchObject({ first: 0, last: 0, total: 0 });
  });

  test('scrolls just far enough', () => {
    expect(scrollFor(0, layout, 100, 600)).toBe(0);
    expect(scrollFor(1, layout, 0, 600)).toBeNull();
    expect(scrollFor(20, layout, 0, 600)).toBe(5 * layout.rowHeight - 600);
  });

  test.each([
    ['ArrowRight', 3, 4],
    ['ArrowDown', 3, 8],
    ['ArrowUp', 3, 1],
    ['End', 3, 12],
    ['PageDown', 3, 12],
    ['x', 3, null],
  ])('%s from page %i goes to %s', (key, from, to) => {
    expect(pageAfterKey({ key }, from, 12, layout, 600)).toBe(to);
  });
});

describe('choosing pages', () => {
  test('a click toggles, a shift-click goes on from there', () => {
    const one = toggled(noSelection, 3);
    const more = extended(one, 6);
    expect([...more.pages]).toEqual([3, 4, 5, 6]);
    expect([...extended(more, 2).pages].sort()).toEqual([2, 3, 4, 5, 6]);
    expect([...toggled(more, 4).pages]).toEqual([3, 5, 6]);
  });
});

describe('turning pages', () => {
  const options = { turn: 2, pages: '', only: 'any', clicks: null } as const;

  test('turns add up and four make none', () => {
    const once = turnedBy([], 0, [2, 1], 90);
    expect(once).toEqual([
      { file: 0, page: 1, turn: 90 },
      { file: 0, page: 2, turn: 90 },
    ]);
    const back = turnedBy(once, 0, [1], 270);
    expect(back).toEqual([{ file: 0, page: 2, turn: 90 }]);
    expect(turnedBy(back, 1, [2], 180)).toEqual([
      { file: 0, page: 2, turn: 90 },
      { file: 1, page: 2, turn: 180 },
    ]);
  });

  test('by hand one starts from upright pages, or from a range that was named', () => {
    expect(clicksToStartFrom(options, [3])).toEqual([]);
    expect(clicksToStartFrom({ ...options, turn: 1, pages: '2-' }, [3, 1, null])).toEqual([
      { file: 0, page: 2, turn: 270 },
      { file: 0, page: 3, turn: 270 },
    ]);
  });

  test('the form turns every page when no range is named', () => {
    expect([...formTurns(options, 2)]).toEqual([
      [1, 90],
      [2, 90],
    ]);
    expect(formTurns({ ...options, pages: '9' }, 2).size).toBe(0);
  });
});

function gated() {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve: () => resolve() };
}

describe('rendering', () => {
  test('runs two at a time, the newest first, and drops what is no longer wanted', async () => {
    const queue = new RenderQueue(2);
    const order: number[] = [];
    const gates = Array.from({ length: 5 }, gated);
    const stops = gates.map(() => new AbortController());
    const results = gates.map((gate, i) =>
      queue.add(
        async () => {
          order.push(i);
          await gate.promise;
          return i;
        },
        (stops[i] as AbortController).signal,
      ),
    );
    expect(order).toEqual([0, 1]);
    stops[4]?.abort();
    await expect(results[4]).rejects.toThrow();
    gates[0]?.resolve();
    await results[0];
    await Promise.resolve();
    expect(order).toEqual([0, 1, 3]);
    for (const gate of gates) gate.resolve();
    expect(await Promise.all(results.slice(0, 4))).toEqual([0, 1, 2, 3]);
  });

  test('a failure frees its place', async () => {
    const queue = new RenderQueue(1);
    const { signal } = new AbortController();
    await expect(queue.add(() => Promise.reject(new Error('broken page')), signal)).rejects.toThrow(
      'broken page',
    );
    expect(await queue.add(async () => 'next', signal)).toBe('next');
  });

  test('the cache drops what was used longest ago', () => {
    const cache = new WeightedCache<string>(10);
    cache.set('a', 'A', 4);
    cache.set('b', 'B', 4);
    cache.get('a');
    cache.set('c', 'C', 4);
    expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual(['A', undefined, 'C']);
  });
});
