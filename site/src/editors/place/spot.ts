import type { Box, Point, View } from './marks';

/**
 * Where a thing stands on a page: its middle and its size before it is turned, in visible points (1/72 inch on the page
 * as seen, origin at the lower left corner, y upwards), and its angle in degrees, counter-clockwise.
 */
export type Spot = Point & Box & { angle: number };

/** A corner of a thing before it is turned: left or right, bottom or top. */
export type Corner = [-1 | 1, -1 | 1];
export const CORNERS: Corner[] = [
  [-1, 1],
  [1, 1],
  [1, -1],
  [-1, -1],
];

/** Nothing is made smaller than can be taken hold of. */
const LEAST = 4;
/** Degrees at which a turning thing comes to rest, and how near it has to be. */
const REST = 45;
const NEAR = 3;

const radians = (degrees: number) => (degrees * Math.PI) / 180;

/** The vector turned counter-clockwise. */
export function turnedBy({ x, y }: Point, angle: number): Point {
  const [cos, sin] = [Math.cos(radians(angle)), Math.sin(radians(angle))];
  return { x: x * cos - y * sin, y: x * sin + y * cos };
}

export const plus = (a: Point, b: Point): Point => ({ x: a.x + b.x, y: a.y + b.y });
const minus = (a: Point, b: Point): Point => ({ x: a.x - b.x, y: a.y - b.y });
const between = (value: number, least: number, most: number) => Math.min(most, Math.max(least, value));

export const cornerOf = (spot: Spot, [across, up]: Corner): Point =>
  plus(spot, turnedBy({ x: (across * spot.width) / 2, y: (up * spot.height) / 2 }, spot.angle));

export type Bounds = { left: number; right: number; bottom: number; top: number };

/** The upright box around a thing. */
export function boundsOf(spot: Spot): Bounds {
  const corners = CORNERS.map((corner) => cornerOf(spot, corner));
  const [xs, ys] = [corners.map(({ x }) => x), corners.map(({ y }) => y)];
  return {
    left: Math.min(...xs),
    right: Math.max(...xs),
    bottom: Math.min(...ys),
    top: Math.max(...ys),
  };
}

/** Moved, but its middle stays on the page. */
export const moved = (spot: Spot, by: Point, view: View): Spot => ({
  ...spot,
  x: between(spot.x + by.x, 0, view.width),
  y: between(spot.y + by.y, 0, view.height),
});

/** Sized in its own proportion by a corner that is dragged to a point; the corner across stays where it is. */
export function sized(spot: Spot, corner: Corner, to: Point): Spot {
  const fixed = cornerOf(spot, [-corner[0], -corner[1]] as Corner);
  const whole = minus(cornerOf(spot, corner), fixed);
  const reached = minus(to, fixed);
  const wanted = (reached.x * whole.x + reached.y * whole.y) / (whole.x ** 2 + whole.y ** 2);
  return scaledFrom(spot, fixed, Math.max(wanted, LEAST / Math.min(spot.width, spot.height)));
}

/** Each side sized by itself by a corner that is dragged to a point; the corner across stays where it is. */
export function stretched(spot: Spot, corner: Corner, to: Point): Spot {
  const fixed = cornerOf(spot, [-corner[0], -corner[1]] as Corner);
  const own = turnedBy(minus(to, fixed), -spot.angle);
  const width = Math.max(LEAST, own.x * corner[0]);
  const height = Math.max(LEAST, own.y * corner[1]);
  const half = turnedBy({ x: (corner[0] * width) / 2, y: (corner[1] * height) / 2 }, spot.angle);
  return { ...spot, ...plus(fixed, half), width, height };
}

/** So many times as large, seen from a point that stays. */
export const scaledFrom = (spot: Spot, fixed: Point, factor: number): Spot => ({
  ...spot,
  x: fixed.x + (spot.x - fixed.x) * factor,
  y: fixed.y + (spot.y - fixed.y) * factor,
  width: spot.width * factor,
  height: spot.height * factor,
});

/** Turned so that its top shows to a point; it rests at straight angles, unless it may stand anyhow. */
export function turned(spot: Spot, to: Point, free = false): Spot {
  const { x, y } = minus(to, spot);
  if (x === 0 && y === 0) return spot;
  const angle = normal((Math.atan2(y, x) * 180) / Math.PI - 90);
  const rest = Math.round(angle / REST) * REST;
  return { ...spot, angle: !free && Math.abs(angle - rest) <= NEAR ? normal(rest) : Math.round(angle) };
}

/** The same angle between -180 (exclusive) and 180. */
export function normal(angle: number): number {
  const positive = ((angle % 360) + 360) % 360;
  return positive > 180 ? positive - 360 : positive;
}

/** Where the handle is that turns a thing: above its top, `away` points. */
export const gripOf = (spot: Spot, away: number): Point =>
  plus(spot, turnedBy({ x: 0, y: spot.height / 2 + away }, spot.angle));
