import { ArrowRight, Download, Eye, FileArchive } from 'lucide-react';
import type { Task } from '../../api/types';
import { comparable, resultsOf, sizeBefore } from '../results';
import type { Shown } from '../shown';
import type { Bench } from '../useWorkbench';
import { fill, type IslandWords, percentText, sizeText } from '../words';
import { FileName } from './FileName';
import { panelWords } from './words';

type Props = { results: Shown[]; tasks: Task[]; bench: Bench; t: IslandWords };

const taskOf = (tasks: Task[], { taskId }: Shown) => tasks.find((task) => task.taskId === taskId)!;

/** The one result by its name and size; of several, what they make together. */
export function Headline({ results, tasks, bench, t }: Props) {
  const [only] = results;
  if (!only) return null;
  if (results.length === 1) return <One shown={only} task={taskOf(tasks, only)} bench={bench} t={t} />;
  const total = results.reduce((sum, { output }) => sum + output.size, 0);
  return (
    <p className="text-sm text-ink-soft">
      {fill(panelWords[bench.props.lang].doneMany, { n: results.length })} · {sizeText(total)}
    </p>
  );
}

type OneProps = { shown: Shown; task: Task; bench: Bench; t: IslandWords };

function One({ shown: { output }, task, bench, t }: OneProps) {
  return (
    <div className="min-w-0" data-testid="result" data-name={output.name} data-size={output.size}>
      <p className="filename font-medium break-words">{output.name}</p>
      <p className="mt-0.5 flex flex-wrap items-center gap-x-2 text-sm text-ink-faint">
        <Sizes output={output} task={task} bench={bench} t={t} />
        {output.pages !== null && <span>{fill(t.pages, { n: output.pages })}</span>}
      </p>
    </div>
  );
}

/** The biggest thing on the page. */
export function Downloads({ results, tasks, bench, t }: Props) {
  const [only] = results;
  if (only && results.length === 1) {
    return (
      <button
        type="button"
        className="btn btn-primary btn-big done-download"
        onClick={() => bench.download(only.taskId, only.index, only.output)}
        aria-label={fill(t.downloadFile, { name: only.output.name })}
        data-testid="download"
        data-next="result"
      >
        <Download size={22} aria-hidden="true" />
        {t.download}
      </button>
    );
  }
  return tasks
    .filter((task) => resultsOf(task).length > 1)
    .map((task) => (
      <button
        key={task.taskId}
        type="button"
        className="btn btn-primary btn-big done-download"
        onClick={() => bench.download(task.taskId)}
        data-testid="download-all"
        data-next="result"
      >
        <FileArchive size={22} aria-hidden="true" />
        {t.downloadAll}
      </button>
    ));
}

type PartsProps = Pick<Props, 'results' | 'bench' | 't'> & {
  chosen: Shown | undefined;
  onChoose(shown: Shown): void;
};

/** The results of one file, one below the other. */
export function Parts({ results, chosen, onChoose, bench, t }: PartsProps) {
  return (
    <ul className="done-parts" aria-label={t.results}>
      {results.map((shown) => (
        <li
          key={shown.output.key}
          data-testid="result"
          data-name={shown.output.name}
          data-size={shown.output.size}
          data-shown={shown === chosen || undefined}
        >
          <PartFace shown={shown} chosen={shown === chosen} onChoose={onChoose} t={t} />
          <DownloadOne shown={shown} bench={bench} t={t} />
        </li>
      ))}
    </ul>
  );
}

type FaceProps = {
  shown: Shown;
  chosen: boolean;
  onChoose(shown: Shown): void;
  bench: Bench;
  t: IslandWords;
};

function PartFace({ shown, chosen, onChoose, t }: Omit<FaceProps, 'bench'>) {
  const { name, size, pages } = shown.output;
  return (
    <button
      type="button"
      className="min-w-0 flex-1 rounded-sm py-1.5 text-left"
      aria-pressed={chosen}
      onClick={() => onChoose(shown)}
    >
      <FileName name={name} className="text-sm font-medium" />
      <span className="flex gap-x-2 text-xs text-ink-faint">
        <span>{sizeText(size)}</span>
        {pages !== null && <span>{fill(t.pages, { n: pages })}</span>}
      </span>
    </button>
  );
}

export function DownloadOne({ shown, bench, t }: { shown: Shown; bench: Bench; t: IslandWords }) {
  const { output, taskId, index } = shown;
  const label = fill(t.downloadFile, { name: output.name });
  return (
    <button
      type="button"
      className="btn btn-quiet btn-icon shrink-0"
      onClick={() => bench.download(taskId, index, output)}
      aria-label={label}
      title={label}
      data-testid="download"
    >
      <Download size={18} aria-hidden="true" />
    </button>
  );
}

export function LookAt({ shown, onChoose, bench }: Pick<FaceProps, 'shown' | 'onChoose' | 'bench'>) {
  const { showFile } = panelWords[bench.props.lang];
  const label = fill(showFile, { name: shown.output.name });
  return (
    <button
      type="button"
      className="btn btn-quiet btn-icon shrink-0"
      onClick={() => onChoose(shown)}
      aria-label={label}
      title={label}
    >
      <Eye size={18} aria-hidden="true" />
    </button>
  );
}

/** The size, beside that of the PDF it was made from. */
export function Sizes({ output, task, bench, t }: Omit<OneProps, 'shown'> & { output: Shown['output'] }) {
  if (!comparable(output, task)) return <span>{sizeText(output.size)}</span>;
  const before = sizeBefore(output, task);
  const saved = before > 0 ? 1 - output.size / before : 0;
  return (
    <>
      <span className="inline-flex items-center gap-1" data-testid="sizes">
        <span>{sizeText(before)}</span>
        <ArrowRight size={14} aria-hidden="true" />
        <span className="font-semibold text-ink">{sizeText(output.size)}</span>
      </span>
      {bench.props.tool.key === 'compress' && saved >= 0.01 && (
        <span
          className="rounded-full bg-tint px-2 text-xs font-semibold text-primary-strong"
          data-testid="saved"
        >
          {fill(t.saved, { percent: percentText(saved) })}
        </span>
      )}
    </>
  );
}
