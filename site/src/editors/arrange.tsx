import { useEffect, useMemo, useRef, useState } from 'react';
import type { ChosenFile, EditorProps, Json } from '../workbench/contract';
import { type Choice, NONE, present } from './board/choice';
import {
  arrived,
  type Board,
  duplicated,
  EMPTY,
  type Ids,
  inserted,
  isBlank,
  moved,
  removed,
  reversed,
  turned,
} from './board/model';
import { PageBoard } from './board/PageBoard';
import { boardOf, type Run, runsOf } from './board/runs';
import { sameJson, useHistory } from './board/useHistory';
import { wordsOf } from './words';
import './editors.css';

type ArrangeOptions = { board?: Run[] };

/** All pages of all files on one board, moved, turned, copied, deleted and mixed with blank ones: option `board`. */
export default function ArrangeEditor({ files, options, onChange, lang, list }: EditorProps) {
  const words = wordsOf(lang);
  const [own, setOwn] = useState<Choice>(NONE);
  const ids = useMemo(() => files.map(({ id }) => id), [files]);
  const { board: told = [] } = (options ?? {}) as ArrangeOptions;
  const kept = useRef<Board | null>(null);
  const write = (board: Board) => {
    kept.current = board;
    onChange({ ...(options as object), board: runsOf(board.leaves, ids) } as unknown as Json);
  };
  const { board, join } = useBoard(told, files, kept);
  const steps = useHistory(board, write, Object.is, join);
  useEffect(() => {
    // New files, or files that went: the option follows the board.
    if (!sameJson(told, runsOf(board.leaves, ids))) write(board);
  });
  const leaves = useMemo(() => shownLeaves(board, ids), [board, ids]);
  const sections = useMemo(() => [{ file: null, leaves }], [leaves]);
  const shown: Board = { leaves, next: board.next };
  const act = (make: (board: Board, ids: Ids) => Board) => (chosen: Ids) => steps.act(make(shown, chosen));
  return (
    <section className="editor" aria-label={words.pagesGrid}>
      <PageBoard
        files={files}
        sections={sections}
        choice={present(own, leaves)}
        onChoice={setOwn}
        deeds={{
          turn: (chosen, by) => steps.act(turned(shown, chosen, by)),
          move: (chosen, to) => steps.act(moved(shown, chosen, to)),
          copy: act(duplicated),
          remove: act(removed),
          reverse: act(reversed),
          blank: (at) => steps.act(inserted(shown, at, [{ blank: 'previous' }])),
        }}
        steps={steps}
        lang={lang}
        onPassword={list?.onPassword}
      />
    </section>
  );
}

/** Pages of files that were taken away are not shown, but stay for undo until the next act. */
const shownLeaves = ({ leaves }: Board, ids: readonly string[]) => {
  const there = new Set(ids);
  return leaves.every((leaf) => isBlank(leaf) || there.has(leaf.file))
    ? leaves
    : leaves.filter((leaf) => isBlank(leaf) || there.has(leaf.file));
};

/** The board that the option tells, its leaves keeping their ids; the pages of a new file come to it by `join`. */
function useBoard(
  told: readonly Run[],
  files: readonly ChosenFile[],
  kept: { current: Board | null },
): { board: Board; join: ((board: Board) => Board) | null } {
  const laid = useRef(new Set<string>());
  const ids = files.map(({ id }) => id);
  let board = kept.current;
  if (!board) {
    board = told.length > 0 ? boardOf(told, ids) : EMPTY;
    for (const leaf of board.leaves) if (!isBlank(leaf)) laid.current.add(leaf.file);
  }
  const fresh = files.filter(
    ({ id, kind, pages }) => kind === 'pdf' && pages !== null && !laid.current.has(id),
  );
  for (const { id } of fresh) laid.current.add(id);
  const withPages = (any: Board, { id, pages }: ChosenFile) => arrived(any, id, pages ?? 0, ids);
  const join = fresh.length > 0 ? (any: Board) => fresh.reduce(withPages, any) : null;
  kept.current = join ? join(board) : board;
  return { board: kept.current, join };
}
