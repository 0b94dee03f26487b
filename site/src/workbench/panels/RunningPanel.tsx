import { LoaderCircle, X } from 'lucide-react';
import { useAccount } from '../../account/useAccount';
import { STATUS, type Task } from '../../api/types';
import { localPath } from '../../lib/lang';
import type { Row, State } from '../state';
import type { Bench } from '../useWorkbench';
import { fill, type IslandWords, percentText } from '../words';
import { Bar, Tile } from './parts';

type Running = Extract<State, { phase: 'starting' | 'running' }>;
type PanelProps = { bench: Bench; work: Running; t: IslandWords };

const queued = (task: Task) => task.status === STATUS.CREATE || task.status === STATUS.BE_QUEUING;

function heading(task: Task | null, bench: Bench, t: IslandWords): string {
  if (!task) return t.starting;
  if (queued(task)) return t.queueing;
  return (task.stage && bench.payload?.stages[task.stage]) || t.working;
}

function place(task: Task, t: IslandWords): string {
  const before = task.queuePosition ?? 0;
  return before > 0 ? fill(t.queuePlace, { n: before }) : t.queueNext;
}

const fileNames = (rows: Row[]) =>
  rows.length > 3
    ? `${rows
        .slice(0, 3)
        .map(({ name }) => name)
        .join('、')} …`
    : rows.map(({ name }) => name).join('、');

/** Where the result will be found: in the centre, or for a visitor on this page (Recent). */
function KeepOpen({ bench, t }: Omit<PanelProps, 'work'>) {
  if (useAccount().state !== 'user') return t.keepOpenHere;
  return (
    <>
      {t.keepOpen}{' '}
      <a
        href={bench.props.main + localPath(bench.props.lang, '/tasks')}
        className="inline-block py-1 font-medium text-primary underline underline-offset-4"
        data-testid="to-centre"
      >
        {t.seeTasks}
      </a>
    </>
  );
}

/** Queue place, stage and real progress; the task outlives the page. */
export function RunningPanel({ bench, work, t }: PanelProps) {
  const task = work.phase === 'running' ? work.task : null;
  const waiting = task ? queued(task) : false;
  return (
    <section
      className="card mx-auto flex max-w-[44rem] flex-col items-center p-8 text-center sm:p-12"
      data-testid="running"
      data-status={task?.status}
      data-stage={task?.stage}
    >
      <span className="motion-safe:[&_svg]:animate-spin">
        <Tile icon={LoaderCircle} big />
      </span>
      <div role="status">
        <h2 className="mt-5 text-xl" data-testid="stage">
          {heading(task, bench, t)}
        </h2>
      </div>
      <p className="mt-1 max-w-full truncate text-sm text-ink-faint">{fileNames(work.rows)}</p>
      <div className="mt-6 w-full max-w-[26rem]">
        <Bar value={task && !waiting ? task.progress : null} label={t.working} />
        <p className="mt-2 min-h-6 text-sm text-ink-soft">
          {task && waiting && <span data-testid="queue-place">{place(task, t)}</span>}
          {task && !waiting && (
            <span data-testid="progress-text">
              {fill(t.percentDone, { percent: percentText(task.progress) })}
            </span>
          )}
        </p>
      </div>
      <p className="mt-2 text-sm text-ink-faint">
        <KeepOpen bench={bench} t={t} />
      </p>
      {work.phase === 'running' && (
        <button
          type="button"
          className="btn btn-plain mt-6"
          onClick={() => bench.cancelTask(work.taskId)}
          data-testid="cancel"
        >
          <X size={18} aria-hidden="true" />
          {t.cancel}
        </button>
      )}
    </section>
  );
}
