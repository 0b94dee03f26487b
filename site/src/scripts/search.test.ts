import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import contract from '../contract.json';
import { likeness, search } from './search';

const keys = contract.tools.map(({ key }) => key);
const read = (lang: string, key: string) =>
  readFileSync(join(__dirname, `../content/tools/${lang}/${key}.yaml`), 'utf8');

/** The words of a tool as its card carries them. */
function wordsOf(lang: string, key: string): string[] {
  const text = read(lang, key);
  const list = (name: string) => (new RegExp(`${name}:\\n((?:- .*\\n)+)`).exec(text)?.[1] ?? '').split('\n');
  const one = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(text)?.[1] ?? '';
  const all = [one('toolTitle'), one('summary'), ...list('keywords'), ...list('search')];
  return all.map((word) => word.replace(/^- /, '').toLowerCase()).filter(Boolean);
}

const found = (lang: string, query: string) => {
  const { places, near } = search(
    query,
    keys.map((key) => ({ words: wordsOf(lang, key) })),
  );
  return { keys: places.map((place) => keys[place]), near };
};

describe('a tool is found', () => {
  it.each([
    ['zh', 'yasuo', 'compress'],
    ['zh', 'ys', 'compress'],
    ['zh', 'YS', 'compress'],
    ['zh', '变小', 'compress'],
    ['zh', 'hebing', 'merge'],
    ['zh', 'shrink', 'compress'],
    ['zh', 'pdf 旋转', 'rotate'],
    ['en', 'shrink', 'compress'],
    ['en', 'ocr', 'image_to_text'],
    ['en', 'join', 'merge'],
  ])('%s: %s', (lang, query, key) => {
    const { keys: hits, near } = found(lang, query);
    expect(near).toBe(false);
    expect(hits).toContain(key);
    expect(hits.length).toBeLessThan(4);
  });
});

it('offers the nearest tools where none fits', () => {
  expect(found('zh', '压宿')).toMatchObject({ near: true });
  expect(found('zh', '压宿').keys).toContain('compress');
  expect(found('en', 'comprss').keys[0]).toBe('compress');
  expect(found('en', 'qqqq')).toEqual({ keys: [], near: true });
});

it('finds nothing near in an empty query', () => {
  expect(found('zh', ' ')).toMatchObject({ near: false });
  expect(likeness('压缩', '压缩')).toBe(1);
});
