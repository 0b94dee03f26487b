import { parsePages } from '../../ranges';

/** Cuts as shares of the page as it is read: `columns` from its left edge, `rows` from its top. */
export type Lines = { columns: number[]; rows: number[] };
export type Axis = keyof Lines;
/** The lines of one page, drawn by hand; `file` counts from 0, `page` from 1. */
export type PageCuts = Lines & { file: number; page: number };
export type Order = 'ltr' | 'rtl' | 'down' | 'down_rtl';
export type SliceOptions = {
  way: 'grid' | 'gutter';
  columns: number;
  rows: number;
  order: Order;
  keep: 'none' | 'first' | 'last' | 'both';
  only: 'any' | 'landscape';
  overlap: number;
  pages: string;
  column_cuts: number[];
  row_cuts: number[];
  by_page: PageCuts[];
};
/** As the server fills them in. */
export const DEFAULTS: SliceOptions = {
  way: 'grid',
  columns: 2,
  rows: 1,
  order: 'ltr',
  keep: 'none',
  only: 'any',
  overlap: 0,
  pages: '',
  column_cuts: [],
  row_cuts: [],
  by_page: [],
};
export type Share = { left: number; top: number; right: number; bottom: number };
/** A page of a file: `landscape` is unknown until it was looked at. */
export type Place = { file: number; page: number; pages: number; landscape: boolean | null };

/** As the server has them: nearer lines cut nothing off. */
const LEAST = 0.005;
/** Lines are not dragged nearer to each other than this. */
const APART = 0.02;
const WHOLE: Lines = { columns: [], rows: [] };
const MIDDLE: Lines = { columns: [0.5], rows: [] };

const even = (parts: number): number[] =>
  Array.from({ length: Math.max(0, parts - 1) }, (_, index) => (index + 1) / parts);

/** The lines of all pages: those that were dragged, where they are as many as asked for. */
export function commonLines({ way, columns, rows, column_cuts, row_cuts }: SliceOptions): Lines {
  if (way === 'gutter') return MIDDLE;
  return {
    columns: column_cuts.length === columns - 1 ? column_cuts : even(columns),
    rows: row_cuts.length === rows - 1 ? row_cuts : even(rows),
  };
}

export const ownLines = ({ by_page }: SliceOptions, { file, page }: Place): PageCuts | undefined =>
  by_page.find((each) => each.file === file && each.page === page);

/** Where a page is cut; null while that is not known. */
export function linesOf(options: SliceOptions, place: Place): Lines | null {
  const own = ownLines(options, place);
  if (own) return own;
  const { keep, pages, way, only } = options;
  const found = parsePages(pages, place.pages);
  const cover =
    (place.page === 1 && (keep === 'first' || keep === 'both')) ||
    (place.page === place.pages && (keep === 'last' || keep === 'both'));
  if (cover || !found.ok || !found.pages.includes(place.page)) return WHOLE;
  const lying = way === 'gutter' || only === 'landscape';
  if (lying && place.landscape === null) return null;
  return lying && !place.landscape ? WHOLE : commonLines(options);
}

const edges = (cuts: readonly number[]): [number, number][] => {
  const kept = [0];
  for (const cut of [...cuts].sort((a, b) => a - b)) {
    if (cut >= (kept.at(-1) as number) + LEAST && cut <= 1 - LEAST) kept.push(cut);
  }
  return kept.map((from, index) => [from, kept[index + 1] ?? 1]);
};

/** The parts in reading order. */
export function sharesOf(lines: Lines, order: Order): Share[] {
  const columns = edges(lines.columns);
  const rows = edges(lines.rows);
  if (order === 'rtl' || order === 'down_rtl') columns.reverse();
  const share = ([left, right]: [number, number], [top, bottom]: [number, number]) => ({
    left,
    top,
    right,
    bottom,
  });
  return order === 'ltr' || order === 'rtl'
    ? rows.flatMap((row) => columns.map((column) => share(column, row)))
    : columns.flatMap((column) => rows.map((row) => share(column, row)));
}

/** The lines after one was dragged; it stays between its neighbours. */
export function dragged(lines: Lines, axis: Axis, index: number, to: number): Lines {
  const cuts = [...lines[axis]];
  const low = (cuts[index - 1] ?? 0) + APART;
  const high = (cuts[index + 1] ?? 1) - APART;
  cuts[index] = Math.round(Math.min(high, Math.max(low, to)) * 10_000) / 10_000;
  return { ...lines, [axis]: cuts };
}

/** The options once the lines of one page are `lines`; null lets it have those of the document again. */
export function withOwn(options: SliceOptions, { file, page }: Place, lines: Lines | null): SliceOptions {
  const others = options.by_page.filter((each) => each.file !== file || each.page !== page);
  const own = lines ? [{ file, page, columns: lines.columns, rows: lines.rows }] : [];
  return { ...options, by_page: [...others, ...own].sort((a, b) => a.file - b.file || a.page - b.page) };
}

export const withCommon = (options: SliceOptions, { columns, rows }: Lines): SliceOptions => ({
  ...options,
  column_cuts: columns,
  row_cuts: rows,
});

type Counted = { pages: number | null; lying?: readonly boolean[] };

/** Pages of the result; null while some page's shape must be looked at first. */
export function partsIn(options: SliceOptions, files: readonly Counted[]): number | null {
  let total = 0;
  for (const [file, { pages, lying }] of files.entries()) {
    if (pages === null) return null;
    for (let page = 1; page <= pages; page += 1) {
      const lines = linesOf(options, { file, page, pages, landscape: lying?.[page - 1] ?? null });
      if (!lines) return null;
      total += sharesOf(lines, options.order).length;
    }
  }
  return total;
}
