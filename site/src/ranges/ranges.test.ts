import { describe, expect, test } from 'vitest';
import vectors from '../../../tests/samples/ranges.json';
import { formatPages, formatSequence, parsePages, parseParts } from './index';

interface Vector {
  text: string;
  pages: number;
  expect?: number[];
  reason?: string;
}

const pagesIn = (text: string, total: number) => {
  const found = parsePages(text, total);
  return found.ok ? found.pages : null;
};

describe('the vectors shared with Python', () => {
  test.each(vectors as Vector[])('$text of $pages', ({ text, pages, expect: wanted, reason }) => {
    const found = parsePages(text, pages);
    expect(found).toEqual(wanted ? { ok: true, pages: wanted } : { ok: false, reason, pages });
  });
});

describe('formatPages', () => {
  test.each([
    [[1, 2, 3, 5], 10, '1-3,5'],
    [[5, 3, 1, 2], 10, '1-3,5'],
    [[1, 2, 3, 4], 4, 'all'],
    [[1], 1, '1'],
    [[1, 3, 5, 7], 8, 'odd'],
    [[2, 4, 6, 8], 8, 'even'],
    [[2], 3, '2'],
    [[], 3, ''],
  ])('%j of %i is %s', (pages, total, text) => {
    expect(formatPages(pages, total)).toBe(text);
  });

  test('what it writes reads back as the same pages', () => {
    for (let bits = 1; bits < 256; bits += 1) {
      const pages = [1, 2, 3, 4, 5, 6, 7, 8].filter((page) => bits & (1 << (page - 1)));
      const text = formatPages(pages, 8);
      expect(new Set(pagesIn(text, 8)), text).toEqual(new Set(pages));
    }
  });
});

test('a sequence keeps its order', () => {
  expect(formatSequence([5, 4, 3, 1, 1, 7, 8])).toBe('5-3,1,1,7-8');
  expect(pagesIn('5-3,1,1,7-8', 8)).toEqual([5, 4, 3, 1, 1, 7, 8]);
});

test.each([
  ['1-2,4；3;9', [[1, 2, 4], [3], 'page_range_invalid']],
  ['1-2，4', [[1, 2], [4]]],
  ['1-2;', [[1, 2]]],
  ['', [[1, 2, 3, 4, 5]]],
  [';', ['page_range_invalid']],
])('the parts of %j', (text, wanted) => {
  expect(parseParts(text, 5).map((part) => (part.ok ? part.pages : part.reason))).toEqual(wanted);
});
