import { LockKeyhole, Play } from 'lucide-react';
import type { IslandWords } from '../words';
import { FileName } from './FileName';
import { PasswordField } from './PasswordField';

type Protected = { id: string; name: string; password: string; wrong: boolean };
type ForgottenProps = {
  files: Protected[];
  busy?: boolean;
  onType(id: string, password: string): void;
  onStart(): void;
  t: IslandWords;
};

/** The passwords of stored files once more: the API forgets them when their task ends. */
export function Forgotten({ files, busy = false, onType, onStart, t }: ForgottenProps) {
  const wrong = files.some((file) => file.wrong);
  return (
    <form
      className="mt-4 rounded-md bg-warn-tint p-3"
      onSubmit={(event) => {
        event.preventDefault();
        onStart();
      }}
      data-testid="forgotten"
      data-wrong={wrong}
    >
      <p className="flex items-start gap-2 text-sm text-warn" role="alert">
        <LockKeyhole size={18} aria-hidden="true" className="mt-0.5 shrink-0" />
        {wrong ? t.passwordWrong : t.passwordForgotten}
      </p>
      {files.map((file) => (
        <div key={file.id} className="mt-3 text-sm">
          <FileName name={file.name} />
          <PasswordField
            name={file.name}
            value={file.password}
            wrong={file.wrong}
            onChange={(password) => onType(file.id, password)}
            t={t}
          />
        </div>
      ))}
      <button
        type="submit"
        className="btn btn-primary mt-3"
        disabled={busy || files.some(({ password }) => !password)}
        data-testid="start-again"
      >
        <Play size={18} aria-hidden="true" />
        {t.start}
      </button>
    </form>
  );
}
