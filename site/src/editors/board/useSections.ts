import { useMemo, useRef } from 'react';
import type { ChosenFile } from '../../workbench/contract';
import { EMPTY, inserted, type Leaf, pagesOf } from './model';
import type { Section } from './types';

type Known = Map<string, { pages: number; leaves: readonly Leaf[] }>;

/** A section for each file with its pages as they are; a leaf keeps its id as long as its file is there. */
export function useSections(files: readonly ChosenFile[]): readonly Section[] {
  const known = useRef<Known>(new Map());
  const next = useRef(EMPTY.next);
  const key = files.map(({ id, pages }) => `${id}:${pages}`).join('/');
  // biome-ignore lint/correctness/useExhaustiveDependencies: the files that matter are in the key
  const leaves = useMemo(
    () =>
      files.map((file) => {
        const pages = countOf(file);
        const one = known.current.get(file.id);
        if (one?.pages === pages) return one.leaves;
        const made = inserted({ leaves: [], next: next.current }, 0, pagesOf(file.id, pages));
        next.current = made.next;
        known.current.set(file.id, { pages, leaves: made.leaves });
        return made.leaves;
      }),
    [key],
  );
  return useMemo(() => files.map((file, index) => ({ file, leaves: leaves[index] ?? [] })), [files, leaves]);
}

/** Pages that can be laid out: a picture is one, a file that nobody opened yet has none. */
const countOf = ({ kind, pages }: ChosenFile): number => (kind === 'pdf' ? (pages ?? 0) : 1);
