import { beforeEach, describe, expect, it } from 'vitest';
import { isChunkError } from './chunks';
import { drain, isSlow } from './prefetch';
import { RELOAD_INTERVAL, reloadAllowed } from './reload';

describe('reload throttle', () => {
  beforeEach(() => sessionStorage.clear());

  it('reloads a path at most once within ten seconds', () => {
    expect(reloadAllowed('/PdfMerge', sessionStorage, 1000)).toBe(true);
    expect(reloadAllowed('/PdfMerge', sessionStorage, 1000 + RELOAD_INTERVAL - 1)).toBe(false);
    expect(reloadAllowed('/PdfMerge', sessionStorage, 1000 + RELOAD_INTERVAL)).toBe(true);
  });

  it('counts each path by itself', () => {
    expect(reloadAllowed('/PdfMerge', sessionStorage, 0)).toBe(true);
    expect(reloadAllowed('/PdfSplit', sessionStorage, 0)).toBe(true);
  });
});

it('knows a lost chunk from other errors', () => {
  expect(isChunkError(new TypeError('Failed to fetch dynamically imported module: /assets/a.js'))).toBe(true);
  expect(isChunkError(new TypeError('Importing a module script failed.'))).toBe(true);
  expect(isChunkError(new TypeError('Failed to fetch'))).toBe(false);
  expect(isChunkError('text')).toBe(false);
});

describe('prefetch', () => {
  it('leaves slow connections alone', () => {
    expect(isSlow({ effectiveType: 'slow-2g' })).toBe(true);
    expect(isSlow({ effectiveType: '2g' })).toBe(true);
    expect(isSlow({ saveData: true, effectiveType: '4g' })).toBe(true);
    expect(isSlow({ effectiveType: '4g' })).toBe(false);
    expect(isSlow(undefined)).toBe(false);
  });

  it('loads every route, at most four at a time', async () => {
    let running = 0;
    let most = 0;
    const loaded: string[] = [];
    await drain(['a', 'b', 'c', 'd', 'e', 'f', 'g'], async (href) => {
      running += 1;
      most = Math.max(most, running);
      await Promise.resolve();
      running -= 1;
      loaded.push(href);
    });
    expect(most).toBe(4);
    expect(loaded.toSorted()).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g']);
  });
});
