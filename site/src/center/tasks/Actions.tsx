import {
  Download,
  FileArchive,
  Gauge,
  ListChecks,
  type LucideIcon,
  RotateCw,
  StepForward,
  Trash2,
  X,
} from 'lucide-react';
import { STATUS, type Task } from '../../api/types';
import { resultsOf, storedOf, takersOf } from '../../workbench/results';
import { fill } from '../../workbench/words';
import type { CardProps, PanelName } from './card';
import { Countdown } from './Countdown';
import { storedInputs } from './inputs';
import { isUnended } from './state';
import type { Centre } from './useCentre';

type ActionsProps = CardProps & {
  panel: PanelName | null;
  panelId: string;
  onToggle(name: PanelName): void;
};

const toolOf = (task: Task, { payload }: Centre) => payload?.tools.find(({ id }) => id === task.toolId);

/** The panels that this task has something for. */
function panelsOf(task: Task, centre: Centre): [PanelName, LucideIcon, string][] {
  const { t, payload } = centre;
  const own = toolOf(task, centre)?.key ?? '';
  const done = task.status === STATUS.SUCCESS;
  const next = done && takersOf(storedOf(task), payload?.tools ?? [], own).length > 0;
  const found: [PanelName, LucideIcon, string][] = [];
  if (task.receipt.length > 0) found.push(['receipt', ListChecks, t.receipt]);
  if (next) found.push(['continue', StepForward, t.continue]);
  if (done && own === 'compress') found.push(['level', Gauge, t.level]);
  found.push(['delete', isUnended(task) ? X : Trash2, isUnended(task) ? t.cancelTask : t.delete]);
  return found;
}

/** What can be done with a task: the one most wanted first, the others fold open below. */
export function Actions({ task, centre, panel, panelId, onToggle }: ActionsProps) {
  return (
    <div className="mt-4 flex flex-wrap items-center gap-x-3 gap-y-2 sm:justify-between">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 max-sm:w-full">
        <Main task={task} centre={centre} />
        <Countdown task={task} centre={centre} />
      </div>
      <fieldset className="flex flex-wrap max-sm:-mx-2 max-sm:w-[calc(100%+1rem)] max-sm:border-t max-sm:border-line max-sm:pt-1">
        <legend className="sr-only">{fill(centre.t.actions, { name: task.fileName })}</legend>
        {panelsOf(task, centre).map(([name, Icon, label]) => (
          <button
            key={name}
            type="button"
            className={`btn min-w-0 gap-1.5 px-3 text-sm max-sm:flex-1 max-sm:flex-col max-sm:gap-0.5 max-sm:px-1 max-sm:text-xs ${
              name === 'delete' ? 'btn-quiet hover:text-danger' : 'btn-quiet'
            } ${panel === name ? 'bg-tint text-primary-strong' : ''}`}
            aria-expanded={panel === name}
            aria-controls={panel === name ? panelId : undefined}
            onClick={() => onToggle(name)}
            data-testid={`open-${name}`}
          >
            <Icon size={18} aria-hidden="true" />
            {label}
          </button>
        ))}
      </fieldset>
    </div>
  );
}

function Main({ task, centre }: CardProps) {
  const { t } = centre;
  if (isUnended(task)) return null;
  if (task.status !== STATUS.SUCCESS) return <TryAgain task={task} centre={centre} />;
  const results = resultsOf(task);
  if (results.length === 0) return null;
  const [only] = results;
  const many = results.length > 1;
  const Icon = many ? FileArchive : Download;
  return (
    <button
      type="button"
      className="btn btn-primary max-sm:w-full"
      onClick={() => centre.download(task.taskId, many ? undefined : only![1])}
      aria-label={many ? undefined : fill(t.downloadFile, { name: only![0].name })}
      data-testid={many ? 'download-all' : 'download'}
    >
      <Icon size={18} aria-hidden="true" />
      {many ? t.downloadZip : t.download}
    </button>
  );
}

/** The tool's page with the same files, where it can take them without seeing them. */
function TryAgain({ task, centre }: CardProps) {
  const tool = toolOf(task, centre);
  if (!tool) return null;
  return (
    <button
      type="button"
      className="btn btn-plain max-sm:w-full"
      onClick={() => centre.carryOn(storedInputs(task, tool), tool.route)}
      data-testid="try-again"
    >
      <RotateCw size={18} aria-hidden="true" />
      {centre.t.tryAgain}
    </button>
  );
}
