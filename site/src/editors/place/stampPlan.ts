import { parsePages } from '../../ranges';
import type { Lang } from '../../workbench/contract';
import type { Drawable, Layer } from './drawMark';
import { cover, placed, type View } from './marks';
import { fraction, type Gesture, type Leaf, MM, type Plan, rounded, type Thing } from './scene';
import { cutsOf, type Edge, groupsOf, type Slice, sliceOf } from './seam';
import { normal, type Spot } from './spot';
import { type StampLook, stampMark } from './stampLook';
import type { Art } from './useArt';
import { placeWordsOf } from './words';

export type StampSpot = { pages: string; x: number; y: number; scale: number; angle: number };
export type SeamOptions = {
  edge: Edge;
  pages: string;
  most: number;
  along: number;
  trim: number;
  uneven: boolean;
  seed: number;
};
export type StampOptions = {
  stamp: StampLook;
  on: 'pages' | 'seam' | 'both';
  layout: { how: 'place'; place: string; margin: number } | { how: 'spots'; spots: StampSpot[] };
  angle: number;
  pages: string;
  seam: SeamOptions;
  opacity: number;
  ink: boolean;
};

type About = { art: Art | null; name: string; lang: Lang };
type Put = { spot: Spot; was: Spot; gesture: Gesture };

const SEAM = 'seam';
const MOST_SPOTS = 200;

export function planOf(about: About): Plan<StampOptions> {
  const words = placeWordsOf(about.lang);
  const draw = (look: StampLook, scale = 1) => stampMark(look, about, scale);
  return {
    scene(options, leaf) {
      const stood = standing(options, leaf, draw, words);
      const seam = seamOn(options, leaf, draw, words.seam);
      const all = seam ? [...stood, seam] : stood;
      return {
        layers: all.map(({ layer }) => layer),
        things: all.map(({ thing }) => thing),
        multiply: options.ink,
      };
    },
    put: (options, id, put, leaf) =>
      id === SEAM
        ? { ...options, seam: { ...options.seam, along: alongOf(options.seam.edge, put.spot, leaf.view) } }
        : putOn(options, id, put, leaf),
    hint(options, leaf) {
      if (options.stamp.kind === 'seal' && !options.stamp.file) return words.chooseSeal;
      if (standing(options, leaf, draw, words).length > 0) return words.stampHint;
      return seamOn(options, leaf, draw, words.seam) ? words.seamHint : words.notStamped;
    },
    add: (options, leaf) =>
      options.on === 'seam' ? options : withSpots(options, (spots) => [...spots, fresh(String(leaf.page))]),
    remove: (options, id) =>
      id === SEAM || options.layout.how !== 'spots' || options.layout.spots.length < 2
        ? options
        : withSpots(options, (spots) => spots.filter((_, at) => String(at) !== id)),
    copy: (options, id, pages, leaf) => {
      if (id === SEAM || !parsePages(pages, leaf.pages).ok) return options;
      return withSpots(options, (spots) => [...spots, { ...(spots[Number(id)] ?? fresh('')), pages }]);
    },
  };
}

const fresh = (pages: string): StampSpot => ({ pages, x: 0.5, y: 0.5, scale: 1, angle: 0 });

/** The options with other spots; a stamp at a place becomes one at a spot of all pages. */
function withSpots(options: StampOptions, change: (spots: StampSpot[]) => StampSpot[]): StampOptions {
  const { layout } = options;
  const spots = layout.how === 'spots' ? layout.spots : [fractionsOf(layout.place)];
  return { ...options, layout: { how: 'spots', spots: change(spots).slice(0, MOST_SPOTS) } };
}

/** About where a place is, for a page whose size does not matter. */
function fractionsOf(place: string): StampSpot {
  const x = place.endsWith('left') ? 0.2 : place.endsWith('right') ? 0.8 : 0.5;
  const y = place.startsWith('top') ? 0.12 : place.startsWith('bottom') ? 0.88 : 0.5;
  return { ...fresh(''), x, y };
}

function isOn(text: string, { page, pages }: Leaf): boolean {
  const found = parsePages(text, pages);
  return found.ok && found.pages.includes(page);
}

type Stood = { thing: Thing; layer: Layer };
type Draw = (look: StampLook, scale?: number) => Drawable | null;

/** The stamps on this page. */
function standing(
  options: StampOptions,
  leaf: Leaf,
  draw: Draw,
  words: ReturnType<typeof placeWordsOf>,
): Stood[] {
  if (options.on === 'seam') return [];
  const { layout, stamp } = options;
  if (layout.how === 'place') {
    const mark = isOn(options.pages, leaf) ? draw(stamp) : null;
    if (!mark) return [];
    const margins: [number, number] = [layout.margin * MM, layout.margin * MM];
    const centre = placed(leaf.view, layout.place, margins, cover(mark, options.angle));
    return [stood('0', words.stamp, mark, { ...centre, angle: options.angle }, options.opacity)];
  }
  return layout.spots.flatMap((spot, at) => {
    const here = isOn(spot.pages.trim() ? spot.pages : options.pages, leaf);
    const mark = here ? draw(stamp, spot.scale) : null;
    if (!mark) return [];
    const centre = { x: spot.x * leaf.view.width, y: (1 - spot.y) * leaf.view.height };
    const angle = normal(options.angle + spot.angle);
    const label = layout.spots.length > 1 ? words.stampNo(at + 1) : words.stamp;
    return [stood(String(at), label, mark, { ...centre, angle }, options.opacity)];
  });
}

const stood = (
  id: string,
  label: string,
  mark: Drawable,
  { x, y, angle }: Pick<Spot, 'x' | 'y' | 'angle'>,
  opacity: number,
): Stood => ({
  thing: {
    id,
    label,
    spot: { x, y, angle, width: mark.width, height: mark.height },
    sizes: true,
    turns: true,
  },
  layer: { mark, centres: [{ x, y }], angle, opacity },
});

function putOn(options: StampOptions, id: string, put: Put, { view }: Leaf): StampOptions {
  const { layout } = options;
  const { spot, was, gesture } = put;
  if (layout.how === 'place' && gesture === 'turn') return { ...options, angle: spot.angle };
  if (layout.how === 'place' && gesture === 'size')
    return { ...options, stamp: grown(options.stamp, spot.width / was.width) };
  return withSpots(options, (spots) =>
    spots.map((each, at) => (String(at) === id ? spotOf(each, put, options.angle, view) : each)),
  );
}

const within = (value: number, least: number, most: number) => Math.min(most, Math.max(least, value));

const grown = (look: StampLook, factor: number): StampLook =>
  look.kind === 'seal'
    ? { ...look, width: within(rounded(look.width * factor, 1), 3, 200) }
    : { ...look, size: within(rounded(look.size * factor, 1), 4, 400) };

const spotOf = (each: StampSpot, { spot, was, gesture }: Put, angle: number, view: View): StampSpot => ({
  ...each,
  x: fraction(spot.x / view.width),
  y: fraction(1 - spot.y / view.height),
  scale:
    gesture === 'size' ? within(rounded((each.scale * spot.width) / was.width, 3), 0.05, 20) : each.scale,
  angle: gesture === 'turn' ? normal(spot.angle - angle) : each.angle,
});

/** This page's slice of the seal, if it is one of a group. */
export function sliceFor(seam: SeamOptions, mark: Drawable, { page, pages, view }: Leaf): Slice | null {
  const found = parsePages(seam.pages, pages);
  const chosen = found.ok ? [...new Set(found.pages)].toSorted((a, b) => a - b) : [];
  if (chosen.length < 2 || !(seam.most >= 2)) return null;
  const groups = groupsOf(chosen, seam.most);
  const at = groups.findIndex((group) => group.includes(page));
  const group = groups[at];
  if (!group) return null;
  const length = seam.edge === 'right' || seam.edge === 'left' ? mark.width : mark.height;
  const cuts = cutsOf(group.length, length, seam.uneven, seam.seed + at);
  const place = group.indexOf(page);
  const shape = { along: seam.along / 100, trim: seam.trim * MM };
  return sliceOf(view, seam.edge, [cuts[place] ?? 0, cuts[place + 1] ?? 1], mark, shape);
}

function seamOn(options: StampOptions, leaf: Leaf, draw: Draw, label: string): Stood | null {
  const mark = options.on === 'pages' ? null : draw(options.stamp);
  const slice = mark && sliceFor(options.seam, mark, leaf);
  if (!mark || !slice) return null;
  const [left, bottom, right, top] = slice.box;
  const spot = {
    x: (left + right) / 2,
    y: (bottom + top) / 2,
    width: right - left,
    height: top - bottom,
    angle: 0,
  };
  const centre = { x: slice.corner.x + mark.width / 2, y: slice.corner.y + mark.height / 2 };
  return {
    thing: { id: SEAM, label, spot, sizes: false, turns: false },
    layer: { mark, centres: [centre], angle: 0, opacity: options.opacity, clip: slice.box },
  };
}

/** The seal's place along its edge, in percent from the top or the left. */
function alongOf(edge: Edge, spot: Spot, view: View): number {
  const share = edge === 'right' || edge === 'left' ? 1 - spot.y / view.height : spot.x / view.width;
  return within(rounded(share * 100, 1), 0, 100);
}
