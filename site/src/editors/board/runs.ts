import { type Board, EMPTY, inserted, isBlank, type Leaf, type Origin, type Paper, type Turn } from './model';

/**
 * Pages of the task's file number `file` (from 0), `first` … `last` (from 1), each `step` pages from the one before,
 * down where `last` is before `first`. As Run of cluster/board.py, whose defaults are left out.
 */
export type PageRun = {
  kind: 'pages';
  file: number;
  first: number;
  last: number;
  step?: number;
  turn?: Turn;
};
/** Blank pages in points; without a size like the page before. As Blanks of cluster/board.py. */
export type BlankRun = { kind: 'blank'; count: number; width?: number; height?: number };
export type Run = PageRun | BlankRun;

/** What the API takes at most. */
const MOST_STEP = 1000;
const MOST_BLANKS = 1000;

/** The board as the API is told it. Leaves of files that are no longer there are left out. */
export function runsOf(leaves: readonly Leaf[], files: readonly string[]): Run[] {
  const places = new Map(files.map((id, index) => [id, index]));
  const runs: Run[] = [];
  for (const leaf of leaves) {
    const next = runOf(leaf, places);
    const last = runs.at(-1);
    const joined = next && last && joinedRun(last, next);
    if (joined) runs[runs.length - 1] = joined;
    else if (next) runs.push(next);
  }
  return runs;
}

function runOf(leaf: Leaf, places: ReadonlyMap<string, number>): Run | null {
  if (isBlank(leaf)) return leaf.blank === 'previous' ? BLANK : { ...BLANK, ...leaf.blank };
  const file = places.get(leaf.file);
  if (file === undefined) return null;
  const run: PageRun = { kind: 'pages', file, first: leaf.page, last: leaf.page };
  return leaf.turn === 0 ? run : { ...run, turn: leaf.turn };
}

const BLANK: BlankRun = { kind: 'blank', count: 1 };

/** Both as one run, or null where one cannot say them so. */
function joinedRun(last: Run, next: Run): Run | null {
  if (last.kind === 'blank' || next.kind === 'blank') return joinedBlanks(last, next);
  if (last.file !== next.file || last.turn !== next.turn) return null;
  const step = next.first - last.last;
  if (step === 0 || Math.abs(step) > MOST_STEP) return null;
  if (last.first !== last.last && step !== stepOf(last)) return null;
  const { step: _, ...run } = last;
  const longer = { ...run, last: next.last };
  return Math.abs(step) === 1 ? longer : { ...longer, step: Math.abs(step) };
}

/** Down where the run goes down. */
const stepOf = ({ first, last, step = 1 }: PageRun): number => (first <= last ? step : -step);

function joinedBlanks(last: Run, next: Run): Run | null {
  if (last.kind !== 'blank' || next.kind !== 'blank') return null;
  const same = last.width === next.width && last.height === next.height;
  return same && last.count < MOST_BLANKS ? { ...last, count: last.count + 1 } : null;
}

/** The board that runs tell; those of files that are not there are left out. */
export function boardOf(runs: readonly Run[], files: readonly string[]): Board {
  return inserted(
    EMPTY,
    0,
    runs.flatMap((run) => originsOf(run, files)),
  );
}

function originsOf(run: Run, files: readonly string[]): (Origin & { turn?: Turn })[] {
  if (run.kind === 'blank') {
    const { count, width, height } = run;
    const blank: Paper = width && height ? { width, height } : 'previous';
    return Array.from({ length: count }, () => ({ blank }));
  }
  const file = files[run.file];
  if (file === undefined) return [];
  const step = stepOf(run);
  const length = Math.floor((run.last - run.first) / step) + 1;
  return Array.from({ length }, (_, at) => ({ file, page: run.first + at * step, turn: run.turn ?? 0 }));
}
