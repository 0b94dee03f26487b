import { Check, Copy, RotateCcw, RotateCw, Scissors, Trash2, X, ZoomIn } from 'lucide-react';
import { type CSSProperties, memo } from 'react';
import { isBlank, type Leaf } from './model';
import { LeafFace } from './LeafFace';
import type { PartLook, Press } from './types';
import type { PdfState } from './useOpened';
import { useFits } from './useFits';
import type { BoardWords } from './words';
import './leaf.css';

export type CellProps = {
  leaf: Leaf;
  /** From 1: the page of its file, or its place where files are mixed. */
  number: number;
  /** What the leaf is called, with its file's name where there are several. */
  name: string;
  size: number;
  /** Null: it cannot be chosen. */
  chosen: boolean | null;
  focusable: boolean;
  state: PdfState | undefined;
  /** Address of a picture, where the file is one. */
  picture: string | undefined;
  /** Hue of the file, where files are mixed. */
  hue: number | null;
  /** Buttons below the page. */
  quick: readonly Press[];
  shape: 'any' | 'landscape' | 'portrait';
  part: PartLook | null;
  words: BoardWords;
  onPress(press: Press, id: number, withShift: boolean): void;
};

const STRIP = 44;

export const LeafCell = memo(
  function LeafCell(props: CellProps) {
    const { leaf, size, chosen, part, hue } = props;
    const pdf = props.state?.at === 'open' ? props.state.pdf : null;
    const fits = useFits(pdf, isBlank(leaf) ? null : leaf.page, props.shape);
    const turn = fits ? leaf.turn : 0;
    return (
      <div
        className="leaf"
        data-chosen={chosen || undefined}
        data-turned={turn !== 0 || undefined}
        data-part={part?.look}
        data-strip={part ? true : undefined}
        style={hue === null ? undefined : ({ '--hue': hue } as CSSProperties)}
      >
        <Face {...props} turn={turn} room={part ? size - STRIP : size} />
        {part && part.cut !== null && <CutMark {...props} cut={part.cut} />}
        <Foot {...props} />
      </div>
    );
  },
  (old, now) => {
    const { part: was, ...before } = old;
    const { part: is, ...after } = now;
    const same = was?.look === is?.look && was?.cut === is?.cut && was?.name === is?.name;
    return (
      same && Object.entries(after).every(([key, value]) => before[key as keyof typeof before] === value)
    );
  },
);

function Face({
  leaf,
  name,
  size,
  chosen,
  focusable,
  state,
  picture,
  words,
  onPress,
  turn,
  room,
}: FaceProps) {
  const picks = chosen !== null;
  return (
    <button
      type="button"
      className="leaf-face"
      data-item={leaf.id}
      tabIndex={focusable ? 0 : -1}
      aria-pressed={chosen ?? undefined}
      aria-label={picks ? words.select(name) : words.lookAt(name)}
      style={{ height: size }}
      onClick={(event) => onPress(picks ? 'pick' : 'look', leaf.id, event.shiftKey)}
      onDoubleClick={() => picks && onPress('look', leaf.id, false)}
    >
      <LeafFace
        leaf={leaf}
        turn={turn}
        width={room - 20}
        height={size - 20}
        state={state}
        picture={picture}
      />
      {picks && (
        <span className="leaf-tick" aria-hidden="true">
          <Check size={14} strokeWidth={3.5} />
          <X size={14} strokeWidth={3.5} />
        </span>
      )}
    </button>
  );
}

type FaceProps = CellProps & { turn: Leaf['turn']; room: number };

function CutMark({ leaf, number, focusable, cut, words, onPress }: CellProps & { cut: boolean }) {
  return (
    <button
      type="button"
      className="leaf-cut"
      tabIndex={focusable ? 0 : -1}
      aria-pressed={cut}
      aria-label={words.cutAfter(number)}
      title={words.cutAfter(number)}
      onClick={() => onPress('cut', leaf.id, false)}
    >
      <span>
        <Scissors size={16} aria-hidden="true" />
      </span>
    </button>
  );
}

function Foot({ leaf, number, name, hue, quick, part, focusable, words, onPress }: CellProps) {
  return (
    <div className="leaf-foot">
      <span className="leaf-number">
        {hue !== null && <i aria-hidden="true" />}
        {number}
        {part?.name && <strong className="filename">{part.name}</strong>}
      </span>
      <span className="leaf-acts">
        {quick.map((press) => (
          <Quick
            key={press}
            press={press}
            name={name}
            focusable={focusable}
            words={words}
            onPress={() => onPress(press, leaf.id, false)}
          />
        ))}
      </span>
    </div>
  );
}

const ICONS = { left: RotateCcw, right: RotateCw, copy: Copy, remove: Trash2, look: ZoomIn } as const;

type QuickProps = { press: Press; name: string; focusable: boolean; words: BoardWords; onPress(): void };

function Quick({ press, name, focusable, words, onPress }: QuickProps) {
  if (press === 'pick' || press === 'cut') return null;
  const says = {
    left: words.turnLeft,
    right: words.turnRight,
    copy: words.copyPage,
    remove: words.removePage,
    look: words.lookAt,
  };
  const Icon = ICONS[press];
  return (
    <button
      type="button"
      className="leaf-act"
      data-act={press}
      tabIndex={focusable ? 0 : -1}
      aria-label={says[press](name)}
      title={says[press](name)}
      onClick={onPress}
    >
      <Icon size={16} aria-hidden="true" />
    </button>
  );
}
