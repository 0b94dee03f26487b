import { BellRing, LoaderCircle, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useAccount } from '../../account/useAccount';
import { STATUS, type Task } from '../../api/types';
import { localPath } from '../../lib/lang';
import { mayNotify } from '../announce';
import { leftOf, leftWords, type Sample, sampled, spanText } from '../left';
import type { Row, State } from '../state';
import type { Bench } from '../useWorkbench';
import { fill, type IslandWords, percentText } from '../words';
import { FileName } from './FileName';
import { Bar } from './parts';
import { panelWords } from './words';

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

/** How long it will take from here, in words; null until that is more than a guess. */
function useLeft(task: Task | null, lang: 'zh' | 'en'): string | null {
  const samples = useRef<Sample[]>([]);
  const progress = task && !queued(task) ? task.progress : null;
  const [left, setLeft] = useState<number | null>(null);
  useEffect(() => {
    if (progress === null) return;
    samples.current = sampled(samples.current, { at: Date.now(), progress });
    setLeft(leftOf(samples.current));
  }, [progress]);
  if (left === null) return null;
  const words = panelWords[lang];
  const { unit, n } = leftWords(left);
  return unit === 'almost' ? words.almost : fill(words.left, { time: spanText(n, unit, lang) });
}

/** Queue place, stage and real progress; the task outlives the page. */
export function RunningPanel({ bench, work, t }: PanelProps) {
  const task = work.phase === 'running' ? work.task : null;
  const waiting = task ? queued(task) : false;
  const { lang } = bench.props;
  const left = useLeft(task, lang);
  return (
    <section className="waiting" data-testid="running" data-status={task?.status} data-stage={task?.stage}>
      <div role="status">
        <h2 className="text-xl outline-none" tabIndex={-1} data-testid="stage" data-next="stage">
          <LoaderCircle
            size={22}
            aria-hidden="true"
            className="mr-2.5 inline align-[-0.2em] text-primary motion-safe:animate-spin"
          />
          {heading(task, bench, t)}
        </h2>
      </div>
      <div className="w-full">
        <Bar value={task && !waiting ? task.progress : null} label={panelWords[lang].stages} />
        <p className="mt-2 flex min-h-6 justify-between gap-4 text-sm text-ink-soft">
          {task && waiting && <span data-testid="queue-place">{place(task, t)}</span>}
          {task && !waiting && (
            <span data-testid="progress-text">
              {fill(t.percentDone, { percent: percentText(task.progress) })}
            </span>
          )}
          {left && <span data-testid="time-left">{left}</span>}
        </p>
      </div>
      <Files rows={work.rows} task={task} lang={lang} />
      <p className="text-sm text-ink-faint">
        <KeepOpen bench={bench} t={t} />
      </p>
      {work.phase === 'running' && (
        <div className="flex flex-wrap gap-2">
          <TellMe lang={lang} />
          <button
            type="button"
            className="btn btn-plain"
            onClick={() => bench.cancelTask(work.taskId)}
            data-testid="cancel"
          >
            <X size={18} aria-hidden="true" />
            {t.cancel}
          </button>
        </div>
      )}
    </section>
  );
}

type FilesProps = { rows: Row[]; task: Task | null; lang: 'zh' | 'en' };

/** Each file of a batch and how it stands. */
function Files({ rows, task, lang }: FilesProps) {
  if (rows.length === 1)
    return <FileName name={rows[0]!.name} className="max-w-full text-sm text-ink-faint" />;
  return (
    <ul className="waiting-files" data-testid="waiting-files">
      {rows.map((row, place) => (
        <li key={row.id} data-testid="waiting-row">
          <FileName name={row.name} className="flex-1" />
          <Standing task={task} place={place} lang={lang} />
        </li>
      ))}
    </ul>
  );
}

function Standing({ task, place, lang }: Pick<FilesProps, 'task' | 'lang'> & { place: number }) {
  const words = panelWords[lang];
  const input = task?.inputs[place];
  if (input?.error) return <span className="text-danger">{words.rowFailed}</span>;
  if (input?.done) return <span className="text-primary">{words.rowDone}</span>;
  return (
    <span className="text-ink-faint">{task && !queued(task) ? words.rowWorking : words.rowWaiting}</span>
  );
}

/** Asks the browser's leave to tell when it is done; nobody is asked unasked. */
function TellMe({ lang }: { lang: 'zh' | 'en' }) {
  const [may, setMay] = useState(mayNotify);
  const words = panelWords[lang];
  if (may === 'granted')
    return <p className="flex items-center gap-2 text-sm text-ink-faint">{words.notifyOn}</p>;
  if (may !== 'default') return null;
  return (
    <button
      type="button"
      className="btn btn-plain"
      onClick={() => void Notification.requestPermission().then(setMay)}
      data-testid="notify"
    >
      <BellRing size={18} aria-hidden="true" />
      {words.notify}
    </button>
  );
}
