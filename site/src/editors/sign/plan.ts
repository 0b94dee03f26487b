import { parsePages } from '../../ranges';
import type { Drawable } from '../place/drawMark';
import { fraction, type Leaf, NOTHING, type Plan, rounded, type Scene } from '../place/scene';
import { normal, type Spot } from '../place/spot';
import { textMark } from '../place/drawMark';
import type { SignField } from './fields';
import { type Look, MOST_MARKS, type SignMark, type SignOptions, type SignSpot } from './types';
import type { SignWords } from './words';

/** As cluster/engines/sign/block.py states it. */
export const RATIO = 0.3;
const BLOCK = 'block';
const MOST_SPOTS = 200;

type Draw = (look: Look, height: number) => Drawable | null;

const within = (value: number, least: number, most: number) => Math.min(most, Math.max(least, value));

const isOn = (spot: SignSpot, { page, pages }: Leaf): boolean => {
  const found = parsePages(spot.pages, pages);
  return found.ok && found.pages.includes(page);
};

export function labelOf(look: Look, words: SignWords): string {
  if (look.kind === 'dated') return words.date;
  return look.role === 'initials' ? words.initials : look.role === 'text' ? words.text : words.signature;
}

/** The marks of all spots on this page and, where it is seen, the certificate's block and the fields that wait. */
export function planOf(draw: Draw, words: SignWords, fields: readonly SignField[] = []): Plan<SignOptions> {
  return {
    scene(options, leaf) {
      const marks = options.marks.map((mark, at) => standing(mark, at, leaf, draw, words));
      const waiting = fields.filter(({ page }) => page === leaf.page);
      const own = [waitingOn(options, waiting), blockOn(options, leaf, words, fields)];
      return [...marks, ...own].reduce(joined, NOTHING);
    },
    put(options, id, { spot, was, gesture }, { view, page }) {
      if (id === BLOCK) return withBlock(options, page, spot, view, fields);
      return withSpot(options, id, (old) => ({
        ...old,
        x: fraction(spot.x / view.width),
        y: fraction(1 - spot.y / view.height),
        height:
          gesture === 'size'
            ? within(rounded((old.height * spot.width) / was.width, 2), 4, 3000)
            : old.height,
        angle: gesture === 'turn' ? spot.angle : old.angle,
      }));
    },
    hint(options, leaf) {
      const here = options.marks.some((mark) => mark.spots.some((spot) => isOn(spot, leaf)));
      const block = blockPage(options, leaf.pages, fields);
      if (options.marks.length === 0) return block ? words.blockStands(block) : words.begin;
      return here ? words.placeHint : words.notHere;
    },
    add: (options, leaf) => placed(options, options.marks.length - 1, leaf.page),
    remove: (options, id) =>
      id === BLOCK
        ? hidden(options)
        : withSpots(options, id, (spots, at) => spots.filter((_, n) => n !== at)),
    copy(options, id, pages, leaf) {
      if (id === BLOCK || !parsePages(pages, leaf.pages).ok) return options;
      return withSpots(options, id, (spots, at) => [...spots, { ...spots[at]!, pages }]);
    },
  };
}

const joined = (one: Scene, two: Scene): Scene => ({
  layers: [...one.layers, ...two.layers],
  things: [...one.things, ...two.things],
  multiply: false,
});

function standing(mark: SignMark, at: number, leaf: Leaf, draw: Draw, words: SignWords): Scene {
  return mark.spots
    .map((spot, n): Scene => {
      const drawn = isOn(spot, leaf) ? draw(mark, spot.height) : null;
      if (!drawn) return NOTHING;
      const centre = { x: spot.x * leaf.view.width, y: (1 - spot.y) * leaf.view.height };
      const { width, height } = drawn;
      return {
        layers: [{ mark: drawn, centres: [centre], angle: spot.angle, opacity: 100 }],
        things: [
          {
            id: `${at}:${n}`,
            label: labelOf(mark, words),
            spot: { ...centre, width, height, angle: spot.angle },
            sizes: true,
            turns: true,
          },
        ],
        multiply: false,
      };
    })
    .reduce(joined, NOTHING);
}

/** The frames of the document's fields that a certificate may sign. */
function waitingOn({ certificate }: SignOptions, fields: readonly SignField[]): Scene {
  if (certificate.how !== 'pkcs12') return NOTHING;
  const layers = fields
    .filter(({ name }) => name !== certificate.field)
    .map((field) => ({ mark: frameMark(field), centres: [field], angle: 0, opacity: 100 }));
  return { layers, things: [], multiply: false };
}

const frameMark = ({ width, height }: SignField): Drawable => ({
  width,
  height,
  draw: (target) => {
    target.strokeStyle = '#3b6ea5';
    target.setLineDash([4, 3]);
    target.strokeRect(0.5, 0.5, width - 1, height - 1);
    target.setLineDash([]);
  },
});

/** The page that shows the certificate's signature, of so many; null where none does. */
export function blockPage(
  { certificate }: Pick<SignOptions, 'certificate'>,
  pages: number,
  fields: readonly SignField[],
): number | null {
  if (certificate.how !== 'pkcs12' || !certificate.visible) return null;
  const field = fields.find(({ name }) => name === certificate.field);
  return field?.page ?? Math.min(certificate.block.page || pages, pages);
}

/** A frame with what the server will write, in the chosen field or where it was put. */
function blockOn(
  { certificate }: SignOptions,
  { page, pages, view }: Leaf,
  words: SignWords,
  fields: readonly SignField[],
): Scene {
  if (certificate.how !== 'pkcs12' || page !== blockPage({ certificate }, pages, fields)) return NOTHING;
  const { block, reason, place } = certificate;
  const field = fields.find(({ name }) => name === certificate.field);
  const lines = [
    words.blockName,
    words.blockTime,
    reason && words.blockReason(reason),
    place && words.blockPlace(place),
  ];
  const { width, height } = field ?? { width: block.width, height: block.width * RATIO };
  const mark = blockMark(lines.filter(Boolean), width, height);
  const centre = field ?? { x: block.x * view.width, y: (1 - block.y) * view.height };
  const spot = { x: centre.x, y: centre.y, width, height, angle: 0 };
  return {
    layers: [{ mark, centres: [centre], angle: 0, opacity: 100 }],
    things: [{ id: BLOCK, label: words.block, spot, sizes: !field, turns: false }],
    multiply: false,
  };
}

function blockMark(lines: string[], width: number, height: number): Drawable {
  const least = Math.min(width, height);
  const [pad, pitch] = [0.1 * least, 1.3];
  const made = lines.map((line, at) =>
    textMark({ lines: [line], size: 1, family: 'sans', bold: at === 0, colour: '#1c2b3a' }),
  );
  const widest = Math.max(1, ...made.map((line) => line.width));
  const size = Math.min((height - 2 * pad) / (lines.length * pitch), (width - 2 * pad) / widest);
  return {
    width,
    height,
    draw: (target) => {
      const edge = 0.015 * least;
      target.strokeStyle = '#3b6ea5';
      target.lineWidth = edge;
      target.strokeRect(edge / 2, edge / 2, width - edge, height - edge);
      target.translate(pad, (height - lines.length * pitch * size) / 2);
      target.scale(size, size);
      for (const line of made) {
        target.save();
        line.draw(target);
        target.restore();
        target.translate(0, pitch);
      }
    },
  };
}

/** Put into a field that waits it signs that; elsewhere it is a block of its own. */
function withBlock(
  options: SignOptions,
  page: number,
  spot: Spot,
  view: Leaf['view'],
  fields: readonly SignField[],
): SignOptions {
  const { certificate } = options;
  if (certificate.how !== 'pkcs12') return options;
  const under = fields.find(
    (field) =>
      field.page === page &&
      Math.abs(field.x - spot.x) < field.width / 2 &&
      Math.abs(field.y - spot.y) < field.height / 2,
  );
  if (under) return inField(options, under.name);
  const width = certificate.field ? certificate.block.width : within(rounded(spot.width, 1), 40, 2000);
  const block = { page, x: fraction(spot.x / view.width), y: fraction(1 - spot.y / view.height), width };
  return { ...options, certificate: { ...certificate, field: '', block } };
}

/** The certificate signs this field of the document; with no name a new one. */
export const inField = (options: SignOptions, field: string): SignOptions =>
  options.certificate.how === 'pkcs12'
    ? { ...options, certificate: { ...options.certificate, field } }
    : options;

const hidden = (options: SignOptions): SignOptions =>
  options.certificate.how === 'pkcs12'
    ? { ...options, certificate: { ...options.certificate, visible: false } }
    : options;

function withSpots(
  options: SignOptions,
  id: string,
  change: (spots: SignSpot[], at: number) => SignSpot[],
): SignOptions {
  const [mark = -1, at = -1] = id.split(':').map(Number);
  const marks = options.marks.map((each, n) =>
    n === mark && each.spots[at] ? { ...each, spots: change(each.spots, at).slice(0, MOST_SPOTS) } : each,
  );
  return { ...options, marks };
}

const withSpot = (options: SignOptions, id: string, change: (spot: SignSpot) => SignSpot): SignOptions =>
  withSpots(options, id, (spots, at) => spots.map((spot, n) => (n === at ? change(spot) : spot)));

/** Where something new stands: initials at the foot of all pages, what else below right on this one. */
function freshSpot(look: Look, page: number, there: number): SignSpot {
  if (look.kind !== 'dated' && look.role === 'initials')
    return { pages: '', x: 0.9, y: 0.95, height: 24, angle: 0 };
  const up = (there % 6) * 0.07;
  const height = look.kind === 'dated' || look.role === 'text' ? 24 : 48;
  return { pages: String(page), x: 0.7, y: rounded(0.84 - up, 4), height, angle: 0 };
}

const spotsOn = (options: SignOptions, page: number) =>
  options.marks.flatMap(({ spots }) => spots).filter((spot) => spot.pages === String(page)).length;

/** A mark that is there put on a page as well. */
export function placed(options: SignOptions, at: number, page: number): SignOptions {
  const mark = options.marks[at];
  if (!mark) return options;
  const like = mark.spots.at(-1);
  const fresh = freshSpot(mark, page, spotsOn(options, page));
  const spot = like
    ? { ...fresh, pages: String(page), height: like.height, angle: normal(like.angle) }
    : fresh;
  const spots = [...mark.spots, spot].slice(0, MOST_SPOTS);
  return { ...options, marks: options.marks.map((each, n) => (n === at ? { ...each, spots } : each)) };
}

/** A new mark, put on the page in sight. */
export function withMark(options: SignOptions, look: Look, page: number): SignOptions {
  if (options.marks.length >= MOST_MARKS) return options;
  const mark = { ...look, spots: [freshSpot(look, page, spotsOn(options, page))] };
  return { ...options, marks: [...options.marks, mark] };
}

export const withoutMark = (options: SignOptions, at: number): SignOptions => ({
  ...options,
  marks: options.marks.filter((_, n) => n !== at),
});
