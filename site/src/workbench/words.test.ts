import { expect, test } from 'vitest';
import { fill, words } from './words';

test.each([
  [1, '1 file · 3 KB'],
  [2, '2 files · 3 KB'],
])('%i with its noun', (n, text) => {
  expect(fill(words.en.filesCount, { n, size: '3 KB' })).toBe(text);
});

test('thousands are told apart', () => {
  expect(fill(words.en.pages, { n: 20_000 })).toBe('20,000 pages');
  expect(fill(words.zh.pages, { n: 20_000 })).toBe('20,000 页');
});

test('a fact that is not known stays in braces', () => {
  expect(fill('{name}: {n}', { n: 0 })).toBe('{name}: 0');
});
