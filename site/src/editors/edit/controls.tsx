import type { LucideIcon } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';

type ToolProps = { icon: LucideIcon; word: string; pressed?: boolean; danger?: boolean; onPress(): void };

/** A small button of the row: an icon with its word for those who hover or listen. */
export function Small({ icon: Icon, word, pressed, danger, onPress }: ToolProps) {
  return (
    <button
      type="button"
      className="style-tool"
      aria-label={word}
      title={word}
      aria-pressed={pressed}
      data-danger={danger || undefined}
      onClick={onPress}
    >
      <Icon size={18} aria-hidden="true" />
    </button>
  );
}

type OneOfProps<Name extends string> = {
  label: string;
  choices: Record<Name, string>;
  icons: Record<Name, LucideIcon>;
  chosen: Name | null;
  onChoose(name: Name): void;
};

/** One of a few, each with its icon. */
export function OneOf<Name extends string>({ label, choices, icons, chosen, onChoose }: OneOfProps<Name>) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset does not lay out its children as this does
    <span className="style-group" role="group" aria-label={label}>
      {(Object.keys(choices) as Name[]).map((name) => (
        <Small
          key={name}
          icon={icons[name]}
          word={choices[name]}
          pressed={name === chosen}
          onPress={() => onChoose(name)}
        />
      ))}
    </span>
  );
}

type LabelledProps = { label: string; hint?: string | undefined; children(id: string): ReactNode };

export function Labelled({ label, hint, children }: LabelledProps) {
  const id = useId();
  return (
    <span className="style-field" title={hint}>
      <label htmlFor={id}>{label}</label>
      {children(id)}
    </span>
  );
}

type NumberProps = {
  label: string;
  value: number;
  least: number;
  most: number;
  step?: number;
  onValue(value: number): void;
};

/** A number that is written when it is typed to its end, or stepped. */
export function NumberField({ label, value, least, most, step = 1, onValue }: NumberProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const write = (text: string) => {
    const number = Number(text);
    if (text.trim() !== '' && Number.isFinite(number)) onValue(Math.min(most, Math.max(least, number)));
  };
  return (
    <Labelled label={label}>
      {(id) => (
        <input
          id={id}
          type="number"
          min={least}
          max={most}
          step={step}
          value={typed ?? value}
          onChange={({ target, nativeEvent }) => {
            // The arrows beside it are no typing.
            if ('inputType' in nativeEvent && nativeEvent.inputType) return setTyped(target.value);
            write(target.value);
          }}
          onBlur={() => {
            if (typed !== null) write(typed);
            setTyped(null);
          }}
          onKeyDown={(event) => event.key === 'Enter' && event.currentTarget.blur()}
        />
      )}
    </Labelled>
  );
}

export function Colour({
  label,
  value,
  onValue,
}: {
  label: string;
  value: string;
  onValue(value: string): void;
}) {
  return (
    <Labelled label={label}>
      {(id) => <input id={id} type="color" value={value} onChange={({ target }) => onValue(target.value)} />}
    </Labelled>
  );
}

type SelectProps<Name extends string> = {
  label: string;
  value: Name;
  choices: Record<Name, string>;
  onValue(value: Name): void;
};

export function Select<Name extends string>({ label, value, choices, onValue }: SelectProps<Name>) {
  return (
    <Labelled label={label}>
      {(id) => (
        <select id={id} value={value} onChange={({ target }) => onValue(target.value as Name)}>
          {(Object.keys(choices) as Name[]).map((name) => (
            <option key={name} value={name}>
              {choices[name]}
            </option>
          ))}
        </select>
      )}
    </Labelled>
  );
}

type CheckProps = { label: string; hint?: string; value: boolean; onValue(value: boolean): void };

export function Check({ label, hint, value, onValue }: CheckProps) {
  return (
    <Labelled label={label} hint={hint}>
      {(id) => (
        <input id={id} type="checkbox" checked={value} onChange={({ target }) => onValue(target.checked)} />
      )}
    </Labelled>
  );
}
