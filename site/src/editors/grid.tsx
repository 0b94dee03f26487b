import { useMemo, useState } from 'react';
import { formatPages, parsePages } from '../ranges';
import type { ChosenFile, EditorProps, Json } from '../workbench/contract';
import { type Choice, NONE, present } from './board/choice';
import { type Ids, isBlank, type Leaf, type Turn } from './board/model';
import { PageBoard } from './board/PageBoard';
import type { Section } from './board/types';
import { sameJson, useHistory } from './board/useHistory';
import { useSections } from './board/useSections';
import {
  type Click,
  clicksToStartFrom,
  formTurns,
  type Quarter,
  type RotateOptions,
  turnedBy,
} from './turns';
import { type Words, wordsOf } from './words';
import './editors.css';

/** The board of the rotate tool: choose pages, or turn single ones by hand; the pages show the result. */
export default function Grid({ files, options, onChange, lang, list }: EditorProps) {
  const words = wordsOf(lang);
  const chosen = readOptions(options);
  const change = (changed: Partial<RotateOptions>) =>
    onChange({ ...(options as object), ...changed } as Json);
  const plain = useSections(files);
  const { clicks, pages, turn, only } = chosen;
  // biome-ignore lint/correctness/useExhaustiveDependencies: what turns the pages
  const sections = useMemo(() => turnedSections(plain, chosen), [plain, clicks, pages, turn, only]);
  const steps = useHistory(clicks, (next) => change({ clicks: next }), sameJson);
  const turnBy = (ids: Ids, by: Quarter) => {
    const counts = files.map((file) => file.pages);
    const start = clicksToStartFrom(chosen, counts);
    steps.act(
      files.reduce((made, file, index) => turnedBy(made, index, pagesIn(sections, file, ids), by), start),
    );
  };
  const { choice, choose } = useChosenPages(sections, pages, change);
  return (
    <section className="editor" aria-label={words.pagesGrid}>
      <PageBoard
        files={files}
        sections={sections}
        choice={choice}
        onChoice={choose}
        deeds={{ turn: turnBy }}
        steps={steps}
        shape={clicks ? 'any' : (only as 'any' | 'landscape' | 'portrait')}
        notice={
          <Hint
            byHand={clicks !== null}
            words={words}
            onReset={() => steps.act([])}
            onForm={() => steps.act(null)}
          />
        }
        lang={lang}
        onPassword={list?.onPassword}
      />
    </section>
  );
}

function readOptions(options: Json): RotateOptions {
  return { turn: 2, pages: '', only: 'any', clicks: null, ...(options as Partial<RotateOptions>) };
}

/** Pages that show how they will come out. */
function turnedSections(plain: readonly Section[], options: RotateOptions): readonly Section[] {
  return plain.map(({ file, leaves }, index) => {
    const turns = options.clicks ? clickTurns(options.clicks, index) : formTurns(options, leaves.length);
    return { file, leaves: leaves.map((leaf) => asTurned(leaf, turns)) };
  });
}

function asTurned(leaf: Leaf, turns: ReadonlyMap<number, Turn>): Leaf {
  const turn = isBlank(leaf) ? 0 : (turns.get(leaf.page) ?? 0);
  return turn === leaf.turn ? leaf : { ...leaf, turn };
}

const clickTurns = (clicks: readonly Click[], file: number) =>
  new Map(clicks.filter((click) => click.file === file).map((click) => [click.page, click.turn]));

const pagesIn = (sections: readonly Section[], file: ChosenFile, ids: Ids): number[] =>
  sections
    .filter((section) => section.file?.id === file.id)
    .flatMap(({ leaves }) =>
      leaves.flatMap((leaf) => (ids.has(leaf.id) && !isBlank(leaf) ? [leaf.page] : [])),
    );

/** With one file the choice is the form's page range; a range holds for every file, so with several it is the board's own. */
function useChosenPages(
  sections: readonly Section[],
  pages: string,
  change: (changed: Partial<RotateOptions>) => void,
) {
  const [own, setOwn] = useState<Choice>(NONE);
  const [anchor, setAnchor] = useState<number | null>(null);
  const leaves = sections.flatMap((section) => section.leaves);
  if (sections.length !== 1) return { choice: present(own, leaves), choose: setOwn };
  const choose = (next: Choice) => {
    setAnchor(next.anchor);
    const numbers = leaves.flatMap(({ id }, index) => (next.ids.has(id) ? [index + 1] : []));
    change({ pages: formatPages(numbers, leaves.length) });
  };
  return { choice: { ids: idsNamed(pages, leaves), anchor }, choose };
}

/** No range means every page, which the board shows as no choice. */
function idsNamed(text: string, leaves: readonly Leaf[]): Ids {
  if (text.trim() === '') return new Set();
  const found = parsePages(text, leaves.length);
  return new Set(found.ok ? found.pages.map((page) => leaves[page - 1]?.id as number) : []);
}

type HintProps = { byHand: boolean; words: Words; onReset(): void; onForm(): void };

function Hint({ byHand, words, onReset, onForm }: HintProps) {
  if (!byHand) return <p className="field-hint">{words.rotateHint}</p>;
  return (
    <div className="editor-notice" role="status">
      <p>{words.byHand}</p>
      <div className="field-chips">
        <button type="button" className="field-chip" onClick={onReset}>
          {words.upright}
        </button>
        <button type="button" className="field-chip" onClick={onForm}>
          {words.backToForm}
        </button>
      </div>
    </div>
  );
}
