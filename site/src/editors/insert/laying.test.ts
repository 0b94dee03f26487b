import { expect, test } from 'vitest';
import { EMPTY, inserted, type Leaf, pagesOf } from '../board/model';
import { type InsertOptions, laid } from './laying';

const OPTIONS: InsertOptions = { where: 'end', page: 1, every: 1, pages: '' };
const BOARD = inserted(EMPTY, 0, [...pagesOf('a', 4), ...pagesOf('b', 3)]).leaves;
const FILES = [BOARD.slice(0, 4), BOARD.slice(4)];
const told = (leaves: readonly Leaf[]) =>
  leaves.map((leaf) => ('file' in leaf ? `${leaf.file}${leaf.page}` : '')).join(' ');

test.each([
  [{}, 'a1 a2 a3 a4 b1 b2 b3'],
  [{ where: 'start', pages: '2' }, 'b2 a1 a2 a3 a4'],
  [{ where: 'before', page: 3, pages: '3,1' }, 'a1 a2 b3 b1 a3 a4'],
  [{ where: 'after', page: 3, pages: '1' }, 'a1 a2 a3 b1 a4'],
  [{ where: 'every', every: 2, pages: '1' }, 'a1 a2 b1 a3 a4'],
  [{ where: 'every', every: 9, pages: '1' }, 'a1 a2 a3 a4 b1'],
  [{ where: 'after', page: 9 }, 'a1 a2 a3 a4'],
  [{ pages: '7' }, 'a1 a2 a3 a4'],
] as const)('%o', (options, expected) => {
  const { leaves, inserted: fresh } = laid(FILES, { ...OPTIONS, ...options });
  expect(told(leaves)).toBe(expected);
  expect(new Set(leaves.map(({ id }) => id)).size).toBe(leaves.length);
  expect(fresh.size).toBe(leaves.length - 4);
});
