import { useEffect, useState } from 'react';
import { isNullable, resolve } from '../schema';
import { isVaried, type Strength as Measured, strengthOf } from '../strength';
import { type Words, wordsOf } from '../words';
import { describe, type WidgetProps } from './props';

export function Password(props: WidgetProps) {
  const [shown, setShown] = useState(false);
  const words = wordsOf(props.context.lang);
  const typed = typeof props.value === 'string' ? props.value : '';
  const measured = resolve(props.schema, props.root).ui?.strength === true && typed !== '';
  return (
    <>
      <div className="field-password">
        <input
          {...describe(props)}
          type={shown ? 'text' : 'password'}
          className="field-input"
          autoComplete="new-password"
          spellCheck={false}
          autoCapitalize="off"
          value={typed}
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
      {measured && <Strength password={typed} words={words} />}
    </>
  );
}

function Strength({ password, words }: { password: string; words: Words }) {
  const [strength, setStrength] = useState<Measured | null>(null);
  useEffect(() => {
    let current = true;
    strengthOf(password).then((measured) => current && setStrength(measured));
    return () => {
      current = false;
    };
  }, [password]);
  if (strength === null) return null;
  return (
    <p className="field-strength" role="status" data-strength={strength}>
      <meter min={0} max={4} low={2} high={2.5} optimum={4} value={strength + 1} aria-hidden="true" />
      {words.strength[strength]}
      {strength === 0 && ` · ${isVaried(password) ? words.strengthGuessed : words.strengthAdvice}`}
    </p>
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
