import { parsePages } from '../../ranges';
import type { Leaf } from '../board/model';

export type InsertOptions = {
  where: 'start' | 'end' | 'before' | 'after' | 'every';
  page: number;
  every: number;
  pages: string;
};

/** The result as a board: `inserted` are the leaves that are new in the first file. */
export type Laid = { leaves: Leaf[]; inserted: ReadonlySet<number> };

/** After how many pages of the first file something is inserted, as cluster/tools/insert.py has it. */
export function placesOf({ where, page, every }: InsertOptions, count: number): number[] {
  switch (where) {
    case 'start':
      return [0];
    case 'end':
      return [count];
    case 'every':
      return everyFew(every, count);
    default:
      return page >= 1 && page <= count ? [page - (where === 'before' ? 1 : 0)] : [];
  }
}

function everyFew(step: number, count: number): number[] {
  const places: number[] = [];
  for (let at = step; step > 0 && at < count; at += step) places.push(at);
  return places.length > 0 ? places : [count];
}

/** The pages of the first file with those of the others in between; a range that does not fit a file brings none. */
export function laid([first = [], ...others]: readonly (readonly Leaf[])[], options: InsertOptions): Laid {
  const brought = others.flatMap((leaves) => {
    const found = parsePages(options.pages, leaves.length);
    return found.ok ? found.pages.map((page) => leaves[page - 1] as Leaf) : [];
  });
  const places = new Set(placesOf(options, first.length));
  let next = Math.max(0, ...[...first, ...others.flat()].map(({ id }) => id));
  const inserted = new Set<number>();
  const fresh = (leaf: Leaf): Leaf => {
    next += 1;
    inserted.add(next);
    return { ...leaf, id: next };
  };
  const leaves: Leaf[] = [];
  for (let at = 0; at <= first.length; at += 1) {
    if (places.has(at)) leaves.push(...brought.map(fresh));
    const own = first[at];
    if (own) leaves.push(own);
  }
  return { leaves, inserted };
}
