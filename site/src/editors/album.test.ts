import { describe, expect, test } from 'vitest';
import { mounted } from './mount';
import { sortedByTaken } from './sorting';
import { takenAt } from './taken';

const options = { paper: 'picture', orientation: 'auto', fit: 'fit', margin: 0 };
const round = (sizes: readonly number[]) => sizes.map(Math.round);

describe('a picture on its page', () => {
  test('is the page, at most A4, with its margin around it', () => {
    expect(round(mounted([96, 48], options).page)).toEqual([25, 13]);
    expect(round(mounted([4000, 3000], { ...options, margin: 10 }).page)).toEqual([300, 230]);
    expect(round(mounted([30, 4000], options).picture)).toEqual([2, 297]);
  });

  test('lies on paper as the paper is turned', () => {
    const a4 = { ...options, paper: 'a4', margin: 20 };
    expect(mounted([300, 200], a4).page).toEqual([297, 210]);
    expect(round(mounted([300, 200], { ...a4, orientation: 'portrait' }).picture)).toEqual([170, 113]);
    const filled = mounted([200, 300], { ...a4, orientation: 'landscape', fit: 'fill' });
    expect([round(filled.picture), filled.cut]).toEqual([[257, 386], 20]);
  });
});

/** A JPEG's head with EXIF that says when it was taken, in either order of bytes. */
function photo(when: string, little: boolean): Blob {
  const view = new DataView(new ArrayBuffer(64));
  const put = (at: number, value: number, wide = true) =>
    wide ? view.setUint32(at, value, little) : view.setUint16(at, value, little);
  put(0, little ? 0x4949 : 0x4d4d, false);
  put(4, 8);
  put(8, 1, false);
  put(10, 0x8769, false);
  put(18, 26);
  put(26, 1, false);
  put(28, 0x9003, false);
  put(36, 44);
  [...when].forEach((letter, index) => {
    view.setUint8(44 + index, letter.charCodeAt(0));
  });
  return new Blob([new Uint8Array([0xff, 0xd8, 0x45]), 'xxExif\0\0', view.buffer]);
}

describe('when a picture was taken', () => {
  test('is read whatever the order of bytes', async () => {
    expect(await takenAt(photo('2024:05:01 12:00:00', true))).toBe('2024:05:01 12:00:00');
    expect(await takenAt(photo('2023:12:31 23:59:59', false))).toBe('2023:12:31 23:59:59');
    expect(await takenAt(photo('yesterday', true))).toBe('');
    expect(await takenAt(new Blob(['Exif\0\0II']))).toBe('');
    expect(await takenAt(new Blob(['nothing']))).toBe('');
  });

  test('orders the files; those without it stay last, as they were', async () => {
    const dates = ['', '2024:05:01 12:00:00', '', '2023:12:31 23:59:59'];
    const files = dates.map((when, index) => ({
      id: String(index),
      name: `${index}.jpg`,
      size: 1,
      kind: 'jpg',
      blob: new File([photo(when, true)], `${index}.jpg`),
      key: null,
      pages: null,
    }));
    expect(await sortedByTaken(files)).toEqual(['3', '1', '0', '2']);
  });
});
