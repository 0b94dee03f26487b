import { ArrowRight, CircleAlert, Download, FileText } from 'lucide-react';
import { useState } from 'react';
import type { Task, TaskOutput } from '../../api/types';
import { FileName } from '../../workbench/panels/FileName';
import { Bar } from '../../workbench/panels/parts';
import { comparable, resultsOf, sizeBefore } from '../../workbench/results';
import { fill, percentText, sizeText } from '../../workbench/words';
import type { CardProps } from './card';
import { isQueued, layoutOf } from './state';
import type { Centre } from './useCentre';

/** Place in the queue, or stage and real progress. */
export function Progress({ task, centre: { payload, t } }: CardProps) {
  const waiting = isQueued(task);
  const before = task.queuePosition ?? 0;
  const place = before > 0 ? fill(t.queuePlace, { n: before }) : t.queueNext;
  const stage = (task.stage && payload?.stages[task.stage]) || t.working;
  return (
    <div className="mt-4" data-testid="task-running" data-stage={task.stage}>
      <Bar value={waiting ? null : task.progress} label={`${task.fileName}: ${waiting ? t.queued : stage}`} />
      <p className="mt-2 flex justify-between gap-4 text-sm text-ink-soft">
        <span data-testid={waiting ? 'queue-place' : 'stage'}>{waiting ? place : stage}</span>
        {!waiting && (
          <span className="tabular-nums" data-testid="progress-text">
            {percentText(task.progress)}
          </span>
        )}
      </p>
    </div>
  );
}

/** Why it did not work, in a sentence. */
export function Failure({ task, centre: { t } }: CardProps) {
  const files = task.inputs.filter(({ error }) => error && error.msg !== task.error?.msg);
  return (
    <div
      className="mt-4 flex gap-2 rounded-md bg-danger-tint px-3 py-2.5 text-sm text-danger"
      data-testid="task-problem"
      data-reason={task.error?.reason}
    >
      <CircleAlert size={18} aria-hidden="true" className="mt-0.5 shrink-0" />
      <div className="min-w-0 space-y-1 break-words">
        <p>{task.error?.msg || t.failUnknown}</p>
        {files.map(({ key, error }) => (
          <p key={key}>{error?.msg}</p>
        ))}
      </div>
    </div>
  );
}

const AT_FIRST = 3;

/** One result in one line; several as a list, with the files that did not work out. */
export function Outputs({ task, centre }: CardProps) {
  const [all, setAll] = useState(false);
  const results = resultsOf(task);
  const failed = task.inputs.filter(({ error }) => error);
  const { t } = centre;
  if (layoutOf(task) === 'single') {
    return results.map(([output]) => (
      <SingleLine key={output.key} output={output} task={task} centre={centre} />
    ));
  }
  const shown = all ? results : results.slice(0, AT_FIRST);
  return (
    <div className="mt-4">
      {failed.length > 0 && (
        <p className="mb-2 text-sm text-warn">
          {fill(t.partly, { done: task.inputs.length - failed.length, failed: failed.length })}
        </p>
      )}
      <ul className="divide-y divide-line rounded-md border border-line" data-testid="outputs">
        {shown.map(([output, index]) => (
          <OutputRow key={output.key} output={output} index={index} task={task} centre={centre} />
        ))}
        {failed.map(({ key, name, error }) => (
          <li
            key={key}
            className="px-3 py-2.5 text-sm"
            data-testid="file-problem"
            data-reason={error?.reason}
          >
            <p className="break-all text-ink-soft">{name}</p>
            <p className="text-danger">{error?.msg}</p>
          </li>
        ))}
      </ul>
      {results.length > AT_FIRST && (
        <button
          type="button"
          className="btn btn-quiet mt-1 w-full text-sm"
          aria-expanded={all}
          onClick={() => setAll(!all)}
          data-testid="more-files"
        >
          {all ? t.fewerFiles : fill(t.moreFiles, { n: results.length })}
        </button>
      )}
    </div>
  );
}

type OutputProps = { output: TaskOutput; task: Task; centre: Centre };

/** Size before and after, where they can be compared; else the size. */
function Sizes({ output, task, centre: { t } }: OutputProps) {
  const before = sizeBefore(output, task);
  if (!comparable(output, task)) return <span>{sizeText(output.size)}</span>;
  const saved = before > 0 ? 1 - output.size / before : 0;
  return (
    <span className="inline-flex flex-wrap items-center gap-x-2">
      <span className="inline-flex items-center gap-1" data-testid="sizes">
        {sizeText(before)}
        <ArrowRight size={14} aria-hidden="true" />
        <span className="font-semibold text-ink">{sizeText(output.size)}</span>
      </span>
      {saved >= 0.01 && sizeText(before) !== sizeText(output.size) && (
        <span className="rounded-full bg-tint px-2 text-xs font-semibold text-primary-strong">
          {fill(t.saved, { percent: percentText(saved) })}
        </span>
      )}
    </span>
  );
}

function SingleLine({ output, task, centre }: OutputProps) {
  return (
    <div
      className="mt-3 flex gap-2 text-sm text-ink-faint"
      data-testid="output"
      data-name={output.name}
      data-size={output.size}
    >
      <FileText size={18} aria-hidden="true" className="mt-0.5 shrink-0 text-primary" />
      <p className="flex min-w-0 flex-wrap gap-x-3 gap-y-1">
        <span className="filename break-all text-ink-soft">{output.name}</span>
        <Sizes output={output} task={task} centre={centre} />
      </p>
    </div>
  );
}

function OutputRow({ output, index, task, centre }: OutputProps & { index: number }) {
  const { t } = centre;
  return (
    <li
      className="flex items-center gap-3 py-1 pl-3 pr-1"
      data-testid="output"
      data-name={output.name}
      data-size={output.size}
    >
      <FileText size={18} aria-hidden="true" className="shrink-0 text-primary" />
      <span className="min-w-0 flex-1 py-1 text-sm">
        <FileName name={output.name} />
        <span className="text-ink-faint">
          <Sizes output={output} task={task} centre={centre} />
        </span>
      </span>
      <button
        type="button"
        className="btn btn-quiet btn-icon shrink-0"
        onClick={() => centre.download(task.taskId, index)}
        aria-label={fill(t.downloadFile, { name: output.name })}
        data-testid="download-one"
      >
        <Download size={20} aria-hidden="true" />
      </button>
    </li>
  );
}
