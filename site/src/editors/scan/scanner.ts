/**
 * What a scanner makes of a page, as cluster/engines/pictures/scanner.py does it, which says how and why;
 * tests/samples/scanner.json holds both to the same numbers.
 */

/** Percents, but for `tilt`: the most degrees that a page is turned. */
export type Look = {
  grey: boolean;
  tone: number;
  tilt: number;
  noise: number;
  blur: number;
  brightness: number;
  contrast: number;
  border: number;
  vary: boolean;
  seed: number;
};

/** Hundredths of a degree clockwise, levels of light, and the grain's own number. */
export type Chance = { turn: number; light: number; grain: number };

/** Channels one after another: one where all three are the same. */
export type Sheet = { width: number; height: number; planes: Uint8Array[] };

const [EDGE, SOFT] = [3, 0.3];
const PAPER = [6, 18, 50];
const GRAIN = 71;

export function chance(look: Look, number: number): Chance {
  const drawn = mixed(look.seed, look.vary ? number : 1);
  const most = Math.floor(look.tilt * 100 + 0.5);
  const turn = Math.floor((most * (40 + ((drawn & 0xffff) % 61))) / 100);
  return {
    turn: drawn >>> 31 ? 0 - turn : turn,
    light: look.vary ? ((drawn >>> 16) % 7) - 3 : 0,
    grain: mixed(look.seed, number),
  };
}

/** The page as it would come out of the scanner; its own pixels are used up. `number` counts from 1. */
export function scanned(page: Sheet, look: Look, number: number, dpi: number): Sheet {
  const luck = chance(look, number);
  const given = look.grey ? { ...page, planes: [greyed(page)] } : page;
  const weights = weightsOf(look, dpi);
  const soft = given.planes.map((plane) => {
    const sheet = { width: page.width, height: page.height, plane };
    shade(sheet, look.border, dpi);
    return blurred(turned(sheet, luck.turn), weights);
  });
  const coloured = look.tone > 0 || !look.grey;
  const grain = grainOf(page, look, luck);
  const planes = Array.from({ length: coloured ? 3 : 1 }, (_, band) =>
    toned(soft[Math.min(band, soft.length - 1)] as Uint8Array, tonesOf(look, luck, band), grain),
  );
  return { ...page, planes };
}

type Plane = { width: number; height: number; plane: Uint8Array };

function mixed(seed: number, number: number): number {
  let held = (Math.imul(seed, 0x9e3779b1) + Math.imul(number, 0x85ebca6b)) | 0;
  held = Math.imul(held ^ (held >>> 16), 0x85ebca6b);
  held = Math.imul(held ^ (held >>> 13), 0xc2b2ae35);
  return (held ^ (held >>> 16)) >>> 0;
}

function greyed({ planes }: Sheet): Uint8Array {
  const [red, green, blue] = planes as [Uint8Array, Uint8Array, Uint8Array];
  const made = new Uint8Array(red.length);
  for (let at = 0; at < made.length; at += 1) {
    made[at] = (77 * red[at]! + 150 * green[at]! + 29 * blue[at]! + 128) >> 8;
  }
  return made;
}

/** The shadow along the edges, in place: first on columns, then on rows. */
function shade({ width, height, plane }: Plane, border: number, dpi: number): void {
  const deep = Math.floor((EDGE * dpi) / 25.4 + 0.5);
  if (border === 0 || deep === 0) return;
  for (const [count, step, length, along] of [
    [width, 1, height, width],
    [height, width, width, 1],
  ] as const) {
    for (let at = 0; at < Math.min(deep, count); at += 1) {
      const factor = 256 - Math.floor((8 * border * (deep - at) ** 2) / (5 * deep ** 2));
      for (const line of new Set([at, count - 1 - at])) {
        for (let other = 0; other < length; other += 1) {
          const pixel = line * step + other * along;
          plane[pixel] = (plane[pixel]! * factor) >> 8;
        }
      }
    }
  }
}

function weightsOf(look: Look, dpi: number): number[] {
  const deviation = (((SOFT * look.blur) / 100) * dpi) / 25.4;
  const reach = Math.floor(2.5 * deviation + 0.5);
  if (reach === 0) return [4096];
  const raw = Array.from({ length: reach + 1 }, (_, at) => Math.exp(-(at ** 2) / (2 * deviation ** 2)));
  const sum = raw.slice(1).reduce((total, each) => total + each, 0);
  const whole = (raw[0] as number) + 2 * sum;
  const beside = raw.slice(1).map((each) => Math.floor((each / whole) * 4096 + 0.5));
  return [4096 - 2 * beside.reduce((total, each) => total + each, 0), ...beside];
}

/** Turned around the middle; a point lies between four pixels in 32 steps each way, and beyond the sheet is white. */
function turned({ width, height, plane }: Plane, turn: number): Plane {
  if (turn === 0) return { width, height, plane };
  const angle = (turn * Math.PI) / 18000;
  const cosine = Math.floor(Math.cos(angle) * 65536 + 0.5);
  const sine = Math.floor(Math.sin(angle) * 65536 + 0.5);
  const made = new Uint8Array(plane.length);
  const pixel = (x: number, y: number) =>
    x < 0 || y < 0 || x >= width || y >= height ? 255 : plane[y * width + x]!;
  for (let row = 0; row < height; row += 1) {
    const down = 2 * row - (height - 1);
    for (let column = 0; column < width; column += 1) {
      const across = 2 * column - (width - 1);
      const x = Math.floor((cosine * across + sine * down + (width - 1) * 65536 + 2048) / 4096);
      const y = Math.floor((cosine * down - sine * across + (height - 1) * 65536 + 2048) / 4096);
      const [left, top, right, low] = [x >> 5, y >> 5, x & 31, y & 31];
      const above = pixel(left, top) * (32 - right) + pixel(left + 1, top) * right;
      const below = pixel(left, top + 1) * (32 - right) + pixel(left + 1, top + 1) * right;
      made[row * width + column] = (above * (32 - low) + below * low + 512) >> 10;
    }
  }
  return { width, height, plane: made };
}

/** First across, then down, rounded after each. */
function blurred({ width, height, plane }: Plane, weights: readonly number[]): Uint8Array {
  if (weights.length === 1) return plane;
  const across = smoothed(plane, weights, { lines: height, line: width, length: width, step: 1 });
  return smoothed(across, weights, { lines: width, line: 1, length: height, step: width });
}

type Way = { lines: number; line: number; length: number; step: number };

function smoothed(plane: Uint8Array, weights: readonly number[], way: Way): Uint8Array {
  const { lines, line, length, step } = way;
  const made = new Uint8Array(plane.length);
  const reach = weights.length - 1;
  for (let number = 0; number < lines; number += 1) {
    const start = number * line;
    for (let at = 0; at < length; at += 1) {
      let sum = plane[start + at * step]! * weights[0]! + 2048;
      for (let away = 1; away <= reach; away += 1) {
        const before = plane[start + Math.max(0, at - away) * step]!;
        const after = plane[start + Math.min(length - 1, at + away) * step]!;
        sum += (before + after) * weights[away]!;
      }
      made[start + at * step] = sum >> 12;
    }
  }
  return made;
}

/** What each level becomes in one channel. */
function tonesOf(look: Look, luck: Chance, band: number): Uint8Array {
  const paper = 255 - Math.floor((look.tone * PAPER[band]!) / 100);
  return Uint8Array.from({ length: 256 }, (_, given) => {
    const level =
      Math.floor(((given - 128) * (100 + look.contrast)) / 100) + 128 + look.brightness + luck.light;
    return Math.floor((Math.min(255, Math.max(0, level)) * paper + 127) / 255);
  });
}

/** Levels lighter or darker, pixel by pixel; none where there is no noise. */
function grainOf({ width, height }: Sheet, { noise }: Look, { grain }: Chance): Int16Array | null {
  if (noise === 0) return null;
  const made = new Int16Array(width * height);
  for (let at = 0; at < made.length; at += 1) {
    // Not `mixed`, nor by a table: it is done for every pixel, and that took half of the time of a preview.
    let held = Math.imul(at, 0x9e3779b1) ^ grain;
    held = Math.imul(held ^ (held >>> 16), 0x85ebca6b);
    held = Math.imul(held ^ (held >>> 13), 0xc2b2ae35);
    held ^= held >>> 16;
    const sum = (held & 255) + ((held >>> 8) & 255) + ((held >>> 16) & 255) + (held >>> 24);
    made[at] = ((sum - 510) * (noise * GRAIN) + 32768) >> 16;
  }
  return made;
}

function toned(plane: Uint8Array, tones: Uint8Array, grain: Int16Array | null): Uint8Array {
  const made = new Uint8Array(plane.length);
  for (let at = 0; at < made.length; at += 1) {
    const level = tones[plane[at]!]! + (grain ? grain[at]! : 0);
    made[at] = level < 0 ? 0 : level > 255 ? 255 : level;
  }
  return made;
}
