import type { View } from './marks';
import { type Bounds, boundsOf, type Spot } from './spot';

/** A line that shows why a thing holds on: upright at an x, or level at a y, in visible points. */
export type Guide = { axis: 'x' | 'y'; at: number };
export type Snapped = { spot: Spot; guides: Guide[] };

/** What things hold on to: the page's edges and middle, and edges and middles of other things. */
function linesOf(view: View, others: readonly Spot[]): Record<'x' | 'y', number[]> {
  const bounds = others.map(boundsOf);
  return {
    x: [0, view.width / 2, view.width, ...bounds.flatMap(({ left, right }) => threeOf(left, right))],
    y: [0, view.height / 2, view.height, ...bounds.flatMap(({ bottom, top }) => threeOf(bottom, top))],
  };
}

const threeOf = (low: number, high: number) => [low, (low + high) / 2, high];

/** The nearest hold of an edge or the middle of the thing within reach. */
function hold(own: number[], lines: number[], reach: number): { by: number; at: number } | null {
  let best: { by: number; at: number } | null = null;
  for (const at of lines) {
    for (const edge of own) {
      const by = at - edge;
      if (Math.abs(by) <= reach && (!best || Math.abs(by) < Math.abs(best.by))) best = { by, at };
    }
  }
  return best;
}

const ownOf = (axis: 'x' | 'y', { left, right, bottom, top }: Bounds) =>
  axis === 'x' ? threeOf(left, right) : threeOf(bottom, top);

/** The thing drawn to what it nearly touches, at most `reach` points each way, with the lines to show. */
export function snapped(spot: Spot, view: View, others: readonly Spot[], reach: number): Snapped {
  const lines = linesOf(view, others);
  const bounds = boundsOf(spot);
  let found = spot;
  const guides: Guide[] = [];
  for (const axis of ['x', 'y'] as const) {
    const held = hold(ownOf(axis, bounds), lines[axis], reach);
    if (!held) continue;
    found = { ...found, [axis]: found[axis] + held.by };
    guides.push({ axis, at: held.at });
  }
  return { spot: found, guides };
}
