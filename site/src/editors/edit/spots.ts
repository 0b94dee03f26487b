import type { Area } from '../pdf/text';
import type { View } from '../place/marks';
import type { Gesture } from '../place/scene';
import { normal, type Spot } from '../place/spot';
import { neat, neatPair, type Pair, type PlacedAct } from './acts';

/** The sign of a note, in points. */
export const SIGN = 20;
/** Lines have no height of their own. */
const LEAST = 1;

export const spotOfArea = ([x, y, width, height]: Area, angle: number, view: View): Spot => ({
  x: x + width / 2,
  y: view.height - y - height / 2,
  width,
  height,
  angle,
});

export const areaOfSpot = ({ x, y, width, height }: Spot, view: View): Area =>
  neat([x - width / 2, view.height - y - height / 2, width, height]);

export function around(pairs: readonly Pair[]): Area {
  const [xs, ys] = [pairs.map(([x]) => x), pairs.map(([, y]) => y)];
  const [left, top] = [least(xs), least(ys)];
  return [left, top, Math.max(LEAST, most(xs) - left), Math.max(LEAST, most(ys) - top)];
}

const least = (values: number[]) => values.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
const most = (values: number[]) => values.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);

const cornersOf = ([x, y, width, height]: Area): Pair[] => [
  [x, y],
  [x + width, y + height],
];

/** Where an act stands on its page. */
export function spotOf(act: PlacedAct, view: View): Spot {
  switch (act.kind) {
    case 'text':
    case 'picture':
    case 'change':
      return spotOfArea(act.box, act.angle, view);
    case 'shape':
      return spotOfArea(around([act.begin, act.end]), 0, view);
    case 'ink':
      return spotOfArea(around(act.paths.flat()), 0, view);
    case 'note':
      return spotOfArea([...act.at, SIGN, SIGN], 0, view);
    case 'mark':
      if (act.boxes.length === 1 && act.boxes[0]) return spotOfArea(act.boxes[0], act.angle, view);
      return spotOfArea(around(act.boxes.flatMap(cornersOf)), 0, view);
    case 'redact':
      return spotOfArea(around(act.boxes.flatMap(cornersOf)), 0, view);
  }
}

export type Freedom = { moves: boolean; sizes: boolean | 'both'; turns: boolean };

/** What a hand may do with it: marks and changed lines belong to the text below them. */
export function freedomOf(act: PlacedAct): Freedom {
  switch (act.kind) {
    case 'text':
      return { moves: true, sizes: 'both', turns: true };
    case 'picture':
      return { moves: true, sizes: true, turns: true };
    case 'shape':
    case 'redact':
      return { moves: true, sizes: 'both', turns: false };
    case 'ink':
      return { moves: true, sizes: true, turns: false };
    case 'note':
      return { moves: true, sizes: false, turns: false };
    default:
      return { moves: false, sizes: false, turns: false };
  }
}

type Put = { spot: Spot; was: Spot; gesture: Gesture };

/** The act where a hand put it. */
export function putAt(act: PlacedAct, { spot, was }: Put, view: View): PlacedAct {
  const to = mapping(was, spot, view);
  switch (act.kind) {
    case 'text':
    case 'picture':
      return { ...act, box: areaOfSpot(spot, view), angle: normal(spot.angle) };
    case 'shape':
      return { ...act, begin: to(act.begin), end: to(act.end) };
    case 'ink':
      return { ...act, paths: act.paths.map((path) => path.map(to)) };
    case 'note':
      return { ...act, at: to(act.at) };
    case 'redact':
      return { ...act, boxes: act.boxes.map((box) => mappedArea(box, to)) };
    default:
      return act;
  }
}

function mappedArea([x, y, width, height]: Area, to: (pair: Pair) => Pair): Area {
  const [left, top] = to([x, y]);
  const [right, bottom] = to([x + width, y + height]);
  return neat([left, top, Math.max(LEAST, right - left), Math.max(LEAST, bottom - top)]);
}

/** What leads from one place of an upright thing to another, point by point. */
function mapping(was: Spot, spot: Spot, view: View): (pair: Pair) => Pair {
  const [across, down] = [spot.width / was.width, spot.height / was.height];
  return ([x, y]) =>
    neatPair([spot.x + (x - was.x) * across, view.height - spot.y + (y - (view.height - was.y)) * down]);
}
