import { parsePages } from '../../ranges';
import type { Drawable } from '../place/drawMark';
import type { Point, View } from '../place/marks';
import { type Leaf, type Plan, rounded, type Shown } from '../place/scene';
import type { Spot } from '../place/spot';
import type { AreaWords } from './words';

/** As the API takes it: lengths in the page's units from its upper left corner, `file` from 0, `page` from 1. */
export type Area = { file: number; page: number; x: number; y: number; width: number; height: number };

export type AreaOptions = { areas: Area[]; pages?: string };

export const MOST_AREAS = 2000;
/** What nobody drew on purpose, in points. */
const LEAST = 6;
const COLOUR = '#1f8a5d';

/** Which file is shown, and how many of the API's units a point of its view is: pixels of a picture. */
export type Where = { file: number; unit: number };

const areaOf = ({ x, y, width, height }: Spot, { page, view }: Leaf, { file, unit }: Where): Area => ({
  file,
  page,
  x: rounded((x - width / 2) * unit, 1),
  y: rounded((view.height - y - height / 2) * unit, 1),
  width: rounded(width * unit, 1),
  height: rounded(height * unit, 1),
});

export const spotOf = ({ x, y, width, height }: Area, view: View, unit: number): Spot => ({
  x: (x + width / 2) / unit,
  y: view.height - (y + height / 2) / unit,
  width: width / unit,
  height: height / unit,
  angle: 0,
});

/** The box between the corners that a hand drew; null for less than a table. */
export function drawnArea(points: readonly Point[], leaf: Leaf, where: Where): Area | null {
  const [from, to] = [points[0], points.at(-1)];
  if (!from || !to) return null;
  const [width, height] = [Math.abs(from.x - to.x), Math.abs(from.y - to.y)];
  if (width < LEAST || height < LEAST) return null;
  return areaOf({ x: (from.x + to.x) / 2, y: (from.y + to.y) / 2, width, height, angle: 0 }, leaf, where);
}

/** For the keyboard: over the middle of the page. */
export const middleArea = (leaf: Leaf, where: Where): Area => {
  const { width, height } = leaf.view;
  return areaOf(
    { x: width / 2, y: height / 2, width: width * 0.8, height: height * 0.3, angle: 0 },
    leaf,
    where,
  );
};

export const added = <O extends AreaOptions>(options: O, ...more: Area[]): O => ({
  ...options,
  areas: [...options.areas, ...more].slice(0, MOST_AREAS),
});

export const cleared = <O extends AreaOptions>(options: O, file: number, page: number): O => ({
  ...options,
  areas: options.areas.filter((each) => each.file !== file || each.page !== page),
});

/** Areas go with their files, when these change places or go. */
export function refiled<O extends AreaOptions>(
  options: O,
  before: readonly string[],
  after: readonly string[],
): O {
  const areas = options.areas.flatMap((area) => {
    const file = after.indexOf(before[area.file] ?? '');
    return file < 0 ? [] : [file === area.file ? area : { ...area, file }];
  });
  const same = areas.length === options.areas.length && areas.every((area, at) => area === options.areas[at]);
  return same ? options : { ...options, areas };
}

function frame({ width, height }: Spot): Drawable {
  return {
    width,
    height,
    draw(pen) {
      pen.fillStyle = `${COLOUR}1f`;
      pen.fillRect(0, 0, width, height);
      pen.strokeStyle = COLOUR;
      pen.lineWidth = 1;
      pen.strokeRect(0.5, 0.5, width - 1, height - 1);
    },
  };
}

type Deeds = {
  drawing: boolean;
  /** One was drawn; it has no place in the options yet. */
  onDrawn(area: Area, shown: Shown<AreaOptions>): void;
};

/** The areas of a page as things that are moved and sized. */
export function planOf(where: Where, words: AreaWords, { drawing, onDrawn }: Deeds): Plan<AreaOptions> {
  const { file, unit } = where;
  return {
    scene(options, leaf) {
      const own = options.areas.flatMap((area, at) =>
        area.file === file && area.page === leaf.page ? [{ at, spot: spotOf(area, leaf.view, unit) }] : [],
      );
      return {
        layers: own.map(({ spot }) => ({ mark: frame(spot), centres: [spot], angle: 0, opacity: 100 })),
        things: own.map(({ at, spot }, nth) => ({
          id: String(at),
          label: words.area(nth + 1),
          spot,
          sizes: 'both',
          turns: false,
        })),
        multiply: false,
      };
    },
    put: (options, id, { spot }, leaf) => ({
      ...options,
      areas: options.areas.map((area, at) => (String(at) === id ? areaOf(spot, leaf, where) : area)),
    }),
    hint(options, { page, pages }) {
      if (drawing) return words.drawing;
      const range = parsePages(options.pages ?? '', pages);
      if (range.ok && !range.pages.includes(page)) return words.outside;
      const own = options.areas.filter((area) => area.file === file && area.page === page);
      return own.length > 0 ? words.only(own.length, pages > 1) : words.found;
    },
    add: (options, leaf) => added(options, middleArea(leaf, where)),
    remove: (options, id) => ({ ...options, areas: options.areas.filter((_, at) => String(at) !== id) }),
    copy(options, id, pages, leaf) {
      const [area, found] = [options.areas[Number(id)], parsePages(pages, leaf.pages)];
      if (!area || !found.ok) return options;
      const others = [...new Set(found.pages)].filter((page) => page !== area.page);
      return added(options, ...others.map((page) => ({ ...area, page })));
    },
    trace: drawing ? 'box' : null,
    traced(points, shown) {
      // The keyboard's press on the page is one point: a box in the middle, to be moved by its keys.
      const area = points.length === 1 ? middleArea(shown.leaf, where) : drawnArea(points, shown.leaf, where);
      if (area) onDrawn(area, shown);
    },
  };
}
