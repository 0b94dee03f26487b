import type { OpenPdf } from './open';
import { sizeOf } from './render';

/** How much may be on a page that counts as blank. */
export type Sensitivity = 'strict' | 'normal' | 'tolerant';
/** Rows of grey samples. */
export type Grey = { width: number; height: number; samples: Uint8Array };
type Mark = { left: number; top: number; right: number; bottom: number; area: number };

/* As in cluster/engines/draw/blanks.py, which says why; tests/samples/blanks.json holds what both judge alike. */
const PIXELS = 600;
const [LEAST, MOST, GRAIN] = [12, 40, 6];
const PAPER = 160;
const [SPECK, SPECKS] = [3, 0.001];
const HOLE = { least: 8, most: 20, full: 0.6, near: 51, inLine: 6 };
const RIM = 24;
const [TOLERATED, MARGIN] = [0.004, 0.06];

export async function greyOf(pdf: OpenPdf, number: number, signal: AbortSignal): Promise<Grey> {
  const page = await pdf.page(number);
  signal.throwIfAborted();
  const size = sizeOf(page);
  const viewport = page.getViewport({ scale: PIXELS / Math.max(size.width, size.height, 1) });
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(viewport.width));
  canvas.height = Math.max(1, Math.round(viewport.height));
  const context = canvas.getContext('2d', { willReadFrequently: true }) as CanvasRenderingContext2D;
  const task = page.render({ canvas, canvasContext: context, viewport });
  signal.addEventListener('abort', () => task.cancel(), { once: true });
  await task.promise;
  const { width, height } = canvas;
  return { width, height, samples: greyed(context.getImageData(0, 0, width, height).data) };
}

function greyed(colours: Uint8ClampedArray): Uint8Array {
  const samples = new Uint8Array(colours.length / 4);
  for (let at = 0; at < samples.length; at += 1) {
    const [red, green, blue] = [colours[4 * at] ?? 0, colours[4 * at + 1] ?? 0, colours[4 * at + 2] ?? 0];
    samples[at] = Math.round(0.299 * red + 0.587 * green + 0.114 * blue);
  }
  return samples;
}

export function isBlank(grey: Grey, sensitivity: Sensitivity): boolean {
  if (sensitivity === 'strict') return grey.samples.every((sample) => sample >= 250);
  const paper = median(grey.samples);
  if (paper < PAPER) return false;
  const away = grey.samples.map((sample) => Math.abs(sample - paper));
  if (sensitivity === 'tolerant') return marked(away, grey) <= TOLERATED;
  const contrast = Math.max(LEAST, Math.min(MOST, GRAIN * median(away)));
  return isDust(marksIn(away, contrast, grey.width), grey);
}

/** The lower one of two. */
function median(values: Uint8Array): number {
  const counted = new Uint32Array(256);
  for (const value of values) counted[value] = (counted[value] as number) + 1;
  let [seen, at] = [counted[0] as number, 0];
  while (seen < Math.floor((values.length + 1) / 2)) {
    at += 1;
    seen += counted[at] as number;
  }
  return at;
}

/** The share that is marked, but for the margins. */
function marked(away: Uint8Array, { width, height }: Grey): number {
  const [top, side] = [even(height * MARGIN), even(width * MARGIN)];
  let [ink, all] = [0, 0];
  for (let y = top; y < height - top; y += 1) {
    for (let x = side; x < width - side; x += 1) {
      ink += Number((away[y * width + x] as number) > MOST);
      all += 1;
    }
  }
  return ink / Math.max(1, all);
}

/** Rounds halves to even, as Python does. */
const even = (value: number) => (value % 1 === 0.5 ? 2 * Math.round(value / 2) : Math.round(value));

/** Pixels that hang together, at corners too. */
function marksIn(away: Uint8Array, contrast: number, width: number): Mark[] {
  const ink = away.map((value) => Number(value > contrast));
  const marks: Mark[] = [];
  for (let at = ink.indexOf(1); at >= 0; at = ink.indexOf(1, at)) marks.push(lifted(ink, at, width));
  return marks;
}

/** One mark, taken away. */
function lifted(ink: Uint8Array, start: number, width: number): Mark {
  const mark = { left: width, top: ink.length, right: 0, bottom: 0, area: 0 };
  const waiting = [start];
  ink[start] = 0;
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    const [x, y] = [at % width, Math.floor(at / width)];
    mark.left = Math.min(mark.left, x);
    mark.right = Math.max(mark.right, x + 1);
    mark.top = Math.min(mark.top, y);
    mark.bottom = Math.max(mark.bottom, y + 1);
    mark.area += 1;
    for (let next = y - 1; next <= y + 1; next += 1) {
      for (let beside = Math.max(0, x - 1); beside <= Math.min(width - 1, x + 1); beside += 1) {
        const there = next * width + beside;
        if (ink[there] === 1) {
          ink[there] = 0;
          waiting.push(there);
        }
      }
    }
  }
  return mark;
}

function isDust(marks: Mark[], grey: Grey): boolean {
  const left = marks.filter((mark) => !isOnRim(mark, grey));
  const specks = left.reduce((sum, { area }) => sum + (area <= SPECK ? area : 0), 0);
  if (specks > SPECKS * grey.width * grey.height) return false;
  const holes = left.filter(({ area }) => area > SPECK);
  return holes.every((mark) => isHole(mark, grey) && holes.some((other) => isInLine(mark, other)));
}

function isOnRim({ left, top, right, bottom }: Mark, { width, height }: Grey): boolean {
  return (
    (left === 0 && right <= RIM) ||
    (top === 0 && bottom <= RIM) ||
    (right === width && left >= width - RIM) ||
    (bottom === height && top >= height - RIM)
  );
}

function isHole({ left, top, right, bottom, area }: Mark, { width, height }: Grey): boolean {
  const [x, y] = [(left + right) / 2, (top + bottom) / 2];
  const sides = [right - left, bottom - top];
  const [short, long] = [Math.min(...sides), Math.max(...sides)];
  const fits = HOLE.least <= short && long <= HOLE.most && short >= 0.7 * long;
  const near = Math.min(x, y, width - x, height - y) <= HOLE.near;
  return near && fits && area >= HOLE.full * short * long;
}

const isInLine = (mark: Mark, other: Mark) =>
  mark !== other &&
  (Math.abs(mark.left - other.left) <= HOLE.inLine || Math.abs(mark.top - other.top) <= HOLE.inLine);
