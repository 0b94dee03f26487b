import { lazy, Suspense, useId, useState } from 'react';
import { STATUS, type Task } from '../../api/types';
import { later } from '../../workbench/later';
import { outcome } from '../../workbench/state';
import { fill, sizeText } from '../../workbench/words';
import { tellLost } from '../../scripts/lost';
import { momentText } from '../time';
import type { CenterWords } from '../words';
import { Actions } from './Actions';
import { Failure, Outputs, Progress } from './Outcome';
import type { CardProps, PanelName } from './card';
import type { Panel as TaskPanel } from './Panel';
import { isQueued, isUnended, layoutOf } from './state';
import { ToolIcon } from './ToolIcon';

const Nothing: typeof TaskPanel = () => <></>;
const loadPanel = later(() => import('./Panel'), tellLost);
/** Where it does not come, the page's bar says so. */
const Panel = lazy(() =>
  loadPanel().then(
    (module) => ({ default: module.Panel }),
    () => ({ default: Nothing }),
  ),
);

/** One task: what it is, how it stands, and what can be done with it. */
export function TaskCard({ task, centre }: CardProps) {
  const [panel, setPanel] = useState<PanelName | null>(null);
  const id = useId();
  const toggle = (name: PanelName) => setPanel(panel === name ? null : name);
  return (
    <li
      className={`card p-4 sm:p-5 ${centre.state.fresh === task.taskId ? 'border-primary shadow-soft' : ''}`}
      data-testid="task"
      data-task={task.taskId}
      data-status={task.status}
      data-layout={layoutOf(task)}
    >
      <Heading task={task} centre={centre} />
      {isUnended(task) && <Progress task={task} centre={centre} />}
      {task.status === STATUS.SUCCESS && <Outputs task={task} centre={centre} />}
      {!isUnended(task) && task.status !== STATUS.SUCCESS && <Failure task={task} centre={centre} />}
      <Actions task={task} centre={centre} panel={panel} panelId={id} onToggle={toggle} />
      {panel && (
        <div id={id} className="mt-3">
          <Suspense fallback={null}>
            <Panel name={panel} task={task} centre={centre} onClose={() => setPanel(null)} />
          </Suspense>
        </div>
      )}
    </li>
  );
}

function nameOf({ inputs, fileName }: Task, t: CenterWords): string {
  return inputs.length > 1 ? `${fileName} · ${fill(t.files, { n: inputs.length })}` : fileName;
}

function Heading({ task, centre }: CardProps) {
  const { payload, lang, now, t } = centre;
  const tool = payload?.tools.find(({ id }) => id === task.toolId);
  const size = task.inputs.reduce((sum, input) => sum + input.size, 0);
  return (
    <div className="flex items-start gap-3 sm:gap-4">
      <span className="tile">{tool && <ToolIcon name={tool.key} />}</span>
      <div className="min-w-0 flex-1">
        <h2
          className="filename line-clamp-2 break-all font-semibold [text-wrap:wrap]"
          title={task.fileName}
          data-testid="task-name"
        >
          {nameOf(task, t)}
        </h2>
        <p className="mt-0.5 text-sm text-ink-faint">
          {tool ? (
            <a
              href={tool.path}
              className="underline-offset-4 hover:text-primary hover:underline"
              data-testid="task-tool"
            >
              {tool.name}
            </a>
          ) : (
            task.toolName
          )}{' '}
          · <span className="max-sm:hidden">{sizeText(size)} · </span>
          <time dateTime={new Date(task.createdAt).toISOString()} className="whitespace-nowrap">
            {momentText(task.createdAt, lang, t, now)}
          </time>
        </p>
      </div>
      <StatusChip task={task} t={t} fresh={centre.state.fresh === task.taskId} />
    </div>
  );
}

const TONES = {
  good: 'bg-tint text-primary-strong',
  busy: 'bg-sunken text-ink-soft',
  warn: 'bg-warn-tint text-warn',
  bad: 'bg-danger-tint text-danger',
};

function standingOf(task: Task, t: CenterWords): [keyof typeof TONES, string] {
  if (isQueued(task)) return ['busy', t.queued];
  switch (task.status) {
    case STATUS.PROCESSING:
      return ['busy', t.running];
    case STATUS.SUCCESS:
      return outcome(task) === 'Success' ? ['good', t.success] : ['warn', t.partlyDone];
    case STATUS.TIMEOUT_FAIL:
      return ['bad', t.timeout];
    case STATUS.ABNORMAL:
      return ['bad', t.abnormal];
    default:
      return ['bad', t.fail];
  }
}

function StatusChip({ task, t, fresh }: { task: Task; t: CenterWords; fresh: boolean }) {
  const [tone, text] = standingOf(task, t);
  return (
    <span className="flex shrink-0 flex-col items-end gap-1">
      <span
        className={`rounded-full px-2.5 py-0.5 text-xs font-semibold ${TONES[tone]}`}
        data-testid="task-status"
      >
        {text}
      </span>
      {fresh && <span className="text-xs font-semibold text-primary">{t.fresh}</span>}
    </span>
  );
}
