import { describe, expect, test, vi } from 'vitest';
import { contract } from '../lib/contract';
import type { ChosenFile } from '../workbench/contract';
import { advance } from './place/advances';
import { cutsOf, partNumbers, partsOf, textOf, toggledCut } from './cutting';
import { FACTS } from './facts';
import { typeShown } from './FileThumb';
import { editors } from './index';
import { cover, filled, linesOf, placed, tiled } from './place/marks';
import { moved, totalPages } from './order';
import { pagesNamed, textFor } from './pageRanges';
import { RenderQueue, WeightedCache } from './pdf/queue';
import { fitted, scaleFor } from './pdf/render';
import { pixelsOf } from './pixels';
import { sorted } from './sorting';
import { clicksToStartFrom, formTurns, turnedBy } from './turns';
import { scrolledTo } from './window';

test('every editor that a tool names has its facts and its code', () => {
  const named = new Set(contract.tools.flatMap(({ editor }) => editor ?? []));
  expect(Object.keys(FACTS)).toEqual(expect.arrayContaining([...named]));
  expect(Object.keys(editors)).toEqual(Object.keys(FACTS));
});

test('a locked package is called by its name, not by what locks it', () => {
  expect(typeShown({ kind: 'ooxml_locked', name: '密.v2.docx' })).toBe('DOCX');
  expect(typeShown({ kind: 'doc', name: 'rich.rtf' })).toBe('DOC');
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

describe('cutting', () => {
  const ranges = (text: string) => partsOf({ how: 'ranges', ranges: text, joined: false }, 6);

  test('cuts and text say the same', () => {
    expect(textOf(new Set([2, 3]), 6)).toBe('1-2;3;4-6');
    expect([...cutsOf(ranges('1-2;3;4-6'), 6)]).toEqual([2, 3]);
    expect([...cutsOf(ranges('-2；3；4-'), 6)]).toEqual([2, 3]);
    expect(textOf(new Set(), 6)).toBe('');
    expect(textOf(new Set([2, 3]), 6, true)).toBe('1-2;3;4-');
    expect([...cutsOf(ranges(textOf(new Set([2, 3]), 9, true)), 6)]).toEqual([2, 3]);
  });

  test('ranges that leave out or reorder pages are no cuts', () => {
    expect(cutsOf(ranges('1-2;4-6'), 6).size).toBe(0);
    expect(cutsOf(ranges('4-6;1-3'), 6).size).toBe(0);
    expect([...partNumbers(ranges('4-6;2'), 6)]).toEqual([0, 0, 2, 0, 1, 1, 1]);
  });

  test('a cut is taken back by a second click', () => {
    expect([...toggledCut(toggledCut(new Set([2]), 4), 2)]).toEqual([4]);
  });

  test.each([
    [
      { how: 'every', pages: 4 } as const,
      [
        [1, 2, 3, 4],
        [5, 6],
      ],
    ],
    [{ how: 'into', files: 4 } as const, [[1], [2, 3], [4], [5, 6]]],
    [
      { how: 'odd_even' } as const,
      [
        [1, 3, 5],
        [2, 4, 6],
      ],
    ],
    [{ how: 'blanks' } as const, null],
    [{ how: 'ranges', ranges: '9', joined: false } as const, null],
  ])('%j', (way, parts) => {
    expect(partsOf(way, 6)).toEqual(parts);
  });
});

describe('order of files', () => {
  const file = (name: string, pages: number | null, kind = 'pdf'): ChosenFile => ({
    id: name,
    name,
    size: 1,
    kind,
    blob: null,
    key: null,
    pages,
  });
  const files = [file('第10章.pdf', 3), file('第2章.pdf', 5), file('封面.png', null, 'png')];

  test('by name, numbers count as numbers', () => {
    const [first, second] = sorted(files, 'name').filter((name) => name.startsWith('第'));
    expect([first, second]).toEqual(['第2章.pdf', '第10章.pdf']);
  });

  test('pages and their range say the same', () => {
    const book = { kind: 'pdf', pages: 6 };
    for (const text of ['', '1-2,5', '6-4,1,1', 'odd', '2']) {
      expect(textFor(pagesNamed(text, book), book, ''), text).toBe(text);
    }
    expect(textFor([1, 2, 3, 4, 5, 6], book, '9')).toBe('');
    expect(textFor([], book, '')).toBeNull();
    expect(textFor([], { kind: 'pdf', pages: null }, '3-')).toBe('3-');
    expect(pagesNamed('7', book)).toHaveLength(6);
    expect(pagesNamed('3', { kind: 'png', pages: null })).toEqual([1]);
  });

  test('moving stops at the ends', () => {
    expect(moved(['a', 'b', 'c'], 2, -1)).toEqual(['a', 'c', 'b']);
    expect(moved(['a', 'b', 'c'], 0, -1)).toEqual(['a', 'b', 'c']);
  });

  test('the total counts what the ranges take, and a picture as one', () => {
    expect(totalPages(files, ['2-', '', ''])).toBe(2 + 5 + 1);
    expect(totalPages([...files, file('未读.pdf', null)], [])).toBeNull();
  });
});

describe('marks land where the server puts them', () => {
  const page = { width: 600, height: 800 };

  test('a turned box covers more', () => {
    const box = cover({ width: 100, height: 20 }, 90);
    expect(box.width).toBeCloseTo(20);
    expect(box.height).toBeCloseTo(100);
  });

  test('places keep their margin, measured from the lower left', () => {
    expect(placed(page, 'top-left', [28, 28], { width: 100, height: 40 })).toEqual({ x: 78, y: 752 });
    expect(placed(page, 'bottom', [28, 28], { width: 100, height: 40 })).toEqual({ x: 300, y: 48 });
    expect(placed(page, 'centre', [28, 28], { width: 100, height: 40 })).toEqual({ x: 300, y: 400 });
  });

  test('tiles start from the centre, every second row shifted, and none lies off the page', () => {
    const centres = tiled(page, { width: 100, height: 20 }, [50, 80], 0);
    expect(centres).toContainEqual({ x: 300, y: 400 });
    expect(centres).toContainEqual({ x: 375, y: 500 });
    expect(centres.every(({ x, y }) => x > -50 && x < 650 && y > -10 && y < 810)).toBe(true);
  });

  test('gaps of nothing do not draw a million tiles', () => {
    expect(tiled(page, { width: 1, height: 1 }, [0, 0], 45).length).toBeLessThan(10_000);
  });

  test('variables are filled in, unknown ones stay', () => {
    expect(filled('{FILE} {page}/{pages} {x}', { file: '合同', page: '2', pages: '9' })).toBe('合同 2/9 {x}');
    expect(linesOf('一\r\n二\n')).toEqual(['一', '二']);
  });

  test.each([
    ['汉', 'serif', 1],
    ['𠮷', 'mono', 1],
    ['①', 'sans', 1],
    ['a', 'mono', 0.5],
    ['A', 'sans', 0.608],
  ] as const)('%s in %s is %f em wide', (letter, family, width) => {
    expect(advance(letter, family, false)).toBeCloseTo(width);
  });
});

test('predicted pixels', () => {
  const paper = { width: 595.28, height: 841.89 };
  expect(pixelsOf(paper, { how: 'dpi', dpi: 150 })).toEqual({ width: 1241, height: 1754 });
  expect(pixelsOf(paper, { how: 'width', width: 1200 })).toEqual({ width: 1200, height: 1698 });
});

function gated() {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve: () => resolve() };
}

describe('rendering', () => {
  test('a page has one size in CSS pixels, and more device pixels where the screen has them', () => {
    const [page, box] = [
      { width: 595, height: 842 },
      { width: 112, height: 112 },
    ];
    expect(fitted(page, box)).toEqual({ width: 79, height: 112 });
    expect(fitted({ width: 5000, height: 1 }, box)).toEqual({ width: 112, height: 1 });
    expect(scaleFor(page, box, 2)).toBeCloseTo(2 * scaleFor(page, box, 1));
  });

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

  test('begins nothing while pages fly past, and goes on with what is still wanted', async () => {
    vi.useFakeTimers();
    const queue = new RenderQueue(1);
    const [stays, leaves] = [new AbortController(), new AbortController()];
    queue.hold(100);
    const begun: string[] = [];
    const wanted = queue.add(async () => begun.push('stays'), stays.signal);
    const gone = queue.add(async () => begun.push('leaves'), leaves.signal);
    vi.advanceTimersByTime(60);
    queue.hold(100);
    leaves.abort();
    await expect(gone).rejects.toThrow();
    vi.advanceTimersByTime(60);
    expect(begun).toEqual([]);
    vi.advanceTimersByTime(60);
    await wanted;
    expect(begun).toEqual(['stays']);
    vi.useRealTimers();
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

test('what is chosen comes into sight, and of what is longer than the room its start', () => {
  expect(scrolledTo(0, 44, 900, 44, 500)).toBe(0);
  expect(scrolledTo(300, 44, 900, 44, 500)).toBe(0);
  expect(scrolledTo(0, 600, 80, 44, 500)).toBe(180);
  expect(scrolledTo(200, 600, 80, 44, 500)).toBe(200);
});
