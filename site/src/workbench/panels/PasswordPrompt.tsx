import { LockKeyhole } from 'lucide-react';
import { useId } from 'react';
import type { Row } from '../state';
import type { Bench } from '../useWorkbench';
import type { IslandWords } from '../words';
import { PasswordField, START_FORM } from './PasswordField';

/** Asks for the password of a protected file, unless the editor does in the place of its pages (bench.css); the file
 *  itself is not sent again. */
export function PasswordPrompt({ row, bench, t }: { row: Row; bench: Bench; t: IslandWords }) {
  const id = useId();
  const wrong = row.problem?.reason === 'password_wrong';
  return (
    <div
      className="password-prompt mt-3 rounded-md bg-warn-tint p-3"
      data-testid="password-prompt"
      data-wrong={wrong}
    >
      <div className="password-ask">
        <label htmlFor={id} className="flex items-start gap-2 text-sm text-warn">
          <LockKeyhole size={18} aria-hidden="true" className="mt-0.5 shrink-0" />
          <span role={wrong ? 'alert' : undefined}>{wrong ? t.passwordWrong : t.passwordRequired}</span>
        </label>
        <PasswordField
          id={id}
          form={START_FORM}
          name={row.name}
          value={row.password ?? ''}
          wrong={wrong}
          onChange={(password) => bench.dispatch({ do: 'password', id: row.id, password })}
          t={t}
        />
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
