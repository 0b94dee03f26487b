import { useEffect, useMemo, useState } from 'react';
import type { EditorProps, Json } from '../../workbench/contract';
import type { Choice } from '../board/choice';
import { isBlank } from '../board/model';
import { PageBoard } from '../board/PageBoard';
import type { Section } from '../board/types';
import { sameJson, useHistory } from '../board/useHistory';
import { useSections } from '../board/useSections';
import { idsNamed, textOf } from '../pick';
import type { Sensitivity } from '../pdf/blank';
import { wordsOf as commonWordsOf } from '../words';
import { type Found, type Search, useBlanks } from './useBlanks';
import { type BlankWords, wordsOf } from './words';
import '../editors.css';

type Struck = { pages: string; found: Found[] | null };
type StrikeOptions = Struck & { blanks: 'keep' | Sensitivity };
type Ids = ReadonlySet<number>;

/** Pages that go: they are struck out, by hand or because they are blank. What is struck out goes, and nothing else. */
export default function StrikeEditor({ files, options, onChange, lang, list }: EditorProps) {
  const words = wordsOf(lang);
  const { pages, found, blanks }: StrikeOptions = {
    pages: '',
    found: null,
    blanks: 'keep',
    ...(options as Partial<StrikeOptions>),
  };
  const write = (next: Struck) => onChange({ ...(options as object), ...next } as Json);
  const sections = useSections(files);
  const search = useBlanks(files, blanks === 'keep' ? null : blanks);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each search is told once
  useEffect(() => {
    const told = search.at === 'done' ? search.found : null;
    if (!sameJson(told, found)) write({ pages, found: told });
  }, [search]);
  const [anchor, setAnchor] = useState<number | null>(null);
  const [named, blank] = useMemo(
    () => [idsNamed(pages, sections), idsOf(found ?? [], sections)],
    [pages, found, sections],
  );
  const ids = useMemo(() => new Set([...named, ...blank]), [named, blank]);
  const steps = useHistory({ pages, found }, write, sameJson);
  const choose = (next: Choice) => {
    setAnchor(next.anchor);
    steps.act(struck(next, { named, blank }, found, sections));
  };
  return (
    <section className="editor" aria-label={commonWordsOf(lang).pagesGrid}>
      <PageBoard
        files={files}
        sections={sections}
        choice={{ ids, anchor }}
        onChoice={choose}
        deeds={{}}
        steps={steps}
        striking
        notice={<Notice search={search} words={words} />}
        lang={lang}
        onPassword={list?.onPassword}
      />
    </section>
  );
}

function Notice({ search, words }: { search: Search; words: BlankWords }) {
  if (search.at === 'idle') return null;
  const count = search.at === 'done' ? search.found.length : undefined;
  return (
    <p className="field-hint" role="status" data-testid="blanks" data-at={search.at} data-count={count}>
      {search.at === 'looking' && words.looking(search.done, search.total)}
      {search.at === 'later' && words.later}
      {count !== undefined && (count > 0 ? words.found(count) : words.none)}
    </p>
  );
}

const idsOf = (found: readonly Found[], sections: readonly Section[]): Ids =>
  new Set(found.flatMap(({ file, page }) => sections[file]?.leaves[page - 1]?.id ?? []));

/** What is struck out after a choice: a blank page that is let go of stays, others count by their range. */
function struck(
  next: Choice,
  { named, blank }: { named: Ids; blank: Ids },
  found: readonly Found[] | null,
  sections: readonly Section[],
): Struck {
  const kept = sections.flatMap(({ leaves }, file) =>
    leaves.flatMap((leaf) =>
      blank.has(leaf.id) && next.ids.has(leaf.id) && !isBlank(leaf) ? [{ file, page: leaf.page }] : [],
    ),
  );
  const byHand = new Set([...next.ids].filter((id) => !blank.has(id) || named.has(id)));
  return { pages: textOf({ ...next, ids: byHand }, named, sections), found: found && kept };
}
