import { Eye, EyeOff } from 'lucide-react';
import { useState } from 'react';
import { fill, type IslandWords } from '../words';

/** The form whose submission starts the work: Enter in a field that belongs to it does. */
export const START_FORM = 'start-form';

type FieldProps = {
  id?: string;
  /** Of the form that Enter submits, where the field stands in none. */
  form?: string;
  /** The file that it opens. */
  name: string;
  value: string;
  wrong: boolean;
  onChange(password: string): void;
  t: IslandWords;
};

export function PasswordField({ id, form, name, value, wrong, onChange, t }: FieldProps) {
  const [shown, setShown] = useState(false);
  const Icon = shown ? Eye : EyeOff;
  return (
    <div className="mt-2 flex gap-2">
      <input
        id={id}
        form={form}
        type={shown ? 'text' : 'password'}
        className="input"
        autoComplete="off"
        placeholder={t.password}
        aria-label={fill(t.passwordFor, { name })}
        aria-invalid={wrong}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        data-testid="password"
      />
      <button
        type="button"
        className="btn btn-quiet btn-icon"
        onClick={() => setShown(!shown)}
        aria-label={shown ? t.hidePassword : t.showPassword}
        aria-pressed={shown}
      >
        <Icon size={20} aria-hidden="true" />
      </button>
    </div>
  );
}
