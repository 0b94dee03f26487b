import { useMemo, useRef, useState } from 'react';
import type { ChosenFile, Lang, Listing } from '../workbench/contract';
import { type Choice, NONE, present } from './board/choice';
import {
  type Board,
  duplicated,
  type Ids,
  isBlank,
  type Leaf,
  moved,
  removed,
  reversed,
} from './board/model';
import { PageBoard } from './board/PageBoard';
import type { Section } from './board/types';
import type { Steps } from './board/useHistory';
import { Close, Down, Up } from './icons';
import { pagesNamed, textFor } from './pageRanges';
import { wordsOf } from './words';

type Props = {
  /** In the order of the result. */
  files: ChosenFile[];
  /** Page range of each. */
  ranges: readonly string[];
  onRanges(ranges: string[]): void;
  onSwap(id: string, by: number): void;
  steps: Pick<Steps<unknown>, 'undo' | 'redo'>;
  list: Listing | undefined;
  lang: Lang;
};

/** The pages of a merge: which of each file, and in which order. */
export function OrderPages({ files, ranges, onRanges, onSwap, steps, list, lang }: Props) {
  const words = wordsOf(lang);
  const [own, setOwn] = useState<Choice>(NONE);
  const [kept, setKept] = useState(false);
  const sections = useRangedSections(files, ranges);
  const leaves = useMemo(() => sections.flatMap((section) => section.leaves), [sections]);
  const board: Board = { leaves, next: 1 + leaves.reduce((most, { id }) => Math.max(most, id), 0) };
  /** Pages stay with their file: only their order there, and whether they are there at all, can be said. */
  const write = (next: readonly Leaf[]) => {
    const texts = files.map((file, index) => textFor(pagesIn(next, file), file, ranges[index] ?? ''));
    const empty = texts.includes(null);
    setKept(empty);
    if (!empty) onRanges(texts as string[]);
  };
  const act = (make: (of: Board, ids: Ids) => Board) => (ids: Ids) => write(make(board, ids).leaves);
  return (
    <PageBoard
      files={files}
      sections={sections}
      choice={present(own, leaves)}
      onChoice={setOwn}
      deeds={{
        move: (ids, to) => write(moved(board, ids, to).leaves),
        copy: act(duplicated),
        remove: act(removed),
        reverse: act(reversed),
      }}
      steps={steps}
      fileTools={(file) => (
        <FileTools
          file={file}
          place={files.indexOf(file)}
          last={files.length - 1}
          words={words}
          onSwap={onSwap}
          onRemove={list?.onRemove}
        />
      )}
      notice={kept && <p className="editor-notice">{words.keepOne}</p>}
      lang={lang}
      onPassword={list?.onPassword}
    />
  );
}

const pagesIn = (leaves: readonly Leaf[], file: ChosenFile): number[] =>
  leaves.flatMap((leaf) => (!isBlank(leaf) && leaf.file === file.id ? [leaf.page] : []));

/** The pages that the ranges name; each keeps its id wherever it is, a second copy has one of its own. */
function useRangedSections(files: readonly ChosenFile[], ranges: readonly string[]): readonly Section[] {
  const ids = useRef(new Map<string, Leaf>());
  return useMemo(
    () =>
      files.map((file, index) => {
        const times = new Map<number, number>();
        const leaves = pagesNamed(ranges[index] ?? '', file).map((page) => {
          const nth = (times.get(page) ?? 0) + 1;
          times.set(page, nth);
          return leafOf(ids.current, file.id, page, nth);
        });
        return { file, leaves };
      }),
    [files, ranges],
  );
}

function leafOf(known: Map<string, Leaf>, file: string, page: number, nth: number): Leaf {
  const key = `${file}/${page}/${nth}`;
  const leaf = known.get(key) ?? { id: known.size + 1, file, page, turn: 0, cut: false };
  known.set(key, leaf);
  return leaf;
}

type FileToolsProps = {
  file: ChosenFile;
  place: number;
  last: number;
  words: ReturnType<typeof wordsOf>;
  onSwap(id: string, by: number): void;
  onRemove: ((id: string) => void) | undefined;
};

function FileTools({ file, place, last, words, onSwap, onRemove }: FileToolsProps) {
  return (
    <span className="board-head-tools">
      <button
        type="button"
        aria-label={words.up(file.name)}
        disabled={place === 0}
        onClick={() => onSwap(file.id, -1)}
      >
        <Up />
      </button>
      <button
        type="button"
        aria-label={words.down(file.name)}
        disabled={place === last}
        onClick={() => onSwap(file.id, 1)}
      >
        <Down />
      </button>
      {onRemove && (
        <button type="button" aria-label={words.remove(file.name)} onClick={() => onRemove(file.id)}>
          <Close />
        </button>
      )}
    </span>
  );
}
