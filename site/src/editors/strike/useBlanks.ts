import { useEffect, useRef, useState } from 'react';
import type { ChosenFile } from '../../workbench/contract';
import { greyOf, isBlank, type Sensitivity } from '../pdf/blank';
import { borrow, giveBack } from '../pdf/shared';

/** A page that is to go; `file` counts from 0, `page` from 1. */
export type Found = { file: number; page: number };
export type Search =
  | { at: 'idle' }
  | { at: 'looking'; done: number; total: number }
  | { at: 'done'; found: Found[] }
  /** Some file cannot be looked at here: the server will. */
  | { at: 'later' };

const LEVELS: Sensitivity[] = ['strict', 'normal', 'tolerant'];
/** How blank each page of a file is, by its place; looked at once for all levels. */
type Seen = Map<string, ReadonlySet<Sensitivity>[]>;

const keyOf = ({ id, password }: ChosenFile) => `${id}/${password ?? ''}`;

/** The blank pages of the files; null asks for none. */
export function useBlanks(files: readonly ChosenFile[], level: Sensitivity | null): Search {
  const seen = useRef<Seen>(new Map());
  const [search, setSearch] = useState<Search>({ at: 'idle' });
  const key = level && files.map(keyOf).join('|') + level;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the files that matter are in the key
  useEffect(() => {
    if (!level) return setSearch({ at: 'idle' });
    const stop = new AbortController();
    const tell = (next: Search) => !stop.signal.aborted && setSearch(next);
    look(files, seen.current, tell, stop.signal).then(
      () => tell({ at: 'done', found: foundIn(files, seen.current, level) }),
      () => tell({ at: 'later' }),
    );
    return () => stop.abort();
  }, [key]);
  return search;
}

async function look(
  files: readonly ChosenFile[],
  seen: Seen,
  tell: (search: Search) => void,
  signal: AbortSignal,
): Promise<void> {
  const total = files.reduce((sum, { pages }) => sum + (pages ?? 0), 0);
  let done = 0;
  for (const file of files) {
    const known = seen.get(keyOf(file)) ?? [];
    if (!file.blob) throw new Error('absent');
    seen.set(keyOf(file), known);
    const pdf = await borrow(file.blob, file.password);
    try {
      for (let page = 1; page <= pdf.pages; page += 1) {
        tell({ at: 'looking', done, total });
        known[page - 1] ??= await levelsOf(pdf, page, signal);
        done += 1;
      }
    } finally {
      giveBack(file.blob, file.password);
    }
  }
}

async function levelsOf(pdf: Parameters<typeof greyOf>[0], page: number, signal: AbortSignal) {
  const grey = await greyOf(pdf, page, signal);
  return new Set(LEVELS.filter((level) => isBlank(grey, level)));
}

const foundIn = (files: readonly ChosenFile[], seen: Seen, level: Sensitivity): Found[] =>
  files.flatMap((file, index) =>
    (seen.get(keyOf(file)) ?? []).flatMap((levels, at) =>
      levels.has(level) ? [{ file: index, page: at + 1 }] : [],
    ),
  );
