import { useEffect, useState } from 'react';
import { accessToken } from '../../account/hint';
import { useAccount } from '../../account/useAccount';
import { STATUS, type Task } from '../../api/types';
import { rowsOfTask } from '../choose';
import type { Bench } from '../useWorkbench';
import { fill, type IslandWords, percentText } from '../words';

const SHOWN = 3;
/** Tasks that still run, or have something to fetch. */
const LIVE = [STATUS.CREATE, STATUS.BE_QUEUING, STATUS.PROCESSING, STATUS.SUCCESS].join();

/** A visitor's live tasks of this tool; without a token there are none to ask about. */
function useRecent({ client, props }: Bench): Task[] {
  const visitor = useAccount().state === 'visitor';
  const [tasks, setTasks] = useState<Task[]>([]);
  const toolId = props.tool.id;
  useEffect(() => {
    if (!visitor || !accessToken()) return setTasks([]);
    const stop = new AbortController();
    client
      .get<{ items: Task[] }>(
        'task/task/getUserTasks',
        { toolId, status: LIVE, order: 2, size: SHOWN },
        stop.signal,
      )
      .then(({ items }) => setTasks(items))
      .catch(() => undefined);
    return () => stop.abort();
  }, [visitor, client, toolId]);
  return tasks;
}

function standingOf({ status, progress }: Task, t: IslandWords): string {
  if (status === STATUS.SUCCESS) return t.recentDone;
  return status === STATUS.PROCESSING
    ? fill(t.recentWorking, { percent: percentText(progress) })
    : t.recentQueued;
}

/** Where a visitor finds again what this browser began here: the task centre is for accounts. */
export function Recent({ bench, t }: { bench: Bench; t: IslandWords }) {
  const tasks = useRecent(bench);
  if (tasks.length === 0) return null;
  const open = (task: Task) => {
    void bench.prepare().catch(() => undefined);
    bench.dispatch({ do: 'reopened', task, rows: rowsOfTask(task, bench.props.tool.accepts) });
  };
  return (
    <section className="card p-4 sm:p-5" aria-label={t.recent} data-testid="recent">
      <h2 className="text-base">{t.recent}</h2>
      <ul className="mt-2 divide-y divide-line">
        {tasks.map((task) => (
          <li key={task.taskId} className="flex items-center gap-3 py-2" data-testid="recent-task">
            <span className="min-w-0 flex-1 truncate">{task.fileName}</span>
            <span className="shrink-0 text-sm text-ink-faint">{standingOf(task, t)}</span>
            <button
              type="button"
              className="btn btn-plain shrink-0"
              onClick={() => open(task)}
              aria-label={fill(t.recentOpenOf, { name: task.fileName })}
              data-testid="recent-open"
            >
              {t.recentOpen}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
