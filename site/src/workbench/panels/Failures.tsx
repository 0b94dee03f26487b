import { LockKeyhole } from 'lucide-react';
import type { Task } from '../../api/types';
import { wantsPassword } from '../state';
import { fill } from '../words';
import type { DoneProps } from './done';
import { Notice } from './parts';
import { panelWords } from './words';

/** In a batch a bad file does not spoil the others; which they are, the table says. */
export function Failures({ task, bench, work, t }: DoneProps & { task: Task }) {
  const failed = task.inputs.filter(({ error }) => error);
  if (failed.length === 0) return null;
  const locked = work.rows.some(({ problem }) => wantsPassword(problem));
  const unlock = locked && (
    <button
      type="button"
      className="btn btn-plain shrink-0"
      onClick={() => bench.dispatch({ do: 'unlock' })}
      data-testid="unlock"
    >
      <LockKeyhole size={16} aria-hidden="true" />
      {t.unlockRest}
    </button>
  );
  return (
    <Notice tone="danger" testid="failures" action={unlock}>
      {fill(panelWords[bench.props.lang].failedSome, { n: failed.length })}
    </Notice>
  );
}
