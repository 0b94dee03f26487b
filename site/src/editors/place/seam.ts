import type { Box, Point, View } from './marks';

/** A seal across the edges of pages, as cluster/engines/marks/seam.py states it; tests/samples/seam.json holds both. */

export type Edge = 'right' | 'left' | 'top' | 'bottom';
/** A page's part of a seal, in visible points: what is shown, and the whole seal's lower left corner. */
export type Slice = { box: [left: number, bottom: number, right: number, top: number]; corner: Point };

const GRID = 72 / 300;

/** The pages that share one seal each. */
export function groupsOf(pages: number[], most: number): number[][] {
  const count = Math.ceil(pages.length / most);
  const ends = Array.from({ length: count + 1 }, (_, at) => Math.round((pages.length * at) / count));
  return ends.slice(1).map((end, at) => pages.slice(ends[at], end));
}

/** mulberry32: numbers from 0 to 1, the same in every language. */
export function random(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** Where the seal, `length` points long, is cut for so many pages: count + 1 shares from 0 to 1. */
export function cutsOf(count: number, length: number, uneven = false, seed = 1): number[] {
  const next = random(seed);
  const widths = Array.from({ length: count }, () => (uneven ? 0.5 + next() : 1));
  const ends = [0];
  for (const width of widths) ends.push((ends.at(-1) ?? 0) + width);
  const whole = ends.at(-1) ?? 1;
  const steps = Math.round(length / GRID);
  if ((Math.min(...widths) / whole) * steps < 1.5) return ends.map((end) => end / whole);
  return ends.map((end) => Math.round((end / whole) * steps) / steps);
}

/** The slice between two cuts, read from the seal's inner side. */
export function sliceOf(
  view: View,
  edge: Edge,
  [from, to]: [number, number],
  { width, height }: Box,
  { along, trim }: { along: number; trim: number },
): Slice {
  if (edge === 'right' || edge === 'left') {
    const low = view.height - beside(view.height, height, along) - height;
    const [first, last] = edge === 'right' ? [from * width, to * width] : [-to * width, -from * width];
    const at = edge === 'right' ? view.width - trim - last : trim - first;
    const corner = { x: edge === 'right' ? at : at - width, y: low };
    return { box: [at + first, low, at + last, low + height], corner };
  }
  const left = beside(view.width, width, along);
  const [first, last] = edge === 'top' ? [from * height, to * height] : [-to * height, -from * height];
  const at = edge === 'top' ? view.height - trim - last : trim - first;
  const corner = { x: left, y: edge === 'top' ? at : at - height };
  return { box: [left, at + first, left + width, at + last], corner };
}

/** Where a thing of `size` begins whose middle is at a share of the room, within it where it fits. */
function beside(room: number, size: number, share: number): number {
  if (size > room) return (room - size) / 2;
  return Math.min(Math.round(Math.max(room * share - size / 2, 0) / GRID) * GRID, room - size);
}

/** The nearest whole number of 1/300 inches, at least one. */
export const onGrid = (points: number): number => Math.max(1, Math.round(points / GRID)) * GRID;
