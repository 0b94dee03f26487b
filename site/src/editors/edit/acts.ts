import type { Printed } from '../place/advances';
import type { Area } from '../pdf/text';

/** What is done to a document, as cluster/tools/edit.py states it: visible points, upper left corner, y downwards. */

export type Pair = [x: number, y: number];
type On = { source: number; page: number };

export type TextAct = On & {
  kind: 'text';
  box: Area;
  angle: number;
  text: string;
  font: Printed;
  size: number;
  bold: boolean;
  italic: boolean;
  colour: string;
  align: 'left' | 'center' | 'right';
  line: number;
  opacity: number;
  burn: boolean;
};
export type PictureAct = On & {
  kind: 'picture';
  box: Area;
  angle: number;
  file: string;
  opacity: number;
  burn: boolean;
};
export type ShapeName = 'line' | 'arrow' | 'rectangle' | 'ellipse';
export type ShapeAct = On & {
  kind: 'shape';
  shape: ShapeName;
  begin: Pair;
  end: Pair;
  colour: string;
  width: number;
  fill: string | null;
  opacity: number;
  burn: boolean;
};
export type InkAct = On & {
  kind: 'ink';
  paths: Pair[][];
  colour: string;
  width: number;
  opacity: number;
  burn: boolean;
};
export type MarkStyle = 'highlight' | 'underline' | 'strike';
export type MarkAct = On & {
  kind: 'mark';
  style: MarkStyle;
  boxes: Area[];
  angle: number;
  text: string;
  colour: string;
  opacity: number;
};
export type NoteAct = On & { kind: 'note'; at: Pair; text: string; colour: string };
export type ChangeAct = On & {
  kind: 'change';
  box: Area;
  angle: number;
  was: string;
  text: string;
  reflow: boolean;
};
export type Cover = 'black' | 'white' | 'none';
export type RedactAct = On & { kind: 'redact'; boxes: Area[]; look: Cover; label: string };
export type Hit = { page: number; boxes: Area[] };
export type ReplaceAct = {
  kind: 'replace';
  source: number;
  find: string;
  text: string;
  case: boolean;
  word: boolean;
  /** Only those; null for all that the server finds. */
  hits: Hit[] | null;
  reflow: boolean;
};
export type Preset = 'id_card' | 'phone' | 'bank_card' | 'email';
export type HideAct = {
  kind: 'hide';
  source: number;
  terms: string[];
  presets: Preset[];
  case: boolean;
  word: boolean;
  hits: Hit[] | null;
  look: Cover;
  label: string;
};
export type FieldValue = boolean | string | string[];
export type FillAct = { kind: 'fill'; source: number; field: string; value: FieldValue };

export type PlacedAct = TextAct | PictureAct | ShapeAct | InkAct | MarkAct | NoteAct | ChangeAct | RedactAct;
export type Act = PlacedAct | ReplaceAct | HideAct | FillAct;
export type EditOptions = { acts: Act[]; clean_copies: boolean; flatten: boolean };

/** Of one task, as the server has it. */
export const MOST_ACTS = 2000;
export const MOST_HITS = 2000;

/** What a search found here, by what was searched for: the server searches anew where all of it is meant. */
export type Known = (act: ReplaceAct | HideAct) => readonly Hit[];

export const isPlaced = (act: Act): act is PlacedAct => 'page' in act;
export const isSearch = (act: Act): act is ReplaceAct | HideAct =>
  act.kind === 'replace' || act.kind === 'hide';

export const withActs = (options: EditOptions, acts: Act[]): EditOptions => ({
  ...options,
  acts: acts.slice(0, MOST_ACTS),
});

export const added = (options: EditOptions, ...acts: Act[]): EditOptions =>
  withActs(options, [...options.acts, ...acts]);

export const replaced = (options: EditOptions, at: number, act: Act): EditOptions =>
  withActs(
    options,
    options.acts.map((each, index) => (index === at ? act : each)),
  );

export const removed = (options: EditOptions, at: number): EditOptions =>
  withActs(
    options,
    options.acts.filter((_, index) => index !== at),
  );

export const COPIED = 12;

/** The same act once more, a little lower to the right, or on another page at its place. */
export function copied(act: PlacedAct, page = act.page): PlacedAct {
  const by = page === act.page ? COPIED : 0;
  return { ...shifted(act, by, by), page };
}

export const copies = ({ kind }: Act): boolean => ['text', 'picture', 'shape', 'ink', 'note'].includes(kind);

const tenth = (value: number) => Math.round(value * 100) / 100;
export const neat = (area: Area): Area => area.map(tenth) as Area;
export const neatPair = ([x, y]: Pair): Pair => [tenth(x), tenth(y)];

const movedArea = ([x, y, width, height]: Area, dx: number, dy: number): Area =>
  neat([x + dx, y + dy, width, height]);

function shifted(act: PlacedAct, dx: number, dy: number): PlacedAct {
  const move = ([x, y]: Pair): Pair => neatPair([x + dx, y + dy]);
  switch (act.kind) {
    case 'text':
    case 'picture':
    case 'change':
      return { ...act, box: movedArea(act.box, dx, dy) };
    case 'shape':
      return { ...act, begin: move(act.begin), end: move(act.end) };
    case 'ink':
      return { ...act, paths: act.paths.map((path) => path.map(move)) };
    case 'note':
      return { ...act, at: move(act.at) };
    default:
      return { ...act, boxes: act.boxes.map((box) => movedArea(box, dx, dy)) };
  }
}

/** The value a field has by what was filled in, or undefined. */
export function filledIn(options: EditOptions, source: number, field: string): FieldValue | undefined {
  const act = options.acts.findLast((each) => isFill(each, source, field));
  return act?.kind === 'fill' ? act.value : undefined;
}

const isFill = (act: Act, source: number, field: string) =>
  act.kind === 'fill' && act.source === source && act.field === field;

/** The options with a field filled; what it had of itself is no act. */
export function filling(
  options: EditOptions,
  { source, field, value }: Omit<FillAct, 'kind'>,
  own: FieldValue,
): EditOptions {
  const others = options.acts.filter((act) => !isFill(act, source, field));
  const same = JSON.stringify(value) === JSON.stringify(own);
  return withActs(options, same ? others : [...others, { kind: 'fill', source, field, value }]);
}

const sameLine = (act: Act, line: Pick<ChangeAct, 'source' | 'page' | 'box'>): boolean =>
  act.kind === 'change' &&
  act.source === line.source &&
  act.page === line.page &&
  act.box.every((value, at) => Math.abs(value - (line.box[at] ?? 0)) < 0.05);

export function changeOf(
  options: EditOptions,
  line: Pick<ChangeAct, 'source' | 'page' | 'box'>,
): ChangeAct | undefined {
  return options.acts.find((act): act is ChangeAct => sameLine(act, line));
}

/** The options with a line changed; a line that says what it said is no change. */
export function changing(options: EditOptions, change: ChangeAct): EditOptions {
  const others = options.acts.filter((act) => !sameLine(act, change));
  return withActs(options, change.text === change.was ? others : [...others, change]);
}
