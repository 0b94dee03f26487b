import { Eye, EyeOff, LockKeyhole } from 'lucide-react';
import { useId, useState } from 'react';
import type { Row } from '../state';
import type { Bench } from '../useWorkbench';
import { fill, type IslandWords } from '../words';

/** Asks for the password of a protected file; the file itself is not sent again. */
export function PasswordPrompt({ row, bench, t }: { row: Row; bench: Bench; t: IslandWords }) {
  const [shown, setShown] = useState(false);
  const id = useId();
  const wrong = row.problem?.reason === 'password_wrong';
  const Icon = shown ? EyeOff : Eye;
  return (
    <div className="mt-3 rounded-md bg-warn-tint p-3" data-testid="password-prompt" data-wrong={wrong}>
      <label htmlFor={id} className="flex items-start gap-2 text-sm text-warn">
        <LockKeyhole size={18} aria-hidden="true" className="mt-0.5 shrink-0" />
        <span role={wrong ? 'alert' : undefined}>{wrong ? t.passwordWrong : t.passwordRequired}</span>
      </label>
      <div className="mt-2 flex gap-2">
        <input
          id={id}
          type={shown ? 'text' : 'password'}
          className="input"
          autoComplete="off"
          placeholder={t.password}
          aria-label={fill(t.passwordFor, { name: row.name })}
          aria-invalid={wrong}
          value={row.password ?? ''}
          onChange={(event) => bench.dispatch({ do: 'password', id: row.id, password: event.target.value })}
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
      {bench.rows.length > bench.props.tool.least && (
        <button
          type="button"
          className="mt-1 min-h-9 text-sm font-semibold text-warn underline underline-offset-4"
          onClick={() => bench.remove(row.id)}
          aria-label={`${t.skipLocked}: ${row.name}`}
          data-testid="skip-locked"
        >
          {t.skipLocked}
        </button>
      )}
    </div>
  );
}
