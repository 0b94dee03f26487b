import { parseParts } from '../ranges';

/** Page numbers after which the document is cut; the last page is never one. */
export type Cuts = ReadonlySet<number>;

export type Part = { from: number; to: number };

export function partsOf(cuts: Cuts, total: number): Part[] {
  const ends = [...cuts].filter((page) => page > 0 && page < total).sort((a, b) => a - b);
  return [...ends, total].map((to, index) => ({ from: (ends[index - 1] ?? 0) + 1, to }));
}

export const textOf = (cuts: Cuts, total: number): string =>
  partsOf(cuts, total)
    .map(({ from, to }) => (from === to ? `${from}` : `${from}-${to}`))
    .join(';');

/** The cuts that a typed text means, or null where it leaves pages out, repeats or reorders them. */
export function cutsOf(text: string, total: number): Cuts | null {
  const parts = parseParts(text, total);
  const cuts = new Set<number>();
  let next = 1;
  for (const part of parts) {
    if (!part.ok || part.pages.some((page, index) => page !== next + index)) return null;
    next += part.pages.length;
    if (next <= total) cuts.add(next - 1);
  }
  return next === total + 1 ? cuts : null;
}

export function cutEvery(pages: number, total: number): Cuts {
  const cuts = new Set<number>();
  for (let page = pages; pages > 0 && page < total; page += pages) cuts.add(page);
  return cuts;
}

/** `parts` parts whose sizes differ by one page at most, the longer ones first. */
export function cutInto(parts: number, total: number): Cuts {
  const cuts = new Set<number>();
  const wanted = Math.min(Math.max(1, parts), total);
  for (let part = 1, end = 0; part < wanted; part += 1) {
    end += Math.floor(total / wanted) + (part <= total % wanted ? 1 : 0);
    cuts.add(end);
  }
  return cuts;
}

export function toggledCut(cuts: Cuts, page: number): Cuts {
  const next = new Set(cuts);
  if (!next.delete(page)) next.add(page);
  return next;
}

/** Which part each page is in, from 1; 0 for pages that no part has. */
export function partNumbers(text: string, total: number): Uint32Array {
  const numbers = new Uint32Array(total + 1);
  parseParts(text, total).forEach((part, index) => {
    if (part.ok) for (const page of part.pages) numbers[page] ||= index + 1;
  });
  return numbers;
}
