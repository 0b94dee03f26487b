import type { Point, View } from '../place/marks';
import type {
  Act,
  Cover,
  InkAct,
  MarkAct,
  NoteAct,
  Pair,
  PictureAct,
  RedactAct,
  ShapeAct,
  ShapeName,
  TextAct,
} from './acts';
import { neat, neatPair } from './acts';
import { around } from './spots';

/** What new things look like until somebody says otherwise. */
export const DEFAULTS = {
  text: {
    font: 'sans',
    size: 14,
    bold: false,
    italic: false,
    colour: '#000000',
    align: 'left',
    line: 1.2,
    opacity: 100,
    burn: false,
  },
  picture: { opacity: 100, burn: false },
  shape: { shape: 'rectangle', colour: '#d92d20', width: 1.5, fill: null, opacity: 100, burn: false },
  ink: { colour: '#1d4ed8', width: 1.5, opacity: 100, burn: false },
  mark: { style: 'highlight', colour: '#ffd60a', opacity: 100 },
  note: { colour: '#ffd60a' },
  redact: { look: 'black', label: '' },
} satisfies {
  text: Omit<TextAct, 'kind' | 'source' | 'page' | 'box' | 'angle' | 'text'>;
  picture: Pick<PictureAct, 'opacity' | 'burn'>;
  shape: Pick<ShapeAct, 'shape' | 'colour' | 'width' | 'fill' | 'opacity' | 'burn'>;
  ink: Pick<InkAct, 'colour' | 'width' | 'opacity' | 'burn'>;
  mark: Pick<MarkAct, 'style' | 'colour' | 'opacity'>;
  note: Pick<NoteAct, 'colour'>;
  redact: { look: Cover; label: string };
};

export type Styles = {
  text: Pick<TextAct, keyof typeof DEFAULTS.text>;
  picture: Pick<PictureAct, 'opacity' | 'burn'>;
  shape: Pick<ShapeAct, keyof typeof DEFAULTS.shape>;
  ink: Pick<InkAct, keyof typeof DEFAULTS.ink>;
  mark: Pick<MarkAct, keyof typeof DEFAULTS.mark>;
  note: Pick<NoteAct, 'colour'>;
  redact: Pick<RedactAct, 'look' | 'label'>;
};
export type Styled = keyof Styles;
export const isStyled = (kind: Act['kind']): kind is Styled => kind in DEFAULTS;

/** A new thing where nothing was drawn but a point: so large, in points. */
const WIDE = 220;
const SHAPE: Pair = [120, 60];

export type Where = { source: number; page: number; view: View };

/** Points of the surface, whose y goes up, as pairs whose y goes down. */
export const pairOf = ({ x, y }: Point, view: View): Pair => neatPair([x, view.height - y]);

const within = (value: number, most: number) => Math.max(0, Math.min(value, most));

/** The box to write in: as wide as was drawn, or from a point as far as there is room. */
export function textAt(
  points: readonly Point[],
  { source, page, view }: Where,
  style: Styles['text'],
): TextAct {
  const pairs = points.map((point) => pairOf(point, view));
  const tall = style.line * style.size;
  const [first = [0, 0]] = pairs;
  const left = within(first[0], view.width - 2 * style.size);
  const box: TextAct['box'] =
    pairs.length > 1
      ? around(pairs)
      : [left, within(first[1] - tall / 2, view.height - tall), Math.min(WIDE, view.width - left), tall];
  const wide = Math.max(box[2], 2 * style.size);
  return {
    kind: 'text',
    source,
    page,
    ...style,
    angle: 0,
    text: '',
    box: neat([box[0], box[1], wide, Math.max(box[3], tall)]),
  };
}

export function shapeOf(
  points: readonly Point[],
  { source, page, view }: Where,
  style: Styles['shape'],
): ShapeAct {
  const pairs = points.map((point) => pairOf(point, view));
  const [begin = [0, 0]] = pairs;
  const end = pairs.at(-1) ?? begin;
  const alone = pairs.length < 2;
  const drawn: [Pair, Pair] = alone
    ? [begin, [Math.min(begin[0] + SHAPE[0], view.width), Math.min(begin[1] + SHAPE[1], view.height)]]
    : [begin, end];
  return { kind: 'shape', source, page, ...style, begin: drawn[0], end: neatPair(drawn[1]) };
}

/** Of a hand's line only what is seen: points nearer to the line through the others are left out. */
const FINE = 0.35;

export function inkOf(points: readonly Point[], { source, page, view }: Where, style: Styles['ink']): InkAct {
  const pairs = points.map((point) => pairOf(point, view));
  return { kind: 'ink', source, page, ...style, paths: [simpler(pairs, FINE)] };
}

/** Ramer, Douglas and Peucker's way to fewer points, none of those left out farther off than `fine`. */
export function simpler(path: readonly Pair[], fine: number): Pair[] {
  const keep = new Set([0, path.length - 1]);
  const open: [number, number][] = [[0, path.length - 1]];
  for (let span = open.pop(); span; span = open.pop()) {
    const [from, to] = span;
    const at = farthest(path, from, to, fine);
    if (at === null) continue;
    keep.add(at);
    open.push([from, at], [at, to]);
  }
  return path.filter((_, at) => keep.has(at));
}

function farthest(path: readonly Pair[], from: number, to: number, fine: number): number | null {
  const [a, b] = [path[from], path[to]];
  if (!a || !b) return null;
  const [dx, dy] = [b[0] - a[0], b[1] - a[1]];
  const length = Math.hypot(dx, dy);
  let found: number | null = null;
  let worst = fine;
  for (let at = from + 1; at < to; at += 1) {
    const point = path[at] as Pair;
    const [px, py] = [point[0] - a[0], point[1] - a[1]];
    const share = length > 0 ? within((px * dx + py * dy) / length ** 2, 1) : 0;
    const off = Math.hypot(px - share * dx, py - share * dy);
    if (off > worst) [worst, found] = [off, at];
  }
  return found;
}

export const noteAt = (point: Point, { source, page, view }: Where, style: Styles['note']): NoteAct => ({
  kind: 'note',
  source,
  page,
  ...style,
  at: pairOf({ x: point.x - 10, y: point.y + 10 }, view),
  text: '',
});

export function redactOf(
  points: readonly Point[],
  { source, page, view }: Where,
  style: Styles['redact'],
): RedactAct | null {
  if (points.length < 2) return null;
  const box = neat(around(points.map((point) => pairOf(point, view))));
  return box[2] < 2 || box[3] < 2 ? null : { kind: 'redact', source, page, ...style, boxes: [box] };
}

/** A picture in the middle of the page, or in the box that was drawn, never larger than half of the page at first. */
export function pictureAt(
  file: string,
  size: { width: number; height: number },
  { source, page, view }: Where,
  style: Styles['picture'],
): PictureAct {
  const fit = Math.min(view.width / 2 / size.width, view.height / 2 / size.height, 0.75);
  const [width, height] = [size.width * fit, size.height * fit];
  const box = neat([(view.width - width) / 2, (view.height - height) / 2, width, height]);
  return { kind: 'picture', source, page, ...style, angle: 0, file, box };
}

export type { ShapeName };
