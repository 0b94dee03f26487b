import { type CSSProperties, useEffect, useState } from 'react';
import type { OpenPdf } from '../pdf/open';
import type { FieldValue } from './acts';
import { type FieldBox, fieldsOf } from './fields';
import { boxStyle } from './Lines';
import type { EditWords } from './words';

type Props = {
  pdf: OpenPdf;
  page: number;
  scale: number;
  valueIn(field: FieldBox): FieldValue;
  onFill(field: FieldBox, value: FieldValue): void;
  words: EditWords;
};

/** The fields of a page to be filled where they are. */
export function Fields({ pdf, page, scale, valueIn, onFill, words }: Props) {
  const [fields, setFields] = useState<FieldBox[]>([]);
  useEffect(() => {
    let current = true;
    fieldsOf(pdf, page).then(
      (found) => current && setFields(found),
      () => undefined,
    );
    return () => {
      current = false;
    };
  }, [pdf, page]);
  return (
    // biome-ignore lint/a11y/useSemanticElements: its fields lie where the page has them
    <div
      className="form-fields"
      role="group"
      data-testid="form-fields"
      data-count={fields.length}
      aria-label={words.modes.form}
    >
      {fields.map((field, at) => (
        <One
          // biome-ignore lint/suspicious/noArrayIndexKey: a page's fields stay as they are
          key={at}
          field={field}
          value={valueIn(field)}
          onValue={(value) => onFill(field, value)}
          scale={scale}
          label={words.field(field.name)}
        />
      ))}
    </div>
  );
}

type OneProps = {
  field: FieldBox;
  value: FieldValue;
  onValue(value: FieldValue): void;
  scale: number;
  label: string;
};

function One({ field, value, onValue, scale, label }: OneProps) {
  const style = { ...boxStyle(field.box, 0, scale), ...letterStyle(field, scale) };
  const shared = { className: 'form-field', style, 'aria-label': label, 'data-field': field.name };
  switch (field.kind) {
    case 'check':
      return (
        <input
          {...shared}
          type="checkbox"
          checked={value === true || (value !== false && value === field.button)}
          onChange={({ target }) => onValue(target.checked && (field.button || true))}
        />
      );
    case 'radio':
      return (
        <input
          {...shared}
          type="radio"
          name={field.name}
          aria-label={`${label} ${field.button}`}
          checked={value === field.button}
          onChange={() => onValue(field.button)}
        />
      );
    case 'choice':
    case 'list':
      return <Choice field={field} value={value} onValue={onValue} shared={shared} />;
    case 'text':
      return (
        <Typed key={String(value)} field={field} value={String(value)} onValue={onValue} shared={shared} />
      );
  }
}

type Shared = { className: string; style: CSSProperties; 'aria-label': string };
type ChoiceProps = Omit<OneProps, 'field' | 'scale' | 'label'> & {
  field: Extract<FieldBox, { items: unknown }>;
  shared: Shared;
};

function Choice({ field, value, onValue, shared }: ChoiceProps) {
  const items = field.items.map((item) => (
    <option key={item.value} value={item.value}>
      {item.label}
    </option>
  ));
  if (field.kind === 'choice')
    return (
      <select {...shared} value={String(value)} onChange={({ target }) => onValue(target.value)}>
        {!field.items.some((item) => item.value === value) && (
          <option value={String(value)}>{String(value)}</option>
        )}
        {items}
      </select>
    );
  const several = field.several;
  const chosen = Array.isArray(value) ? value : [];
  return (
    <select
      {...shared}
      multiple={several}
      size={Math.max(2, field.items.length)}
      value={several ? chosen : (chosen[0] ?? '')}
      onChange={({ target }) => onValue([...target.selectedOptions].map((option) => option.value))}
    >
      {items}
    </select>
  );
}

type TypedProps = { field: FieldBox; value: string; onValue(value: string): void; shared: Shared };

/** What is typed is written when it is typed to its end: a field is one step of undo. */
function Typed({ field, value, onValue, shared }: TypedProps) {
  const [typed, setTyped] = useState(value);
  const input = {
    ...shared,
    value: typed,
    maxLength: field.most || undefined,
    onChange: ({ target }: { target: HTMLInputElement | HTMLTextAreaElement }) => setTyped(target.value),
    onBlur: () => typed !== value && onValue(typed),
    autoComplete: 'off',
    spellCheck: false,
  };
  return field.multiline ? <textarea {...input} /> : <input {...input} type="text" />;
}

/** Letters about as large as readers make them; in a comb as far apart as its rooms. */
function letterStyle({ kind, box, comb, most, multiline }: FieldBox, scale: number): CSSProperties {
  if (kind === 'check' || kind === 'radio') return {};
  const tall = multiline || kind === 'list' ? 12 : Math.min(14, box[3] * 0.7);
  const size = tall * scale;
  if (!comb || most < 1) return { fontSize: size };
  const room = (box[2] / most) * scale;
  return {
    fontSize: size,
    fontFamily: 'monospace',
    letterSpacing: room - size * 0.6,
    paddingInlineStart: (room - size * 0.6) / 2,
  };
}
