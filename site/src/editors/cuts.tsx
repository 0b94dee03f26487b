import { useMemo } from 'react';
import type { EditorProps, Json } from '../workbench/contract';
import { NONE } from './board/choice';
import { isBlank } from './board/model';
import { PageBoard } from './board/PageBoard';
import type { PartLook, Section } from './board/types';
import { sameJson, useHistory } from './board/useHistory';
import { useSections } from './board/useSections';
import { type Cuts, cutsOf, partNumbers, partsOf, textOf, toggledCut, type Way } from './cutting';
import { type Words, wordsOf } from './words';
import './editors.css';

type SplitOptions = { split: Way };

/** Pages with scissors between them; cuts and typed ranges are two views of the same option. */
export default function CutsEditor({ files, options, onChange, lang, list }: EditorProps) {
  const words = wordsOf(lang);
  const { split } = options as unknown as SplitOptions;
  const sections = useSections(files);
  const steps = useHistory(
    split,
    (way) => onChange({ ...(options as object), split: way } as unknown as Json),
    sameJson,
  );
  const cut = useMemo(() => sections.map((section) => cutSection(section, split)), [sections, split]);
  const looks = useMemo(() => cut.flatMap((one) => looksOf(one, words)), [cut, words]);
  const write = (cuts: Cuts, total: number) => {
    const joined = split.how === 'ranges' && split.joined;
    steps.act({ how: 'ranges', ranges: textOf(cuts, total, files.length > 1), joined });
  };
  const toggle = (id: number) => {
    const one = cut.find(({ leaves }) => leaves.some((leaf) => leaf.id === id));
    const page = one?.leaves.find((leaf) => leaf.id === id);
    if (one && page && !isBlank(page)) write(toggledCut(one.cuts, page.page), one.leaves.length);
  };
  const anyCut = cut.find(({ cuts }) => cuts.size > 0);
  return (
    <section className="editor" aria-label={words.pagesGrid}>
      <PageBoard
        files={files}
        sections={sections}
        choice={null}
        onChoice={() => NONE}
        deeds={{ cut: toggle }}
        steps={steps}
        partAt={(place) => looks[place] ?? WHOLE}
        outcome={outcomeOf(split, cut, words)}
        notice={
          <div className="editor-bar-row">
            <p className="field-hint">{words.cutsHint}</p>
            {anyCut && (
              <button
                type="button"
                className="field-chip"
                onClick={() => write(new Set(), anyCut.leaves.length)}
              >
                {words.clearCuts}
              </button>
            )}
          </div>
        }
        leastCell={176}
        lang={lang}
        onPassword={list?.onPassword}
      />
    </section>
  );
}

const WHOLE: PartLook = { look: 'whole', name: null, cut: null };

type CutSection = Section & { parts: number[][] | null; numbers: Uint32Array; cuts: Cuts };

function cutSection(section: Section, way: Way): CutSection {
  const total = section.leaves.length;
  const parts = partsOf(way, total);
  return { ...section, parts, numbers: partNumbers(parts, total), cuts: cutsOf(parts, total) };
}

function looksOf({ leaves, parts, numbers }: CutSection, words: Words): PartLook[] {
  const alone = parts?.length === 1;
  return leaves.map((_, index) => {
    const [part = 0, before, after] = [numbers[index + 1], numbers[index], numbers[index + 2]];
    const begins = part > 0 && !alone && part !== before;
    return {
      look: part === 0 ? 'none' : alone ? 'whole' : part % 2 === 1 ? 'odd' : 'even',
      name: begins ? words.partOf(part) : null,
      cut: index + 1 === leaves.length ? null : part !== after,
    };
  });
}

function outcomeOf(way: Way, cut: readonly CutSection[], words: Words): string {
  if (way.how === 'size' || way.how === 'bookmarks' || way.how === 'blanks') return words.cutsLater;
  const known = cut.filter(({ leaves, parts }) => leaves.length > 0 && parts !== null);
  if (known.length === 0) return '';
  const joined = way.how === 'ranges' && way.joined;
  const made = known.map(({ parts }) =>
    joined ? 1 : (parts ?? []).filter((part) => part.length > 0).length,
  );
  return words.parts(made.reduce((sum, count) => sum + count, 0));
}
