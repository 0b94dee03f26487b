/** Page points are 1/72 inch, CSS pixels 1/96: what a reader calls 100 %. */
export const ACTUAL = 96 / 72;

const STEPS = [0.25, 0.5, 0.75, 1, 1.25, 1.5, 2, 3, 4];

export type Size = { width: number; height: number };
/** `fit`, or pixels for an actual pixel: 1 is 100 %. */
export type Zoom = 'fit' | number;

/** Rooms narrower than this are a phone's: a page is as wide as it can be there. */
const NARROW = 640;
/** A tall page in a wide room is not made a stamp to be seen whole. */
const LEAST_SHARE = 0.5;

/** The scale at which a page of this size is shown well in the room. */
export function fitIn(page: Size, room: Size): number {
  const across = room.width / page.width;
  if (room.width < NARROW) return across;
  return Math.max(Math.min(across, room.height / page.height), across * LEAST_SHARE);
}

export const scaleOf = (zoom: Zoom, fit: number): number => (zoom === 'fit' ? fit : zoom);

/** The next step up or down from the scale that is shown. */
export function stepped(scale: number, by: 1 | -1): number {
  const near = 0.01;
  const found =
    by > 0 ? STEPS.find((step) => step > scale + near) : STEPS.findLast((step) => step < scale - near);
  return found ?? STEPS.at(by > 0 ? -1 : 0)!;
}

export const isEnd = (scale: number, by: 1 | -1): boolean =>
  by > 0 ? scale >= STEPS.at(-1)! : scale <= STEPS[0]!;
