import { useId, useState } from 'react';
import type { Gesture, Leaf, Thing } from './scene';
import { MM, rounded } from './scene';
import { boundsOf, cornerOf, moved, normal, plus, type Spot, scaledFrom, stretched, turnedBy } from './spot';
import type { PlaceWords } from './words';

type Put = { spot: Spot; was: Spot; gesture: Gesture };

type Props = {
  things: readonly Thing[];
  leaf: Leaf;
  onPut(id: string, put: Put): void;
  onAdd?: (() => void) | undefined;
  onRemove?: ((id: string) => void) | undefined;
  onCopy?: ((id: string, pages: string) => void) | undefined;
  words: PlaceWords;
};

/** What stands on the page as a list with exact numbers: for the keyboard, for screen readers, and to be exact. */
export function ThingList({ things, leaf, onAdd, words, ...deeds }: Props) {
  if (things.length === 0 && !onAdd) return null;
  return (
    <details className="thing-list" data-testid="thing-list">
      <summary>{words.things}</summary>
      <p className="field-hint">{things.length > 0 ? words.keys : words.nothing}</p>
      <ul>
        {things.map((thing) => (
          <Row key={thing.id} thing={thing} leaf={leaf} words={words} {...deeds} />
        ))}
      </ul>
      {onAdd && (
        <button type="button" className="field-chip" onClick={onAdd} data-testid="thing-add">
          {words.add}
        </button>
      )}
    </details>
  );
}

type RowProps = Omit<Props, 'things' | 'onAdd'> & { thing: Thing };

function Row({ thing, leaf: { view }, onPut, onRemove, onCopy, words }: RowProps) {
  const { spot } = thing;
  const { left, top } = boundsOf(spot);
  const down = view.height - top;
  const put = (gesture: Gesture, next: Spot) => onPut(thing.id, { gesture, spot: next, was: spot });
  const move = (x: number, y: number) => put('move', moved(spot, { x, y }, view));
  return (
    <li>
      <strong>{thing.label}</strong>
      <Exact label={words.left} value={left / MM} onValue={(value) => move(value * MM - left, 0)} />
      <Exact label={words.top} value={down / MM} onValue={(value) => move(0, down - value * MM)} />
      {thing.sizes && (
        <Exact
          label={words.width}
          value={spot.width / MM}
          least={0.5}
          onValue={(value) => put('size', wide(spot, value * MM, thing.sizes === 'both'))}
        />
      )}
      {thing.sizes === 'both' && (
        <Exact
          label={words.height}
          value={spot.height / MM}
          least={0.5}
          onValue={(value) => put('size', tall(spot, value * MM))}
        />
      )}
      {thing.turns && (
        <Exact
          label={words.angle}
          value={spot.angle}
          onValue={(value) => put('turn', { ...spot, angle: normal(value) })}
        />
      )}
      {onCopy && <CopyTo onCopy={(pages) => onCopy(thing.id, pages)} words={words} />}
      {onRemove && (
        <button
          type="button"
          className="field-chip"
          aria-label={words.remove(thing.label)}
          onClick={() => onRemove(thing.id)}
        >
          ×
        </button>
      )}
    </li>
  );
}

/** So wide, with its upper left corner where it was where the other side stays. */
const wide = (spot: Spot, width: number, alone: boolean): Spot =>
  alone
    ? stretched(
        spot,
        [1, -1],
        plus(cornerOf(spot, [1, -1]), turnedBy({ x: width - spot.width, y: 0 }, spot.angle)),
      )
    : scaledFrom(spot, spot, width / spot.width);

const tall = (spot: Spot, height: number): Spot =>
  stretched(
    spot,
    [1, -1],
    plus(cornerOf(spot, [1, -1]), turnedBy({ x: 0, y: spot.height - height }, spot.angle)),
  );

type ExactProps = { label: string; value: number; least?: number; onValue(value: number): void };

/** A number that is written when it is typed to its end. */
function Exact({ label, value, least, onValue }: ExactProps) {
  const id = useId();
  const [typed, setTyped] = useState<string | null>(null);
  const end = () => {
    const number = Number(typed);
    if (typed !== null && typed.trim() !== '' && Number.isFinite(number) && number >= (least ?? -1e6))
      onValue(number);
    setTyped(null);
  };
  return (
    <span className="thing-exact">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        inputMode="decimal"
        value={typed ?? String(rounded(value, 1))}
        onChange={(event) => setTyped(event.target.value)}
        onBlur={end}
        onKeyDown={(event) => event.key === 'Enter' && end()}
      />
    </span>
  );
}

function CopyTo({ onCopy, words }: { onCopy(pages: string): void; words: PlaceWords }) {
  const id = useId();
  const [pages, setPages] = useState('');
  return (
    <span className="thing-exact">
      <label htmlFor={id}>{words.copyTo}</label>
      <input
        id={id}
        value={pages}
        placeholder={words.copyHint}
        onChange={(event) => setPages(event.target.value)}
      />
      <button
        type="button"
        className="field-chip"
        disabled={pages.trim() === ''}
        onClick={() => {
          onCopy(pages);
          setPages('');
        }}
      >
        {words.copy}
      </button>
    </span>
  );
}
