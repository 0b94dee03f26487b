import { useState } from 'react';
import { Forgotten } from '../../workbench/panels/Forgotten';
import { words } from '../../workbench/words';
import type { PanelProps } from './card';

/** The stored original once more, at another level. */
export function Levels({ task, centre, onClose }: PanelProps) {
  const [busy, setBusy] = useState(false);
  const { payload, t } = centre;
  const [locked, setLocked] = useState<string | null>(null);
  const retry = async (level: string) => {
    setBusy(true);
    if (await centre.retryLevel(task.taskId, level)) onClose();
    else setLocked(level);
    setBusy(false);
  };
  return (
    <div className="rounded-md bg-sunken p-4" data-testid="levels">
      <p className="text-sm text-ink-soft">{t.levelLead}</p>
      <div className="mt-3 flex flex-wrap gap-2">
        {payload?.levels.map(({ key, title }) => (
          <button
            key={key}
            type="button"
            className="btn btn-plain max-sm:flex-1"
            disabled={busy}
            aria-pressed={key === locked}
            onClick={() => retry(key)}
            data-testid="level"
            data-level={key}
          >
            {title}
          </button>
        ))}
      </div>
      {locked && <Passwords level={locked} task={task} centre={centre} onClose={onClose} />}
    </div>
  );
}

function Passwords({ level, task, centre, onClose }: PanelProps & { level: string }) {
  const [busy, setBusy] = useState(false);
  const [typed, setTyped] = useState<Record<string, string>>({});
  const locked = task.inputs.filter((input) => input.locked);
  const start = async () => {
    setBusy(true);
    await centre.redo(task, level, typed);
    setBusy(false);
    onClose();
  };
  return (
    <Forgotten
      files={locked.map(({ key, name }) => ({ id: key, name, password: typed[key] ?? '', wrong: false }))}
      busy={busy}
      onType={(key, password) => setTyped({ ...typed, [key]: password })}
      onStart={() => void start()}
      t={words[centre.lang]}
    />
  );
}
