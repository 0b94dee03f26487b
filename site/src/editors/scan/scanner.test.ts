import { expect, test } from 'vitest';
import samples from '../../../../tests/samples/scanner.json';
import { PRESETS } from './presets';
import { chance, type Look, type Sheet, scanned } from './scanner';

/** As tests/tools/test_scanner.py draws it. */
function drawn(width: number, height: number): Sheet {
  const planes = [0, 1, 2].map(() => new Uint8Array(width * height));
  let state = 1n;
  for (let at = 0; at < width * height; at += 1) {
    const [x, y] = [at % width, Math.floor(at / width)];
    const bar = Math.floor(x / 5) % 2 !== 0 && Math.floor(y / 4) % 3 !== 0;
    planes.forEach((plane, band) => {
      state = (state * 1103515245n + 12345n) % 2147483648n;
      plane[at] = bar ? 30 + 20 * band : 255 - (Number(state >> 16n) % 60);
    });
  }
  return { width, height, planes };
}

function crc32(planes: Uint8Array[]): number {
  let held = 0xffffffff;
  for (const plane of planes) {
    for (const byte of plane) {
      held ^= byte;
      for (let bit = 0; bit < 8; bit += 1) held = (held >>> 1) ^ (held & 1 ? 0xedb88320 : 0);
    }
  }
  return ~held >>> 0;
}

test.each(samples.pages)('$name', (sample) => {
  const look = { ...samples.look, ...sample.look } as Look;
  const { turn, light, grain } = chance(look, sample.page);
  expect([turn, light, grain]).toEqual(sample.chance);
  const [width, height] = sample.size as [number, number];
  const { planes } = scanned(drawn(width, height), look, sample.page, sample.dpi);
  const middle = width * Math.floor(height / 2);
  expect(planes).toHaveLength(sample.planes);
  expect([...(planes[0] as Uint8Array).slice(middle, middle + width)]).toEqual(sample.middle);
  expect(crc32(planes)).toBe(sample.crc);
});

test('presets are the tool’s', () => {
  expect(PRESETS).toEqual(samples.presets);
});
