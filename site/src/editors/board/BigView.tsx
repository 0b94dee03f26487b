import { ChevronLeft, ChevronRight, RotateCcw, RotateCw, X } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import type { Quarter } from './model';
import type { CellProps } from './LeafCell';
import { LeafFace } from './LeafFace';
import type { BoardWords } from './words';
import './big.css';

type Props = Pick<CellProps, 'leaf' | 'name' | 'state' | 'picture'> & {
  /** From 0. */
  place: number;
  total: number;
  words: BoardWords;
  onPlace(place: number): void;
  onTurn: ((by: Quarter) => void) | undefined;
  onClose(): void;
};

/** One page as large as the window allows. */
export function BigView({
  leaf,
  name,
  state,
  picture,
  place,
  total,
  words,
  onPlace,
  onTurn,
  onClose,
}: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const room = useRoom();
  useEffect(() => dialog.current?.showModal(), []);
  const onKey = (event: KeyboardEvent) => {
    const steps: Record<string, number> = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 };
    const step = steps[event.key];
    if (event.key === ' ') onClose();
    else if (step === undefined) return;
    else if (place + step >= 0 && place + step < total) onPlace(place + step);
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <dialog
      ref={dialog}
      className="big-view"
      aria-label={name}
      onClose={onClose}
      onClick={(event) => event.target === dialog.current && onClose()}
      onKeyDown={onKey}
      data-testid="big-view"
    >
      <header className="big-bar">
        <strong className="filename" aria-live="polite">
          {name}
        </strong>
        <span className="big-place">{words.placeOf(place + 1, total)}</span>
        {onTurn && (
          <Bare name={words.turnLeft(name)} icon={<RotateCcw size={20} />} onPress={() => onTurn(270)} />
        )}
        {onTurn && (
          <Bare name={words.turnRight(name)} icon={<RotateCw size={20} />} onPress={() => onTurn(90)} />
        )}
        <Bare name={words.close} icon={<X size={20} />} onPress={onClose} />
      </header>
      <div className="big-room" style={{ height: room.height }}>
        <LeafFace leaf={leaf} turn={leaf.turn} {...room} state={state} picture={picture} />
      </div>
      <Bare
        className="big-step"
        name={words.previous}
        icon={<ChevronLeft size={26} />}
        disabled={place === 0}
        onPress={() => onPlace(place - 1)}
      />
      <Bare
        className="big-step big-next"
        name={words.next}
        icon={<ChevronRight size={26} />}
        disabled={place === total - 1}
        onPress={() => onPlace(place + 1)}
      />
    </dialog>
  );
}

type BareProps = {
  name: string;
  icon: React.ReactNode;
  disabled?: boolean;
  className?: string;
  onPress(): void;
};

function Bare({ name, icon, disabled, className = '', onPress }: BareProps) {
  return (
    <button
      type="button"
      className={`big-button ${className}`}
      aria-label={name}
      title={name}
      disabled={disabled}
      onClick={onPress}
    >
      <span aria-hidden="true">{icon}</span>
    </button>
  );
}

const roomNow = () => ({ width: Math.max(200, innerWidth - 32), height: Math.max(200, innerHeight - 88) });

function useRoom() {
  const [room, setRoom] = useState(roomNow);
  useEffect(() => {
    const read = () => setRoom(roomNow());
    addEventListener('resize', read);
    return () => removeEventListener('resize', read);
  }, []);
  return room;
}
