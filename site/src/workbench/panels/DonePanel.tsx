import { CircleAlert, CircleCheck, LockKeyhole, RotateCw, SlidersHorizontal } from 'lucide-react';
import type { Task } from '../../api/types';
import { outcome, standing, wantsPassword } from '../state';
import { fill } from '../words';
import { ContinueIn } from './ContinueIn';
import type { DoneProps } from './done';
import { DeleteNow } from './DeleteNow';
import { OtherLevel } from './OtherLevel';
import { Notice, Tile } from './parts';
import { Results } from './Results';
import { ToCentre } from './ToCentre';

/** Results with their receipts, and what can follow. */
export function DonePanel({ bench, work, t }: DoneProps) {
  const last = work.results.at(-1)!;
  const state = outcome(last);
  return (
    <section
      className="mx-auto max-w-[52rem] space-y-5"
      data-testid="done"
      data-state={state}
      data-task={last.taskId}
    >
      <div className="card p-5 sm:p-8">
        <div className="flex flex-col items-center text-center">
          {state === 'Success' ? (
            <Tile icon={CircleCheck} big />
          ) : (
            <Tile icon={CircleAlert} big tone="warn" />
          )}
          <div role="status">
            <h2 className="mt-4 text-2xl">{state === 'Success' ? t.done : t.donePartly}</h2>
          </div>
        </div>
        <Failures task={last} {...{ bench, work, t }} />
        {standing(work.results).map((task) => (
          <Results key={task.taskId} task={task} bench={bench} t={t} />
        ))}
        <DeleteNow bench={bench} work={work} t={t} />
      </div>
      {bench.props.tool.key === 'compress' && <OtherLevel bench={bench} work={work} t={t} />}
      <ContinueIn bench={bench} work={work} t={t} />
      <div className="flex flex-wrap justify-center gap-3">
        <button type="button" className="btn btn-plain" onClick={bench.reset} data-testid="again">
          <RotateCw size={18} aria-hidden="true" />
          {t.again}
        </button>
        <button
          type="button"
          className="btn btn-quiet"
          onClick={() => bench.dispatch({ do: 'edit' })}
          data-testid="edit-options"
        >
          <SlidersHorizontal size={18} aria-hidden="true" />
          {t.editOptions}
        </button>
        <ToCentre bench={bench} t={t} />
      </div>
    </section>
  );
}

/** In a batch a bad file does not spoil the others, and says what is wrong with it. */
function Failures({ task, bench, work, t }: DoneProps & { task: Task }) {
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
    <div className="mt-5">
      <Notice tone="danger" testid="failures" action={unlock}>
        {failed.map(({ name, key, error }) => (
          <p key={key} data-testid="file-problem" data-reason={error?.reason}>
            {error?.msg || fill(t.failedFile, { name })}
          </p>
        ))}
      </Notice>
    </div>
  );
}
