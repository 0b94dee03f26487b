import type { LucideIcon } from 'lucide-react';
import { Fragment, type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react';

export type Mode<Name extends string> = {
  name: Name;
  icon: LucideIcon;
  word: string;
  /** The letter that chooses it. */
  letter: string;
  /** A line stands before it. */
  apart?: boolean;
};

type Props<Name extends string> = {
  modes: readonly Mode<Name>[];
  chosen: Name;
  onChoose(name: Name): void;
  label: string;
  children?: ReactNode;
};

const STEPS: Record<string, number> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

/** The modes of a surface as one row: tab comes to it once, arrows go along it, and each has its letter. */
export function ToolBar<Name extends string>({ modes, chosen, onChoose, label, children }: Props<Name>) {
  const row = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (row.current) reveal(row.current, chosen);
  }, [chosen]);
  const go = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    if (!step) return;
    event.preventDefault();
    const at = modes.findIndex(({ name }) => name === chosen);
    const next = modes.at((at + step) % modes.length);
    if (!next) return;
    onChoose(next.name);
    row.current?.querySelector<HTMLElement>(`[data-mode="${next.name}"]`)?.focus();
  };
  return (
    <div className="mode-bar">
      <div className="mode-row" role="radiogroup" aria-label={label} ref={row} onKeyDown={go} tabIndex={-1}>
        {modes.map(({ name, icon: Icon, word, letter, apart }) => (
          <Fragment key={name}>
            {apart && <span className="mode-line" aria-hidden="true" />}
            {/* biome-ignore lint/a11y/useSemanticElements: an input does not show an icon above its word */}
            <button
              type="button"
              role="radio"
              className="mode"
              data-mode={name}
              aria-checked={name === chosen}
              aria-keyshortcuts={letter}
              tabIndex={name === chosen ? 0 : -1}
              title={`${word} (${letter.toUpperCase()})`}
              onClick={() => onChoose(name)}
            >
              <Icon size={20} aria-hidden="true" />
              <span>{word}</span>
            </button>
          </Fragment>
        ))}
      </div>
      {children}
    </div>
  );
}

/** A row longer than its room shows the mode that is on. */
function reveal(row: HTMLElement, name: string): void {
  const button = row.querySelector<HTMLElement>(`[data-mode="${name}"]`);
  if (!button) return;
  const [left, right] = [
    button.offsetLeft - row.offsetLeft,
    button.offsetLeft - row.offsetLeft + button.offsetWidth,
  ];
  if (left < row.scrollLeft) row.scrollLeft = left;
  else if (right > row.scrollLeft + row.clientWidth) row.scrollLeft = right - row.clientWidth;
}

/** The mode whose letter was pressed, where no field takes the letter. */
export function modeOf<Name extends string>(
  { key, target, ctrlKey, metaKey, altKey }: KeyboardEvent,
  modes: readonly Mode<Name>[],
): Name | null {
  if (ctrlKey || metaKey || altKey) return null;
  if ((target as HTMLElement).matches('input, textarea, select, [contenteditable]')) return null;
  return modes.find(({ letter }) => letter === key.toLowerCase())?.name ?? null;
}
