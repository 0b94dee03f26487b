/** Paper taken away from a picture of ink, as cluster/engines/pictures/white.py states it; tests/samples/white.json holds both. */

const CELLS = 8;
const SHARE = 0.9;
const NEAR = 0.75;
const DUST = 0.05;
const CLEAR = 0.14;
const LEAST = 32;

type Colour = [number, number, number];
export type Pixels = { data: Uint8ClampedArray; width: number; height: number };

/** Changes the pixels in place, and says which part of them is left. */
export function withoutWhite(pixels: Pixels): { x: number; y: number; width: number; height: number } {
  const { data } = pixels;
  if (!hasHoles(data)) clear(pixels);
  return leftOf(pixels);
}

function hasHoles(data: Uint8ClampedArray): boolean {
  for (let at = 3; at < data.length; at += 4) if ((data[at] ?? 255) < 250) return true;
  return false;
}

function clear(pixels: Pixels): void {
  const { data, width, height } = pixels;
  const cells = papers(pixels);
  const [across, down] = [places(width), places(height)];
  const columns = Math.min(CELLS, width);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const at = 4 * (y * width + x);
      const paper = between(cells, columns, across[x]!, down[y]!);
      inked(data, at, paper);
    }
  }
}

function inked(data: Uint8ClampedArray, at: number, paper: Colour): void {
  const even = [0, 1, 2].map((band) => Math.min(((data[at + band] ?? 0) / paper[band]!) * 255, 255));
  const alpha = 1 - Math.min(...even) / 255;
  const there = alpha * Math.min(1, Math.max(0, (alpha - DUST) / (CLEAR - DUST)));
  for (const band of [0, 1, 2]) {
    data[at + band] = (even[band]! - 255 * (1 - alpha)) / Math.max(alpha, 1 / 255);
  }
  data[at + 3] = there * 255;
}

/** The lightest colours of the cells, row by row. */
function papers({ data, width, height }: Pixels): Colour[] {
  const [columns, rows] = [Math.min(CELLS, width), Math.min(CELLS, height)];
  const part = (count: number, size: number, at: number) => Math.floor((at * size) / count);
  const whole = lightest(data, width, [0, 0, width, height]);
  const cells: Colour[] = [];
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1) {
      const found = lightest(data, width, [
        part(columns, width, column),
        part(rows, height, row),
        part(columns, width, column + 1),
        part(rows, height, row + 1),
      ]);
      cells.push(found.every((value, band) => value >= whole[band]! * NEAR) ? found : whole);
    }
  }
  return cells;
}

function lightest(
  data: Uint8ClampedArray,
  width: number,
  [left, top, right, bottom]: [number, number, number, number],
): Colour {
  const counts = [new Uint32Array(256), new Uint32Array(256), new Uint32Array(256)];
  for (let y = top; y < bottom; y += 1) {
    for (let x = left; x < right; x += 1) {
      for (const band of [0, 1, 2]) counts[band]![data[4 * (y * width + x) + band]!]! += 1;
    }
  }
  const place = Math.floor(((right - left) * (bottom - top) - 1) * SHARE);
  return counts.map((count) => Math.max(valueAt(count, place), LEAST)) as Colour;
}

/** The value at a place of the ordered values. */
function valueAt(counts: Uint32Array, place: number): number {
  let seen = 0;
  for (let value = 0; value < 256; value += 1) {
    seen += counts[value]!;
    if (seen > place) return value;
  }
  return 255;
}

type Place = { low: number; high: number; share: number };

/** For each pixel the cells it lies between. */
function places(size: number): Place[] {
  const count = Math.min(CELLS, size);
  return Array.from({ length: size }, (_, at) => {
    const cell = Math.min(Math.max(((at + 0.5) * count) / size - 0.5, 0), count - 1);
    const low = Math.min(Math.floor(cell), Math.max(count - 2, 0));
    return { low, high: Math.min(low + 1, count - 1), share: cell - low };
  });
}

function between(cells: Colour[], columns: number, across: Place, down: Place): Colour {
  const row = (at: number, band: number) =>
    cells[at * columns + across.low]![band]! * (1 - across.share) +
    cells[at * columns + across.high]![band]! * across.share;
  return [0, 1, 2].map(
    (band) => row(down.low, band) * (1 - down.share) + row(down.high, band) * down.share,
  ) as Colour;
}

function leftOf({ data, width, height }: Pixels) {
  let [left, top, right, bottom] = [width, height, -1, -1];
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      if (data[4 * (y * width + x) + 3]! <= 12) continue;
      left = Math.min(left, x);
      right = Math.max(right, x);
      top = Math.min(top, y);
      bottom = Math.max(bottom, y);
    }
  }
  return right < 0
    ? { x: 0, y: 0, width, height }
    : { x: left, y: top, width: right - left + 1, height: bottom - top + 1 };
}
