import { useEffect, useState } from 'react';
import { isNullable, resolve } from '../schema';
import { wordsOf } from '../words';
import { describe, type WidgetProps } from './props';

/** A number with its unit and step buttons. What is typed stays as typed; the value follows when it reads as a number. */
export function NumberInput(props: WidgetProps) {
  const schema = resolve(props.schema, props.root);
  const words = wordsOf(props.context.lang);
  const [text, setText] = useState(shown(props.value));
  useEffect(() => {
    setText((typed) => (readNumber(typed) === props.value ? typed : shown(props.value)));
  }, [props.value]);

  const write = (typed: string) => {
    setText(typed);
    const number = readNumber(typed);
    if (number !== null || isNullable(props.schema)) props.onChange(number);
  };
  const step = (direction: number) => {
    const from = typeof props.value === 'number' ? props.value : (schema.minimum ?? 0);
    write(String(clamp(from + direction * stepOf(schema), schema)));
  };
  return (
    <div className="field-number">
      <button
        type="button"
        className="field-step"
        aria-label={`${words.decrease}: ${props.label}`}
        onClick={() => step(-1)}
      >
        −
      </button>
      <input
        {...describe(props)}
        className="field-input"
        inputMode={schema.type === 'integer' ? 'numeric' : 'decimal'}
        value={text}
        placeholder={isNullable(props.schema) ? words.none : undefined}
        onChange={(event) => write(event.target.value)}
        onBlur={() => setText(shown(props.value))}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return;
          event.preventDefault();
          step(event.key === 'ArrowUp' ? 1 : -1);
        }}
      />
      {schema.ui?.unit && <span className="field-unit">{schema.ui.unit}</span>}
      <button
        type="button"
        className="field-step"
        aria-label={`${words.increase}: ${props.label}`}
        onClick={() => step(1)}
      >
        +
      </button>
    </div>
  );
}

const shown = (value: WidgetProps['value']): string => (typeof value === 'number' ? String(value) : '');

export function readNumber(typed: string): number | null {
  const plain = typed.normalize('NFKC').trim();
  return /^-?[0-9]+(\.[0-9]+)?$/.test(plain) ? Number(plain) : null;
}

type Bounds = { type?: string | string[]; minimum?: number; maximum?: number };

const stepOf = ({ type, minimum, maximum }: Bounds): number => {
  if (type !== 'integer') return maximum !== undefined && maximum <= 2 ? 0.05 : 1;
  return (maximum ?? 0) - (minimum ?? 0) >= 200 ? 10 : 1;
};

const clamp = (
  value: number,
  { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY }: Bounds,
) => Math.min(maximum, Math.max(minimum, Math.round(value * 1000) / 1000));
