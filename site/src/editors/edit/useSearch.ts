import { useEffect, useRef, useState } from 'react';
import type { OpenPdf } from '../pdf/open';
import { textOf } from '../pdf/text';
import type { Hit, HideAct, Known, ReplaceAct } from './acts';
import { type Found, foundIn, type Search } from './find';

export type Searching = {
  /** Null before the first search. */
  found: readonly Found[] | null;
  /** Places that were taken out of the list. */
  off: ReadonlySet<number>;
  search: Search;
  /** The page being read, or null when it is done. */
  at: number | null;
  /** Whether any page had text. */
  hasText: boolean;
};

const NONE: Searching = {
  found: null,
  off: new Set(),
  search: { terms: [], presets: [], case: false, word: false },
  at: null,
  hasText: true,
};

/** After so many pages a search tells how far it is. */
const TOLD = 4;

/** What was found in a document, by what was searched for. */
const places = new WeakMap<OpenPdf, Map<string, readonly Hit[]>>();

const keyOf = (act: ReplaceAct | HideAct): string => {
  const { case: exact, word } = act;
  return JSON.stringify(
    act.kind === 'hide' ? [act.terms, act.presets, exact, word] : [[act.find], [], exact, word],
  );
};

/** Keeps what an act means that names no places of its own. */
function remember(pdf: OpenPdf, act: ReplaceAct | HideAct, hits: readonly Hit[]): void {
  const known = places.get(pdf) ?? new Map<string, readonly Hit[]>();
  places.set(pdf, known.set(keyOf(act), hits));
}

const knownIn =
  (pdf: OpenPdf): Known =>
  (act) =>
    act.hits ?? places.get(pdf)?.get(keyOf(act)) ?? [];

/** Searches the document page by page; a new search ends the one before. */
export function useSearch(pdf: OpenPdf) {
  const [state, setState] = useState<Searching>(NONE);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  const clear = () => {
    running.current?.abort();
    setState(NONE);
  };
  const run = async (search: Search) => {
    running.current?.abort();
    const stop = new AbortController();
    running.current = stop;
    const found: Found[] = [];
    let hasText = false;
    setState({ ...NONE, found: [], search, at: 1 });
    for (let page = 1; page <= pdf.pages; page += 1) {
      // Places taken out of the list meanwhile stay out.
      if (page % TOLD === 0) setState((old) => ({ ...old, found: [...found], at: page }));
      const pieces = await textOf(pdf, page).catch(() => []);
      if (stop.signal.aborted) return;
      hasText ||= pieces.length > 0;
      found.push(...foundIn(pieces, page, search));
    }
    setState((old) => ({ ...old, found, at: null, hasText }));
  };
  const toggle = (at: number) =>
    setState((old) => {
      const off = new Set(old.off);
      if (!off.delete(at)) off.add(at);
      return { ...old, off };
    });
  const all = (on: boolean) =>
    setState((old) => ({ ...old, off: on ? new Set() : new Set((old.found ?? []).map((_, at) => at)) }));
  const keep = (act: ReplaceAct | HideAct, hits: readonly Hit[]) => remember(pdf, act, hits);
  return { state, run, clear, toggle, all, keep, known: knownIn(pdf) };
}

export type SearchDesk = ReturnType<typeof useSearch>;
