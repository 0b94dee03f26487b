import {
  ArrowDownUp,
  Copy,
  FilePlus,
  Minus,
  Plus,
  Redo2,
  RefreshCw,
  RotateCcw,
  RotateCw,
  Trash2,
  Undo2,
  X,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { type Choice, NONE } from './choice';
import type { Ids, Leaf } from './model';
import { Tool } from './parts';
import { SelectMenu } from './SelectMenu';
import type { Deeds } from './types';
import type { BoardWords } from './words';

type Props = {
  leaves: readonly Leaf[];
  groups: readonly (readonly Leaf[])[];
  choice: Choice | null;
  onChoice(choice: Choice): void;
  deeds: Deeds;
  undo: (() => void) | null;
  redo: (() => void) | null;
  /** Null where it cannot go further. */
  smaller: (() => void) | null;
  larger: (() => void) | null;
  ofShape(shape: 'landscape' | 'portrait'): Promise<Choice | null>;
  outcome: ReactNode;
  words: BoardWords;
};

export function Toolbar(props: Props) {
  const { choice, undo, redo, smaller, larger, outcome, words } = props;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset does not lay out its children as this does
    <div className="board-bar" role="group" aria-label={words.tools}>
      {outcome && (
        <p className="board-outcome" role="status" data-testid="board-outcome">
          {outcome}
        </p>
      )}
      {choice && <Choosing {...props} choice={choice} />}
      {choice && <Doing {...props} choice={choice} />}
      <span className="board-group board-end">
        <Tool slim icon={Undo2} word={words.undo} disabled={!undo} onPress={() => undo?.()} testid="undo" />
        <Tool slim icon={Redo2} word={words.redo} disabled={!redo} onPress={() => redo?.()} testid="redo" />
      </span>
      <span className="board-group board-zoom">
        <Tool slim icon={Minus} word={words.smaller} disabled={!smaller} onPress={() => smaller?.()} />
        <Tool slim icon={Plus} word={words.larger} disabled={!larger} onPress={() => larger?.()} />
      </span>
    </div>
  );
}

type Chosen = Props & { choice: Choice };

function Choosing({ groups, choice, onChoice, ofShape, words }: Chosen) {
  const count = choice.ids.size;
  return (
    <span className="board-group">
      <SelectMenu groups={groups} choice={choice} onChoice={onChoice} ofShape={ofShape} words={words} />
      <span className="board-count" role="status" data-testid="board-count" data-count={count}>
        {count > 0 && words.selected(count)}
      </span>
      {count > 0 && (
        <Tool slim icon={X} word={words.none} onPress={() => onChoice(NONE)} testid="board-none" />
      )}
    </span>
  );
}

/** Acts on what is chosen, or on every page where nothing is and that is harmless. */
function Doing({ leaves, choice, deeds, words }: Chosen) {
  const { turn, copy, remove, reverse, blank } = deeds;
  const none = choice.ids.size === 0;
  const all: Ids = none ? new Set(leaves.map(({ id }) => id)) : choice.ids;
  const after = leaves.findLastIndex(({ id }) => all.has(id)) + 1;
  return (
    <span className="board-group">
      {turn && <Tool icon={RotateCcw} word={words.left} onPress={() => turn(all, 270)} />}
      {turn && <Tool icon={RotateCw} word={words.right} onPress={() => turn(all, 90)} />}
      {turn && <Tool icon={RefreshCw} word={words.half} onPress={() => turn(all, 180)} />}
      {copy && <Tool icon={Copy} word={words.copy} disabled={none} onPress={() => copy(choice.ids)} />}
      {blank && <Tool icon={FilePlus} word={words.insertBlank} onPress={() => blank(after)} />}
      {reverse && <Tool icon={ArrowDownUp} word={words.reverse} onPress={() => reverse(all)} />}
      {remove && (
        <Tool icon={Trash2} word={words.remove} danger disabled={none} onPress={() => remove(choice.ids)} />
      )}
    </span>
  );
}
