import { parsePages } from '../../ranges';
import type { Ids, Leaf } from './model';

/** Which leaves are chosen, and from which a shift-click counts. */
export type Choice = { ids: Ids; anchor: number | null };

export const NONE: Choice = { ids: new Set(), anchor: null };

export function toggled({ ids }: Choice, id: number): Choice {
  const next = new Set(ids);
  if (!next.delete(id)) next.add(id);
  return { ids: next, anchor: id };
}

/** A shift-click adds everything between the anchor and the leaf, both included. */
export function extended({ ids, anchor }: Choice, leaves: readonly Leaf[], id: number): Choice {
  const to = placeOf(leaves, id);
  const from = anchor === null ? -1 : placeOf(leaves, anchor);
  const [first, last] = from < 0 ? [to, to] : [Math.min(from, to), Math.max(from, to)];
  const between = leaves.slice(first, last + 1).map((leaf) => leaf.id);
  return { ids: new Set([...ids, ...between]), anchor: from < 0 ? id : anchor };
}

/** Only what is still on the board. */
export function present(choice: Choice, leaves: readonly Leaf[]): Choice {
  const { ids, anchor } = choice;
  if (ids.size === 0) return choice;
  const there = new Set(leaves.flatMap(({ id }) => (ids.has(id) ? [id] : [])));
  return there.size === ids.size ? choice : { ids: there, anchor };
}

export function inverted({ ids }: Choice, leaves: readonly Leaf[]): Choice {
  return { ids: new Set(leaves.flatMap(({ id }) => (ids.has(id) ? [] : [id]))), anchor: null };
}

/**
 * The leaves that a page range names, counted anew in each group (a file); null where it fits none of them. An empty
 * one names none.
 */
export function namedBy(text: string, groups: readonly (readonly Leaf[])[]): Choice | null {
  if (text.trim() === '') return NONE;
  const found = groups.map((leaves) => [leaves, parsePages(text, leaves.length)] as const);
  if (!found.some(([, range]) => range.ok)) return null;
  const ids = found.flatMap(([leaves, range]) =>
    range.ok ? range.pages.map((page) => leaves[page - 1]?.id as number) : [],
  );
  return { ids: new Set(ids), anchor: null };
}

/** Places (from 1) of what is chosen, in the board's order. */
export const placesOf = ({ ids }: Choice, leaves: readonly Leaf[]): number[] =>
  leaves.flatMap(({ id }, index) => (ids.has(id) ? [index + 1] : []));

const placeOf = (leaves: readonly Leaf[], id: number): number => leaves.findIndex((leaf) => leaf.id === id);
