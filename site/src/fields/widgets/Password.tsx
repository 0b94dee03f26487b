import { useState } from 'react';
import { isNullable } from '../schema';
import { wordsOf } from '../words';
import { describe, type WidgetProps } from './props';

export function Password(props: WidgetProps) {
  const [shown, setShown] = useState(false);
  const words = wordsOf(props.context.lang);
  return (
    <div className="field-password">
      <input
        {...describe(props)}
        type={shown ? 'text' : 'password'}
        className="field-input"
        autoComplete="new-password"
        spellCheck={false}
        autoCapitalize="off"
        value={typeof props.value === 'string' ? props.value : ''}
        onChange={(event) =>
          props.onChange(event.target.value === '' && isNullable(props.schema) ? null : event.target.value)
        }
      />
      <button
        type="button"
        className="field-show"
        aria-pressed={shown}
        aria-label={shown ? words.hide : words.show}
        onClick={() => setShown(!shown)}
      >
        <Eye open={shown} />
      </button>
    </div>
  );
}

function Eye({ open }: { open: boolean }) {
  return (
    <svg
      viewBox="0 0 24 24"
      width="20"
      height="20"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.8"
      aria-hidden="true"
    >
      <path d="M2 12s3.6-7 10-7 10 7 10 7-3.6 7-10 7-10-7-10-7Z" strokeLinejoin="round" />
      <circle cx="12" cy="12" r="3" />
      {!open && <path d="M4 20 20 4" strokeLinecap="round" />}
    </svg>
  );
}
