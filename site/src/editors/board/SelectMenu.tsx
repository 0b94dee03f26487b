import { ChevronDown, ListChecks } from 'lucide-react';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { formatPages } from '../../ranges';
import { type Choice, inverted, NONE, namedBy, placesOf } from './choice';
import { allOf, type Leaf } from './model';
import type { BoardWords } from './words';

type Props = {
  /** Pages that are counted from 1 each. */
  groups: readonly (readonly Leaf[])[];
  choice: Choice;
  onChoice(choice: Choice): void;
  /** Looks at every page; null when it was given up. */
  ofShape(shape: 'landscape' | 'portrait'): Promise<Choice | null>;
  words: BoardWords;
};

/** The ways of choosing pages other than one by one. */
export function SelectMenu({ groups, choice, onChoice, ofShape, words }: Props) {
  const leaves = groups.flat();
  const menu = useRef<HTMLDetailsElement>(null);
  const [looking, setLooking] = useState(false);
  useClosing(menu);
  const shape = async (wanted: 'landscape' | 'portrait') => {
    setLooking(true);
    const found = await ofShape(wanted);
    setLooking(false);
    if (found) onChoice(found);
  };
  const named = (text: string) => onChoice(namedBy(text, groups) ?? NONE);
  const ways: [string, () => void][] = [
    [words.all, () => onChoice({ ids: allOf({ leaves }), anchor: null })],
    [words.none, () => onChoice(NONE)],
    [words.odd, () => named('odd')],
    [words.even, () => named('even')],
    [words.landscape, () => void shape('landscape')],
    [words.portrait, () => void shape('portrait')],
    [words.invert, () => onChoice(inverted(choice, leaves))],
  ];
  return (
    <details className="board-menu" ref={menu}>
      <summary className="board-tool" data-testid="board-select">
        <ListChecks size={18} aria-hidden="true" />
        <span>{words.choose}</span>
        <ChevronDown size={14} aria-hidden="true" />
      </summary>
      <div className="board-menu-panel">
        <div className="board-ways">
          {ways.map(([word, choose]) => (
            <button type="button" key={word} disabled={looking} onClick={choose}>
              {word}
            </button>
          ))}
        </div>
        {looking && <p role="status">{words.looking}</p>}
        <RangeInput groups={groups} choice={choice} onChoice={onChoice} words={words} />
      </div>
    </details>
  );
}

type RangeProps = Omit<Props, 'ofShape'>;

/** The choice as a page range: it follows the clicks, and clicks follow what is typed. */
function RangeInput({ groups, choice, onChoice, words }: RangeProps) {
  const id = useId();
  const [draft, setDraft] = useState<string | null>(null);
  const [only = [], ...others] = groups;
  // One range cannot say which pages of which file; typed, it holds for each of them.
  const shown = others.length === 0 ? formatPages(placesOf(choice, only), only.length) : '';
  const most = Math.max(0, ...groups.map(({ length }) => length));
  const bad = draft !== null && namedBy(draft, groups) === null;
  const type = (text: string) => {
    setDraft(text);
    const found = namedBy(text, groups);
    if (found) onChoice(found);
  };
  return (
    <div className="board-range">
      <label htmlFor={id}>{words.byRange}</label>
      <input
        id={id}
        className="field-input"
        value={draft ?? shown}
        placeholder={words.rangeHint}
        autoComplete="off"
        spellCheck={false}
        aria-invalid={bad || undefined}
        aria-describedby={bad ? `${id}-problem` : undefined}
        onChange={(event) => type(event.target.value)}
        onBlur={() => setDraft(null)}
        data-testid="board-range"
      />
      {bad && (
        <p className="field-problem" id={`${id}-problem`} role="alert">
          {words.badRange(most)}
        </p>
      )}
    </div>
  );
}

/** Closed by Escape and by a press anywhere else. */
function useClosing(menu: React.RefObject<HTMLDetailsElement | null>): void {
  useEffect(() => {
    const close = () => menu.current?.removeAttribute('open');
    const press = (event: Event) => !menu.current?.contains(event.target as Node) && close();
    const key = (event: globalThis.KeyboardEvent | KeyboardEvent) => {
      if (event.key !== 'Escape' || !menu.current?.open) return;
      close();
      menu.current.querySelector('summary')?.focus();
    };
    addEventListener('pointerdown', press);
    addEventListener('keydown', key);
    return () => {
      removeEventListener('pointerdown', press);
      removeEventListener('keydown', key);
    };
  }, [menu]);
}
