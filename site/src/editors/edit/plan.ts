import type { Area } from '../pdf/text';
import type { Layer } from '../place/drawMark';
import type { Leaf, Scene, Thing } from '../place/scene';
import { type Act, type EditOptions, isPlaced, type Known, type PlacedAct } from './acts';
import type { Found } from './find';
import { type About, coverLayer, layerOf, markLayers } from './look';
import { freedomOf, spotOf, spotOfArea } from './spots';
import type { EditWords } from './words';

/** What is being written stands in its field, not on the canvas. */
type Showing = Omit<About, 'view'> & {
  source: number;
  writing: number | null;
  /** In these modes changed lines are taken hold of as lines. */
  linesOpen: boolean;
  found: readonly Found[];
  off: ReadonlySet<number>;
  known: Known;
  words: EditWords;
};

type Numbered = { act: Act; at: number };

const FOUND = '#ffb020';

export function sceneOf(options: EditOptions, leaf: Leaf, showing: Showing): Scene {
  const acts = options.acts
    .map((act, at): Numbered => ({ act, at }))
    .filter(({ act, at }) => act.source === showing.source && at !== showing.writing);
  const placed = acts.flatMap(({ act, at }) =>
    isPlaced(act) && act.page === leaf.page ? [{ act, at }] : [],
  );
  const about: About = { view: leaf.view, artOf: showing.artOf, lookOf: showing.lookOf };
  const below = placed.filter(({ act }) => goesFirst(act));
  const above = placed.filter(({ act }) => !goesFirst(act));
  const layers = [...below.map(({ act }) => layerOf(act, about)), ...coversOf(acts, leaf, showing.known)];
  return {
    layers: [...layers, ...above.map(({ act }) => layerOf(act, about))].filter((layer) => layer !== null),
    ink: [...inksOf(placed, leaf), ...foundOn(acts, leaf, showing)],
    things: placed
      .filter(({ act }) => !(showing.linesOpen && act.kind === 'change'))
      .map(({ act, at }) => thingOf(act, at, leaf, showing.words)),
    multiply: false,
  };
}

/** What is removed goes before anything is added: words written over a whitened place stay. */
const goesFirst = ({ kind }: PlacedAct) => kind === 'change' || kind === 'redact';

const inksOf = (placed: { act: PlacedAct }[], { view }: Leaf): Layer[] =>
  placed.flatMap(({ act }) => (act.kind === 'mark' ? markLayers(act, view) : []));

const coversOf = (acts: Numbered[], { page, view }: Leaf, known: Known): Layer[] =>
  acts.flatMap(({ act }) => {
    if (act.kind !== 'hide') return [];
    const boxes = known(act)
      .filter((hit) => hit.page === page)
      .flatMap((hit) => hit.boxes);
    return boxes.length > 0 ? [coverLayer({ ...act, boxes }, view)] : [];
  });

/** Places that were found, and those that will be replaced. */
function foundOn(acts: Numbered[], { page, view }: Leaf, { found, off, known }: Showing): Layer[] {
  const boxes = found.flatMap((place, at) => (place.page === page && !off.has(at) ? place.boxes : []));
  const later = acts.flatMap(({ act }) =>
    act.kind === 'replace'
      ? known(act)
          .filter((hit) => hit.page === page)
          .flatMap((hit) => hit.boxes)
      : [],
  );
  return [...boxes, ...later].map((box) => washed(box, view));
}

function washed(box: Area, view: Leaf['view']): Layer {
  const { x, y, width, height } = spotOfArea(box, 0, view);
  return {
    mark: {
      width,
      height,
      draw(target) {
        target.fillStyle = FOUND;
        target.fillRect(0, 0, width, height);
      },
    },
    centres: [{ x, y }],
    angle: 0,
    opacity: 45,
  };
}

function thingOf(act: PlacedAct, at: number, { view }: Leaf, words: EditWords): Thing {
  const { sizes, turns } = freedomOf(act);
  return { id: String(at), label: labelOf(act, words), spot: spotOf(act, view), sizes, turns };
}

/** Letters of a thing's words that its name has. */
const NAMED = 24;
const short = (text: string) => {
  const [line = ''] = text.trim().split('\n');
  return line.length > NAMED ? `${line.slice(0, NAMED)}…` : line;
};

export function labelOf(act: PlacedAct, { things, shapes, marks }: EditWords): string {
  switch (act.kind) {
    case 'text':
    case 'note':
    case 'change':
      return things[act.kind](short(act.text));
    case 'shape':
      return things.shape(shapes[act.shape]);
    case 'mark':
      return things.mark(marks[act.style]);
    default:
      return things[act.kind];
  }
}

/** The pages of a file on which something is done. */
export function touchedPages(options: EditOptions, source: number, known: Known): Set<number> {
  const acts = options.acts.filter((act) => act.source === source);
  return new Set(
    acts.flatMap((act) => {
      if (isPlaced(act)) return [act.page];
      return act.kind === 'fill' ? [] : known(act).map(({ page }) => page);
    }),
  );
}

/** The acts as they are after files went or changed places; those of files that are gone are gone, too. */
export function resourced(
  options: EditOptions,
  before: readonly string[],
  after: readonly string[],
): EditOptions {
  const acts = options.acts.flatMap((act) => {
    const source = after.indexOf(before[act.source] ?? '');
    return source < 0 ? [] : [source === act.source ? act : { ...act, source }];
  });
  return acts.length === options.acts.length && acts.every((act, at) => act === options.acts[at])
    ? options
    : { ...options, acts };
}
