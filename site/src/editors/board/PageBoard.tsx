import { type KeyboardEvent, useMemo, useState } from 'react';
import type { ChosenFile } from '../../workbench/contract';
import { useStable } from '../useStable';
import { BigView } from './BigView';
import { extended, NONE, toggled } from './choice';
import { Grid, type GridProps } from './Grid';
import { FEWEST } from './layout';
import { actOfKey, type KeyAct } from './keys';
import { allOf, isBlank } from './model';
import { namesOf, pictureOf } from './naming';
import { leavesOfShape } from './shapes';
import { Toolbar } from './Toolbar';
import type { BoardProps, Deeds, Press } from './types';
import { useOpened } from './useOpened';
import { boardWords, type BoardWords } from './words';
import '../../fields/fields.css';
import './board.css';

/** Steps of the zoom to smaller pages. */
const FARTHEST = -3;

/** Pages of one or many files in one grid, and everything one does to them. */
export function PageBoard(props: BoardProps) {
  const { files, sections, deeds, choice, onChoice, steps, lang } = props;
  const words = boardWords(lang);
  const leaves = useMemo(() => sections.flatMap((section) => section.leaves), [sections]);
  const groups = useMemo(() => sections.map((section) => section.leaves), [sections]);
  const [zoomed, setZoomed] = useState<number | null>(null);
  const [room, setRoom] = useState({ columns: FEWEST, fit: 0 });
  const [looked, setLooked] = useState<number | null>(null);
  const [said, setSaid] = useState('');
  const [seen, setSeen] = useState<readonly ChosenFile[]>([]);
  const opened = useOpened(seen);
  const tell = useTelling(deeds, words, setSaid);
  const onPress = useStable((press: Press, id: number, withShift = false) => {
    const ids = new Set([id]);
    const presses: Record<Press, () => void> = {
      pick: () => choice && onChoice(withShift ? extended(choice, leaves, id) : toggled(choice, id)),
      look: () => setLooked(leaves.findIndex((leaf) => leaf.id === id)),
      cut: () => deeds.cut?.(id),
      copy: () => tell.copy?.(ids),
      remove: () => tell.remove?.(ids),
      left: () => deeds.turn?.(ids, 270),
      right: () => deeds.turn?.(ids, 90),
    };
    presses[press]();
  });
  const onKey = (event: KeyboardEvent, item: number): boolean => {
    const found = actOfKey(event);
    const board: Partial<Record<KeyAct, () => void>> = {
      undo: () => steps.undo?.(),
      redo: () => steps.redo?.(),
      all: () => choice && onChoice({ ids: allOf({ leaves }), anchor: null }),
      none: () => choice && onChoice(NONE),
    };
    const [leaf, whole] = [leaves[item], found && board[found]];
    if (whole) whole();
    else if (found === 'remove' && leaf && choice?.ids.has(leaf.id)) tell.remove?.(choice.ids);
    else if (found && leaf) onPress(found as Press, leaf.id);
    return found !== null;
  };
  const onRoom = useStable((columns: number, fit: number) => setRoom({ columns, fit }));
  const closer = zoomed ?? room.fit;
  const named = useMemo(() => namesOf(sections, files, words), [sections, files, words]);
  const grid: GridProps = {
    ...props,
    leaves,
    words,
    opened,
    named,
    closer: zoomed,
    onRoom,
    onPress,
    onKey,
    onSeen: setSeen,
    deeds: tell,
  };
  const big = looked === null ? undefined : leaves[looked];
  return (
    <div
      className="board"
      data-testid="board"
      data-pages={leaves.length}
      data-striking={props.striking || undefined}
    >
      <Toolbar
        leaves={leaves}
        groups={groups}
        choice={props.pointing ? null : choice}
        onChoice={onChoice}
        deeds={tell}
        undo={steps.undo}
        redo={steps.redo}
        smaller={closer > FARTHEST ? () => setZoomed(closer - 1) : null}
        larger={room.columns - closer > FEWEST ? () => setZoomed(closer + 1) : null}
        ofShape={(shape) => leavesOfShape(leaves, files, shape)}
        outcome={props.outcome}
        words={words}
      />
      {props.notice}
      <Grid {...grid} />
      <p className="sr-only" role="status">
        {said}
      </p>
      {big && looked !== null && (
        <BigView
          leaf={big}
          name={named(big).name}
          state={isBlank(big) ? undefined : opened.get(big.file)}
          picture={pictureOf(big, files)}
          place={looked}
          total={leaves.length}
          words={words}
          onPlace={setLooked}
          onTurn={deeds.turn && ((by) => deeds.turn?.(new Set([big.id]), by))}
          onClose={() => setLooked(null)}
        />
      )}
    </div>
  );
}

/** The same deeds, each said to whoever does not see it. */
function useTelling(deeds: Deeds, words: BoardWords, say: (text: string) => void): Deeds {
  const { move, copy, remove } = deeds;
  return {
    ...deeds,
    move:
      move &&
      ((ids, to) => {
        move(ids, to);
        say(words.movedTo(ids.size, to + 1));
      }),
    copy:
      copy &&
      ((ids) => {
        copy(ids);
        say(words.copied(ids.size));
      }),
    remove:
      remove &&
      ((ids) => {
        remove(ids);
        say(words.removedPages(ids.size));
      }),
  };
}
