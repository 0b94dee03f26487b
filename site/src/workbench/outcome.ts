import type { Run } from '../editors/board/runs';
import { partsOf, type Way } from '../editors/cutting';
import type { Sizes } from '../api/client';
import type { Look } from '../editors/pdf/looks';
import { partsIn, type SliceOptions } from '../editors/slices/slicing';
import { parsePages } from '../ranges';
import type { Json } from './contract';
import { standing } from './estimate';
import type { Row } from './state';
import { fill, sizeText } from './words';

/** What is known of a start beforehand: `n` files of several, `pages` of the result, `parts` it is cut into … */
export type Fact = 'n' | 'pages' | 'parts' | 'turned' | 'marked' | 'pictures' | 'size' | 'changes';
export type Plan = {
  facts: Partial<Record<Fact, number | string>>;
  /** The start would change nothing. */
  idle: boolean;
  /**
   * Why else it is not offered: it would leave nothing of a document, no bookmark or no page is as asked for, or
   * pages are not counted yet.
   */
  against?: 'everything' | 'unmarked' | 'unshaped' | 'uncounted';
};

/** The words of a tool's content for its start. */
export type ActionWords = {
  start: string;
  outcomes: string[];
  idle?: string | undefined;
  everything?: string | undefined;
  unmarked?: string | undefined;
  unshaped?: string | undefined;
  uncounted?: string | undefined;
};

type Options = Record<string, Json>;
type Judge = (rows: Row[], options: Options, sizes: Sizes | null) => Partial<Plan>;

const count = (rows: Row[]) => (rows.length > 1 ? { n: rows.length } : {});

/** The sum, or nothing where a part of it is not known. */
function sum<Name extends Fact>(name: Name, numbers: (number | null)[]): Partial<Record<Fact, number>> {
  if (numbers.length === 0 || numbers.includes(null)) return {};
  return { [name]: numbers.reduce<number>((total, number) => total + (number ?? 0), 0) };
}

/** Pictures of one page each, whatever is in them. */
const PICTURES = ['jpg', 'png', 'webp', 'bmp', 'gif', 'heic', 'svg'];

function pagesIn({ kind, pages }: Row, range: string): number | null {
  if (PICTURES.includes(kind)) return 1;
  if (pages === null) return null;
  const found = parsePages(range, pages);
  return found.ok ? found.pages.length : null;
}

const text = (value: Json | undefined) => (typeof value === 'string' ? value : '');
const allOf = (name: Fact, rows: Row[], range: string) =>
  sum(
    name,
    rows.map((row) => pagesIn(row, range)),
  );

const merged: Judge = (rows, { ranges, blank_after_odd, contents }) => {
  const given = Array.isArray(ranges) ? ranges : [];
  const more = blank_after_odd === true || contents === true;
  const pages = rows.map((row, index) => pagesIn(row, text(given[index])));
  return { facts: more ? {} : sum('pages', pages), idle: rows.length < 2 };
};

const joined = (way: Way) => way.how === 'ranges' && way.joined;

/** Every page once and in order, in one file: the document as it is. */
const whole = (parts: number[][], total: number, way: Way) =>
  (parts.length === 1 || joined(way)) &&
  parts.flat().length === total &&
  parts.flat().every((page, index) => page === index + 1);

/** In none of the files a bookmark of this level or above leads anywhere. */
const unmarked = (rows: Row[], level: Json | undefined) =>
  rows.every(({ bookmarked }) => bookmarked !== undefined && (bookmarked ?? Infinity) > Number(level));

const split: Judge = (rows, options) => {
  const way = options.split as unknown as Way;
  if (way.how === 'bookmarks')
    return unmarked(rows, (options.split as Options).level) ? { against: 'unmarked' } : {};
  const known = rows.map(({ pages }) => (pages === null ? null : partsOf(way, pages)));
  const counts = known.map(
    (parts) => parts && (joined(way) ? 1 : parts.filter(({ length }) => length).length),
  );
  const { parts } = sum('parts', counts);
  return {
    facts: parts && parts > rows.length ? { parts } : {},
    idle: known.every((found, index) => found && whole(found, rows[index]?.pages ?? 0, way)),
  };
};

const rotate: Judge = (rows, { clicks, pages, only }) => {
  if (Array.isArray(clicks)) {
    const turned = clicks.length;
    return { facts: turned > 0 ? { turned } : {}, idle: turned === 0 };
  }
  if (only === 'any') return { facts: allOf('turned', rows, text(pages)) };
  const facts = sum(
    'turned',
    rows.map((row) => shapedIn(row, text(pages), only === 'landscape')),
  );
  return { facts, ...(facts.turned === 0 && { against: 'unshaped' }) };
};

/** How many of the pages lie, or stand; null while nobody looked. */
function shapedIn({ pages, lying }: Row, range: string, wanted: boolean): number | null {
  const found = parsePages(range, pages ?? 0);
  if (pages === null || !lying || !found.ok) return null;
  return found.pages.filter((page) => lying[page - 1] === wanted).length;
}

/** The one file as it is: nothing on the board was touched. */
const untouched = (rows: Row[], runs: Run[]) =>
  rows.length === 1 &&
  runs.every((run) => run.kind === 'pages' && run.first === 1 && run.last === rows[0]?.pages && !run.turn) &&
  runs.length < 2;

const arrange: Judge = (rows, { board, preset }) => ({
  idle: preset === 'none' && untouched(rows, (Array.isArray(board) ? board : []) as unknown as Run[]),
});

const totalOf = (counts: (number | null)[]) => counts.reduce<number>((total, each) => total + (each ?? 0), 0);
/** The tools that take locks off: what they start from is how each file is protected. */
const UNLOCKERS = ['unlock', 'big_unlock'];
export const unlocks = (tool: string) => UNLOCKERS.includes(tool);

const unlock: Judge = (rows) => ({ idle: rows.every(({ protection }) => protection === 'none') });
/** How many pages a seal crosses is known, and how many get one at a place; by hand each has its own. */
const stamped: Judge = (rows, { on, pages, layout, seam }) => {
  const [place, across] = [layout, seam] as Options[];
  if (on === 'pages' && place?.how === 'place') return { facts: allOf('marked', rows, text(pages)) };
  return { facts: on === 'seam' ? allOf('marked', rows, text(across?.pages)) : {} };
};

/** Numbers go on from file to file once the pages of each file before are counted. */
const numbered: Judge = (rows, { pages, skip_cover, across, counts }) => {
  const given = Array.isArray(counts) ? counts : [];
  const waits = across === true && rows.slice(1).some((_, before) => typeof given[before] !== 'number');
  return {
    facts: skip_cover === true ? {} : allOf('marked', rows, text(pages)),
    ...(waits && { against: 'uncounted' }),
  };
};

/** Neither is anything put on a page, nor is there a certificate. */
const nothingSigned = (marks: Json | undefined, certificate: Json | undefined): boolean =>
  (certificate as Options | undefined)?.how !== 'pkcs12' &&
  !(
    Array.isArray(marks) && (marks as Options[]).some(({ spots }) => Array.isArray(spots) && spots.length > 0)
  );

/** How many things a reader can be forbidden. */
const EVERYTHING = 7;

const compress: Judge = (_, options, sizes) => {
  const size = standing(sizes, options)?.[text(options.level)];
  return { facts: size === undefined ? {} : { size: sizeText(size) } };
};

/** Pages that must be named: none is nothing. */
const named = (rows: Row[], pages: Json | undefined): Partial<Plan> =>
  text(pages).trim() ? { facts: allOf('pages', rows, text(pages)) } : { idle: true };

/** The pages of a file that go: those named, and the blank ones that were found; null where that is not known. */
function goneOf({ pages }: Row, file: number, range: string, found: Found[]): number | null {
  const read = range.trim() ? parsePages(range, pages ?? 0) : { ok: true as const, pages: [] };
  if (pages === null || !read.ok) return null;
  const blank = found.filter((each) => each.file === file).map(({ page }) => page);
  return new Set([...read.pages, ...blank]).size;
}

/** Of no document every page; blank pages that nobody has looked for yet are found later. */
const deleted: Judge = (rows, { pages, blanks, found }) => {
  const looking = blanks !== 'keep' && !Array.isArray(found);
  const blank = blanks !== 'keep' && Array.isArray(found) ? (found as Found[]) : [];
  const gone = rows.map((row, file) => goneOf(row, file, text(pages), blank));
  const facts = looking ? {} : sum('pages', gone);
  const all = gone.some((count, file) => count !== null && count > 0 && count === rows[file]?.pages);
  if (all) return { facts, against: 'everything' };
  const none = !looking && !text(pages).trim() && blank.length === 0;
  return none ? { idle: true } : { facts };
};

type Found = { file: number; page: number };
type Searched = { hits?: Json[] | null };

/** Each place that is replaced or removed counts; a form made part of the page is a change, too. */
const edited: Judge = (_, { acts, flatten }) => {
  const given = (Array.isArray(acts) ? acts : []) as unknown as Searched[];
  const changes = given.reduce((sum, { hits }) => sum + (hits?.length ?? 1), 0);
  return { facts: changes > 0 ? { changes } : {}, idle: changes === 0 && flatten !== true };
};

/** By the key of a tool; one that is not here is told by the number of its files. */
const JUDGES: Record<string, Judge> = {
  merge: merged,
  big_merge: merged,
  compress,
  split,
  big_split: split,
  rotate,
  edit: edited,
  watermark: (rows, { pages }) => ({ facts: allOf('marked', rows, text(pages)) }),
  image_to_pdf: (rows, { into }) => ({ facts: into === 'one' ? allOf('pages', rows, '') : {} }),
  page_number: numbered,
  stamp: stamped,
  sign: (_, { marks, certificate }) => ({ idle: nothingSigned(marks, certificate) }),
  pdf_to_image: (rows, { into, pages }) => ({
    facts: into === 'each' ? allOf('pictures', rows, text(pages)) : {},
  }),
  pdf_to_scan: (rows) => ({ facts: allOf('pages', rows, '') }),
  arrange,
  extract: (rows, { pages }) => named(rows, pages),
  delete: deleted,
  blank: (rows, { where }) => ({
    idle: where === 'odd' && rows.every(({ pages }) => pages !== null && pages % 2 === 0),
  }),
  word_merge: (rows) => ({ idle: rows.length < 2 }),
  insert: (rows) => ({ facts: { n: rows.length - 1 }, idle: rows.length < 2 }),
  encrypt: (_, { password, owner, allowed }) => ({
    idle: !password && !owner && Array.isArray(allowed) && allowed.length === EVERYTHING,
  }),
  segmentation: (rows, options) => {
    const made = partsIn(options as unknown as SliceOptions, rows);
    const uncut = made !== null && made === totalOf(rows.map(({ pages }) => pages));
    const shaped = options.way === 'gutter' || options.only === 'landscape';
    const against = uncut && shaped ? { against: 'unshaped' as const } : {};
    return { facts: made === null ? {} : { pages: made }, idle: uncut, ...against };
  },
  unlock,
  big_unlock: unlock,
};

/** What must be seen of the documents before it can be told what a start would do; null where nothing must. */
export function lookOf(tool: string, options: Json): Look | null {
  const given = options && typeof options === 'object' && !Array.isArray(options) ? options : {};
  const { way, only, clicks, split } = given as { [name: string]: Json | undefined };
  if (tool === 'segmentation') return way === 'gutter' || only === 'landscape' ? 'lying' : null;
  if (tool === 'rotate') return only !== 'any' && !Array.isArray(clicks) ? 'lying' : null;
  return tool.endsWith('split') && (split as Options | undefined)?.how === 'bookmarks' ? 'bookmarked' : null;
}

/** What a start with these files and options will do, as far as it is known. */
export function planOf(tool: string, rows: Row[], options: Json, sizes: Sizes | null = null): Plan {
  const given = options && typeof options === 'object' && !Array.isArray(options) ? options : {};
  const judged = rows.length > 0 ? (JUDGES[tool]?.(rows, given, sizes) ?? {}) : {};
  return { ...judged, idle: judged.idle ?? false, facts: { ...count(rows), ...judged.facts } };
}

const placesIn = (template: string) => [...template.matchAll(/\{(\w+)/g)].map(([, name]) => name as Fact);

/** Why a start is not offered, in the words of the tool; null where it is. */
export function whyNot(words: ActionWords, { idle, against }: Plan): string | null {
  if (against) return words[against] ?? '';
  return idle ? (words.idle ?? '') : null;
}

/** What stands on the button: the first outcome whose facts are known, else the tool's verb alone. */
export function startText({ start, outcomes }: ActionWords, { facts, idle }: Plan): string {
  const known = outcomes.find((outcome) => placesIn(outcome).every((name) => facts[name] !== undefined));
  return known && !idle ? fill(known, facts) : start;
}
