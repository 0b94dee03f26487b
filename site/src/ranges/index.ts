/** Page ranges as people type them. tests/samples/ranges.json holds for this and for cluster/pages.py. */

export type RangeResult =
  | { ok: true; pages: number[] }
  | { ok: false; reason: 'page_range_invalid'; pages: number };

const SEPARATORS = /[,;、]/;
// A run of them is one dash: Chinese keyboards write "1——3".
const DASHES = /[‐-―−~〜]+/g;
const SPAN = /^([0-9]+)?(-)?([0-9]+)?$/;
const STEP = /^([0-9]*)n(?:\+([0-9]+))?$/;

const WORDS: Record<string, [step: number, offset: number]> = {
  all: [1, 0],
  odd: [2, 1],
  even: [2, 0],
};

export function parsePages(text: string, total: number): RangeResult {
  const items = itemsOf(text);
  if (items === null) return invalid(total);
  const pages: number[] = [];
  for (const item of items) {
    const found = pagesOf(item, total);
    if (found === null) return invalid(total);
    for (const page of found) pages.push(page);
  }
  return pages.length > 0 ? { ok: true, pages } : invalid(total);
}

/**
 * The pages of each file that a split makes: `1-3;4-6`, or `1-3,4-6` where there is no semicolon
 * (commas then stay within a file). As by_ranges in cluster/engines/pages/cuts.py.
 */
export function parseParts(text: string, total: number): RangeResult[] {
  const several = text.split(/[;；\n]/.test(text) ? /[;；\n]/ : /[,，、]/);
  const wanted = several.filter((part) => part.trim() !== '');
  return (wanted.length > 0 ? wanted : [text]).map((part) => parsePages(part, total));
}

/** The shortest text that names this set of pages. An empty set has none: '' would mean all pages. */
export function formatPages(pages: Iterable<number>, total: number): string {
  const sorted = [...new Set(pages)].sort((a, b) => a - b);
  const runs = runsOf(sorted).map(formatRun).join(',');
  const word = Object.keys(WORDS).find((name) => isStep(sorted, WORDS[name] ?? [1, 0], total));
  return word !== undefined && word.length <= runs.length ? word : runs;
}

/** Keeps the order as given: 5,4,3,1 becomes 5-3,1. */
export function formatSequence(pages: readonly number[]): string {
  const runs: Run[] = [];
  for (const page of pages) {
    const run = runs.at(-1);
    if (run && continues(run, page)) run[1] = page;
    else runs.push([page, page]);
  }
  return runs.map(formatRun).join(',');
}

type Run = [from: number, to: number];

const continues = ([from, to]: Run, page: number): boolean =>
  from === to ? Math.abs(page - to) === 1 : page - to === Math.sign(to - from);

function invalid(total: number): RangeResult {
  return { ok: false, reason: 'page_range_invalid', pages: total };
}

function itemsOf(text: string): string[] | null {
  const plain = text.normalize('NFKC').toLowerCase();
  if (plain.trim() === '') return ['all'];
  // "1 3" could be 13 or 1,3; guessing wrong would lose pages.
  if (/[0-9]\s+[0-9]/.test(plain)) return null;
  const items = plain.replace(/\s/g, '').replace(DASHES, '-').split(SEPARATORS);
  const first = items.findIndex((item) => item !== '');
  const last = items.findLastIndex((item) => item !== '');
  return first < 0 ? null : items.slice(first, last + 1);
}

function pagesOf(item: string, total: number): number[] | null {
  const word = WORDS[item];
  if (word) return stepPages(word[0], word[1], total);
  if (item === 'last') return span(total, total, total);
  const step = STEP.exec(item);
  if (step) return writtenStep(step, total);
  const ends = SPAN.exec(item);
  if (!ends || !(ends[1] || ends[3])) return null;
  const from = Number(ends[1] ?? 1);
  return span(from, ends[2] ? Number(ends[3] ?? total) : from, total);
}

function span(from: number, to: number, total: number): number[] | null {
  if (Math.min(from, to) < 1 || Math.max(from, to) > total) return null;
  const step = from <= to ? 1 : -1;
  return Array.from({ length: Math.abs(to - from) + 1 }, (_, i) => from + i * step);
}

function writtenStep([, factor, offset]: RegExpExecArray, total: number): number[] | null {
  const step = factor === '' ? 1 : Number(factor);
  return step === 0 ? null : stepPages(step, Number(offset ?? 0), total);
}

function stepPages(step: number, offset: number, total: number): number[] {
  const first = offset >= 1 ? offset : step;
  const pages: number[] = [];
  for (let page = first; page <= total; page += step) pages.push(page);
  return pages;
}

function isStep(sorted: number[], [step, offset]: [number, number], total: number): boolean {
  const wanted = stepPages(step, offset, total);
  return wanted.length === sorted.length && wanted.every((page, i) => page === sorted[i]);
}

function runsOf(sorted: number[]): Run[] {
  const runs: Run[] = [];
  for (const page of sorted) {
    const run = runs.at(-1);
    if (run && run[1] === page - 1) run[1] = page;
    else runs.push([page, page]);
  }
  return runs;
}

function formatRun([from, to]: Run): string {
  return from === to ? `${from}` : `${from}-${to}`;
}
