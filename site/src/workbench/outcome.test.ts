import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import contract from '../contract.json';
import { type ActionWords, lookOf, planOf, startText, whyNot } from './outcome';
import type { Row } from './state';

const row = (pages: number | null, kind = 'pdf', more: Partial<Row> = {}) =>
  ({ id: `${pages}${kind}`, kind, pages, ...more }) as Row;

const parts = (ranges: string, joined = false) => ({ split: { how: 'ranges', ranges, joined } });

const pages = (first: number, last: number) => ({ kind: 'pages', file: 0, first, last });

it('deleting leaves a page of each document', () => {
  const words = { start: 'Delete', outcomes: [], idle: 'none chosen', everything: 'leave one' };
  const why = (pages: string, blanks = 'keep') =>
    whyNot(words, planOf('delete', [row(5), row(2)], { pages, blanks }));
  expect(['', '1', '1-2', 'all'].map((range) => why(range))).toEqual([
    'none chosen',
    null,
    'leave one',
    'leave one',
  ]);
  expect(why('', 'remove')).toBeNull();
  const blank = (pages: string, ...found: object[]) =>
    whyNot(words, planOf('delete', [row(2), row(2)], { pages, blanks: 'strict', found } as never));
  expect(blank('')).toBe('none chosen');
  expect(blank('', { file: 0, page: 2 })).toBeNull();
  expect(blank('1', { file: 1, page: 1 })).toBeNull();
  expect(blank('1', { file: 1, page: 2 })).toBe('leave one');
});

it('what no bookmark and no page answers to is told before the start', () => {
  const words = { start: 'Go', outcomes: [], idle: 'idle', unmarked: 'no bookmark', unshaped: 'none lies' };
  const why = (tool: string, options: object, ...rows: Partial<Row>[]) => {
    const given = rows.map((more) => row(3, 'pdf', more));
    return [lookOf(tool, options as never), whyNot(words, planOf(tool, given, options as never))];
  };
  const split = (level: number) => ({ split: { how: 'bookmarks', level } });
  expect(why('split', split(1), {})).toEqual(['bookmarked', null]);
  expect(why('split', split(9), { bookmarked: null })).toEqual(['bookmarked', 'no bookmark']);
  expect(why('big_split', split(1), { bookmarked: 2 })).toEqual(['bookmarked', 'no bookmark']);
  expect(why('split', split(2), { bookmarked: 2 })).toEqual(['bookmarked', null]);
  expect(why('split', split(1), { bookmarked: null }, { bookmarked: 1 })).toEqual(['bookmarked', null]);
  expect(why('split', split(1), { bookmarked: null }, {})).toEqual(['bookmarked', null]);
  const [standing, mixed] = [{ lying: [false, false, false] }, { lying: [false, true, false] }];
  const cut = { way: 'gutter', columns: 2, rows: 1, keep: 'none', only: 'any', pages: '', by_page: [] };
  expect(why('segmentation', cut, {})).toEqual(['lying', null]);
  expect(why('segmentation', cut, standing)).toEqual(['lying', 'none lies']);
  expect(why('segmentation', cut, mixed)).toEqual(['lying', null]);
  expect(why('segmentation', { ...cut, pages: '1' }, mixed)).toEqual(['lying', 'none lies']);
  const grid = { ...cut, way: 'grid', column_cuts: [], row_cuts: [] };
  expect(why('segmentation', { ...grid, only: 'landscape' }, standing)).toEqual(['lying', 'none lies']);
  expect(why('segmentation', { ...grid, columns: 1 }, standing)).toEqual([null, 'idle']);
  const turn = { clicks: null, pages: '', only: 'portrait' };
  expect(why('rotate', turn, mixed)).toEqual(['lying', null]);
  expect(why('rotate', { ...turn, only: 'landscape' }, standing)).toEqual(['lying', 'none lies']);
  expect(why('rotate', { ...turn, only: 'any' }, standing)).toEqual([null, null]);
  expect(planOf('rotate', [row(3, 'pdf', mixed)], turn).facts).toEqual({ turned: 2 });
});

it('numbers go on from file to file once the files before are counted', () => {
  const words = { start: 'Number', outcomes: [], uncounted: 'counting' };
  const why = (across: boolean, ...counts: (number | null)[]) =>
    whyNot(words, planOf('page_number', [row(3), row(4)], { pages: '', skip_cover: false, across, counts }));
  expect(why(false)).toBeNull();
  expect(why(true)).toBe('counting');
  expect(why(true, null, 4)).toBe('counting');
  expect(why(true, 3, null)).toBeNull();
});

describe('what a start would do', () => {
  it.each([
    ['merge', [row(3), row(4)], {}, { n: 2, pages: 7 }, false],
    ['merge', [row(3), row(null, 'jpg')], { ranges: ['2-3'] }, { n: 2, pages: 3 }, false],
    ['merge', [row(3), row(null, 'tiff')], {}, { n: 2 }, false],
    ['merge', [row(3), row(4)], { contents: true }, { n: 2 }, false],
    ['merge', [row(3)], {}, { pages: 3 }, true],
    ['split', [row(5)], parts(''), {}, true],
    ['split', [row(5)], parts('1-2;3-5'), { parts: 2 }, false],
    ['split', [row(5)], parts('1-2;3-5', true), {}, true],
    ['split', [row(5)], parts('1-2'), {}, false],
    ['split', [row(5), row(2)], { split: { how: 'single' } }, { n: 2, parts: 7 }, false],
    ['split', [row(1)], { split: { how: 'every', pages: 1 } }, {}, true],
    ['split', [row(null)], parts(''), {}, false],
    ['split', [row(5)], { split: { how: 'bookmarks' } }, {}, false],
    ['rotate', [row(5)], { clicks: null, pages: '1-2', only: 'any' }, { turned: 2 }, false],
    ['rotate', [row(5)], { clicks: null, pages: '', only: 'landscape' }, {}, false],
    ['rotate', [row(5)], { clicks: [{ page: 1 }] }, { turned: 1 }, false],
    ['rotate', [row(5)], { clicks: [] }, {}, true],
    ['watermark', [row(5)], { pages: 'odd' }, { marked: 3 }, false],
    ['pdf_to_image', [row(5)], { into: 'each', pages: '' }, { pictures: 5 }, false],
    ['pdf_to_image', [row(5)], { into: 'long', pages: '' }, {}, false],
    ['encrypt', [row(5)], { password: '', owner: '', allowed: Array(7).fill('x') }, {}, true],
    ['encrypt', [row(5)], { password: 'a', owner: '', allowed: Array(7).fill('x') }, {}, false],
    ['encrypt', [row(5)], { password: '', owner: '', allowed: ['print'] }, {}, false],
    ['blank', [row(4), row(2)], { where: 'odd' }, { n: 2 }, true],
    ['blank', [row(4), row(3)], { where: 'odd' }, { n: 2 }, false],
    ['unlock', [row(5, 'pdf', { protection: 'none' })], {}, {}, true],
    ['big_unlock', [row(5, 'pdf', { protection: 'none' })], {}, {}, true],
    ['big_merge', [row(3), row(4)], {}, { n: 2, pages: 7 }, false],
    [
      'unlock',
      [row(5, 'pdf', { protection: 'restricted' }), row(5, 'pdf', { protection: 'none' })],
      {},
      { n: 2 },
      false,
    ],
    ['compress', [row(5)], {}, {}, false],
    ['arrange', [row(5)], { preset: 'none', board: [] }, {}, true],
    ['arrange', [row(5)], { preset: 'none', board: [pages(1, 5)] }, {}, true],
    ['arrange', [row(5)], { preset: 'none', board: [pages(1, 4)] }, {}, false],
    ['arrange', [row(5)], { preset: 'none', board: [{ ...pages(1, 5), turn: 90 }] }, {}, false],
    ['arrange', [row(5)], { preset: 'reverse', board: [pages(1, 5)] }, {}, false],
    ['arrange', [row(5), row(1)], { preset: 'none', board: [pages(1, 5)] }, { n: 2 }, false],
    ['extract', [row(5)], { pages: '' }, {}, true],
    ['extract', [row(5)], { pages: '2' }, { pages: 1 }, false],
    ['extract', [row(5), row(null)], { pages: '2' }, { n: 2 }, false],
    ['delete', [row(5)], { pages: '', blanks: 'keep' }, {}, true],
    ['delete', [row(5)], { pages: '', blanks: 'strict' }, {}, false],
    ['delete', [row(5)], { pages: '2-3', blanks: 'keep' }, { pages: 2 }, false],
    ['insert', [row(5)], {}, { n: 0 }, true],
    ['edit', [row(5)], { acts: [], flatten: false }, {}, true],
    ['edit', [row(5)], { acts: [], flatten: true }, {}, false],
    ['edit', [row(5)], { acts: [{}, { hits: [{}, {}, {}] }], flatten: false }, { changes: 4 }, false],
    ['edit', [row(5)], { acts: [{ hits: null }], flatten: false }, { changes: 1 }, false],
    ['insert', [row(5), row(2)], {}, { n: 1 }, false],
  ] as const)('%s of %j with %j', (tool, rows, options, facts, idle) => {
    expect(planOf(tool, [...rows], options as never)).toEqual({ facts, idle });
  });

  it('tells the size of the chosen level, where it was told and nothing makes it untrue', () => {
    const sizes = { standard: 1.3 * (1 << 20) };
    const facts = (options: object) => planOf('compress', [row(5)], options as never, sizes).facts;
    expect(facts({ level: 'standard', gray: false })).toEqual({ size: '1.3 MB' });
    expect(facts({ level: 'custom', gray: false })).toEqual({});
    expect(facts({ level: 'standard', gray: true })).toEqual({});
  });
});

const MERGE: ActionWords = {
  start: 'Merge',
  outcomes: ['Merge {n|file|files} · {pages|page|pages}', 'Merge {n|file|files}'],
};

describe('what the button says', () => {
  it.each([
    [{ n: 2, pages: 1 }, false, 'Merge 2 files · 1 page'],
    [{ n: 2 }, false, 'Merge 2 files'],
    [{}, false, 'Merge'],
    [{ n: 2, pages: 7 }, true, 'Merge'],
  ])('%j, idle %s', (facts, idle, text) => {
    expect(startText(MERGE, { facts, idle })).toBe(text);
  });
});

const contentOf = (lang: string, key: string) =>
  readFileSync(join(__dirname, `../content/tools/${lang}/${key}.yaml`), 'utf8');

describe.each(contract.tools.map(({ key }) => key))('the words of %s', (key) => {
  it('name only facts that are told, in both languages alike', () => {
    const places = ['zh', 'en'].map((lang) => {
      const [, outcomes = ''] = /outcomes:\n((?: {2}- .*\n)+)/.exec(contentOf(lang, key)) ?? [];
      return [...outcomes.matchAll(/\{(\w+)/g)].map(([, name]) => name).sort();
    });
    expect(places[0]).toEqual(places[1]);
    for (const name of places[0]!)
      expect(['n', 'pages', 'parts', 'turned', 'marked', 'pictures', 'size', 'changes']).toContain(name);
  });

  it('are found by what a Chinese keyboard types before a word is chosen', () => {
    expect(contentOf('zh', key)).toMatch(/search:\n(- .*\n)*- [a-z]+\n/);
  });
});
