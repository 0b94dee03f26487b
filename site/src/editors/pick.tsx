import { useMemo, useState } from 'react';
import { formatPages, parsePages } from '../ranges';
import type { EditorProps, Json } from '../workbench/contract';
import type { Choice } from './board/choice';
import { isBlank, type Leaf } from './board/model';
import { PageBoard } from './board/PageBoard';
import type { Section } from './board/types';
import { useHistory } from './board/useHistory';
import { useSections } from './board/useSections';
import { wordsOf } from './words';
import './editors.css';

type PickOptions = { pages?: string };

/**
 * The board of tools whose option `pages` names the pages they take: they are ticked. A range holds for each of several
 * files, so page 3 is chosen in all of them.
 */
export default function PickEditor({ files, options, onChange, lang, list }: EditorProps) {
  const words = wordsOf(lang);
  const { pages = '' } = (options ?? {}) as PickOptions;
  const sections = useSections(files);
  const [anchor, setAnchor] = useState<number | null>(null);
  const ids = useMemo(() => idsNamed(pages, sections), [pages, sections]);
  const steps = useHistory(
    pages,
    (next) => onChange({ ...(options as object), pages: next } as Json),
    Object.is,
  );
  const choose = (next: Choice) => {
    setAnchor(next.anchor);
    steps.act(textOf(next, ids, sections));
  };
  return (
    <section className="editor" aria-label={words.pagesGrid}>
      <PageBoard
        files={files}
        sections={sections}
        choice={{ ids, anchor }}
        onChoice={choose}
        deeds={{}}
        steps={steps}
        lang={lang}
        onPassword={list?.onPassword}
      />
    </section>
  );
}

const pageOf = (leaf: Leaf): number => (isBlank(leaf) ? 0 : leaf.page);

export function idsNamed(text: string, sections: readonly Section[]): ReadonlySet<number> {
  if (text.trim() === '') return new Set();
  return new Set(
    sections.flatMap(({ leaves }) => {
      const found = parsePages(text, leaves.length);
      return found.ok ? found.pages.map((page) => leaves[page - 1]?.id as number) : [];
    }),
  );
}

/** The range after some leaves were chosen or let go: what changed in one file changes in all. */
export function textOf(next: Choice, before: ReadonlySet<number>, sections: readonly Section[]): string {
  const pages = new Set<number>();
  const changed = new Map<number, boolean>();
  for (const leaf of sections.flatMap(({ leaves }) => leaves)) {
    if (before.has(leaf.id)) pages.add(pageOf(leaf));
    if (before.has(leaf.id) !== next.ids.has(leaf.id)) changed.set(pageOf(leaf), next.ids.has(leaf.id));
  }
  for (const [page, isChosen] of changed) isChosen ? pages.add(page) : pages.delete(page);
  return formatPages(pages, Math.max(0, ...sections.map(({ leaves }) => leaves.length)));
}
