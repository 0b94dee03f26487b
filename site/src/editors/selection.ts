/** Which pages are chosen, and from where a shift-click counts. */
export type Selection = { pages: ReadonlySet<number>; anchor: number };

export const noSelection: Selection = { pages: new Set(), anchor: 1 };

export function toggled({ pages }: Selection, page: number): Selection {
  const next = new Set(pages);
  if (!next.delete(page)) next.add(page);
  return { pages: next, anchor: page };
}

/** A shift-click adds everything between the anchor and the page. */
export function extended({ pages, anchor }: Selection, page: number): Selection {
  const next = new Set(pages);
  for (let at = Math.min(anchor, page); at <= Math.max(anchor, page); at += 1) next.add(at);
  return { pages: next, anchor };
}

export function everyPage(total: number): Selection {
  return { pages: new Set(Array.from({ length: total }, (_, i) => i + 1)), anchor: 1 };
}
