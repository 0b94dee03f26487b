import { type Board, EMPTY, inserted, isBlank, type Leaf, type Origin, type Paper, type Turn } from './model';

/** Pages `from` … `to` (both from 1) of the task's file number `file` (from 0), backwards where `step` is -1. */
export type PageRun = { file: number; from: number; to: number; step: 1 | -1; turn: Turn };
/** `count` blank pages: of a size in points, or like the page before. */
export type BlankRun = { count: number } & (
  | { blank: { width: number; height: number } }
  | { like: 'previous' }
);
export type Run = PageRun | BlankRun;

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
  if (isBlank(leaf)) return blankRun(leaf.blank);
  const file = places.get(leaf.file);
  return file === undefined ? null : { file, from: leaf.page, to: leaf.page, step: 1, turn: leaf.turn };
}

const blankRun = (paper: Paper): BlankRun =>
  paper === 'previous' ? { like: 'previous', count: 1 } : { blank: paper, count: 1 };

/** Both as one run, or null where one cannot say them so. */
function joinedRun(last: Run, next: Run): Run | null {
  if ('count' in last || 'count' in next) return joinedBlanks(last, next);
  if (last.file !== next.file || last.turn !== next.turn) return null;
  const step = next.from - last.to;
  if (step !== 1 && step !== -1) return null;
  return last.from === last.to || last.step === step ? { ...last, to: next.to, step } : null;
}

function joinedBlanks(last: Run, next: Run): Run | null {
  if (!('count' in last && 'count' in next)) return null;
  const same = JSON.stringify({ ...last, count: 1 }) === JSON.stringify({ ...next, count: 1 });
  return same ? { ...last, count: last.count + next.count } : null;
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
  if ('count' in run) {
    const blank: Paper = 'blank' in run ? run.blank : 'previous';
    return Array.from({ length: run.count }, () => ({ blank }));
  }
  const file = files[run.file];
  if (file === undefined) return [];
  const length = (run.to - run.from) * run.step + 1;
  return Array.from({ length }, (_, at) => ({ file, page: run.from + at * run.step, turn: run.turn }));
}
