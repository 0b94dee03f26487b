import { expect, test } from 'vitest';
import { namedSizes, type UniformOptions, uniformed } from './uniform';

const MM = 72 / 25.4;
const OPTIONS: UniformOptions = { width: 'first', mm: 210, landscape: 'same', pages: '' };
/** A4, A5, A5, and A4 lying. */
const MIXED = [
  [210, 297],
  [148, 210],
  [148, 210],
  [297, 210],
].map(([width = 0, height = 0]) => ({ width: width * MM, height: height * MM }));

/* As tests/tools/test_uniform_width.py has them. */
test.each([
  [{}, [210, 210, 210, 210]],
  [{ width: 'widest' }, [297, 297, 297, 297]],
  [{ width: 'commonest' }, [148, 148, 148, 148]],
  [{ width: 'a5', pages: '1' }, [148, 148, 148, 297]],
  [{ width: 'letter' }, [216, 216, 216, 216]],
  [{ width: 'mm', mm: 100 }, [100, 100, 100, 100]],
  [{ landscape: 'apart' }, [210, 210, 210, 297]],
] as const)('%o', (options, widths) => {
  const made = uniformed(MIXED, { ...OPTIONS, ...options }) ?? [];
  expect(made.map(({ width }) => Math.round(width / MM))).toEqual(widths);
});

test('sizes are counted, and a range that names no page has none', () => {
  expect(namedSizes(MIXED)).toEqual([
    ['148 × 210 mm', 2],
    ['210 × 297 mm', 1],
    ['297 × 210 mm', 1],
  ]);
  expect(uniformed(MIXED, { ...OPTIONS, pages: '9' })).toBeNull();
});
