import { parsePages } from '../ranges';

export type Quarter = 90 | 180 | 270;
/** One page turned by hand, clockwise; `file` counts from 0, `page` from 1. */
export type Click = { file: number; page: number; turn: Quarter };

export type RotateOptions = { turn: 1 | 2 | 3; pages: string; only: string; clicks: Click[] | null };

/** LEFT = 1, RIGHT = 2 are the specification's; 3 is half a turn. */
export const DEGREES: Record<RotateOptions['turn'], Quarter> = { 1: 270, 2: 90, 3: 180 };

/** Turns pages further; a page that is upright again is no click any more. */
export function turnedBy(
  clicks: readonly Click[],
  file: number,
  pages: Iterable<number>,
  by: Quarter,
): Click[] {
  const wanted = new Set(pages);
  const before = new Map(
    clicks.filter((click) => click.file === file).map((click) => [click.page, click.turn]),
  );
  const kept = clicks.filter((click) => click.file !== file || !wanted.has(click.page));
  const turned = [...wanted].flatMap((page) => {
    const turn = ((before.get(page) ?? 0) + by) % 360;
    return turn === 0 ? [] : [{ file, page, turn: turn as Quarter }];
  });
  return [...kept, ...turned].sort((a, b) => a.file - b.file || a.page - b.page);
}

/** By hand one goes on from what the form turns, if a range was named; else from upright pages. */
export function clicksToStartFrom(options: RotateOptions, pageCounts: readonly (number | null)[]): Click[] {
  if (options.clicks) return options.clicks;
  if (options.pages.trim() === '' || options.only !== 'any') return [];
  return pageCounts.flatMap((count, file) => {
    const found = parsePages(options.pages, count ?? 0);
    return found.ok ? turnedBy([], file, found.pages, DEGREES[options.turn]) : [];
  });
}

/** Pages that the form's own fields turn, before the orientation is looked at. */
export function formTurns({ pages, turn }: RotateOptions, total: number): Map<number, Quarter> {
  const found = parsePages(pages, total);
  return new Map(found.ok ? found.pages.map((page) => [page, DEGREES[turn]]) : []);
}
