import { ArrowRight, Download, FileArchive, FileText } from 'lucide-react';
import type { ReceiptLine, Task, TaskOutput } from '../../api/types';
import type { Bench } from '../useWorkbench';
import { Proofread } from './Proofread';
import { fill, type IslandWords, percentText, sizeText } from '../words';

type ResultsProps = { task: Task; bench: Bench; t: IslandWords };

/** Results with their index; the data that recognition keeps for programs is no result to a person. */
export const resultsOf = ({ outputs }: Task): [TaskOutput, number][] =>
  outputs
    .map((output, index): [TaskOutput, number] => [output, index])
    .filter(([{ kind }]) => kind !== 'json');

const sizeBefore = (output: TaskOutput, task: Task) => task.inputs[output.input ?? 0]?.size ?? 0;

/** Sizes are compared where a PDF came of one PDF. */
const comparable = (output: TaskOutput, task: Task) =>
  output.kind === 'pdf' &&
  typeof output.input === 'number' &&
  /\.pdf$/i.test(task.inputs[output.input]?.name ?? '') &&
  task.outputs.filter(({ input }) => input === output.input).length === 1;

export function Results({ task, bench, t }: ResultsProps) {
  const results = resultsOf(task);
  const many = results.length > 1;
  return (
    <div className="mt-6 space-y-4">
      {many && (
        <button
          type="button"
          className="btn btn-primary btn-big w-full"
          onClick={() => bench.download(task.taskId)}
          data-testid="download-all"
        >
          <FileArchive size={20} aria-hidden="true" />
          {t.downloadAll}
        </button>
      )}
      <ul
        className={`space-y-3 ${results.length > 5 ? 'max-h-[28rem] overflow-y-auto' : ''}`}
        aria-label={t.results}
      >
        {results.map(([output, index]) => (
          <li key={output.key}>
            <ResultCard output={output} index={index} task={task} bench={bench} t={t} primary={!many} />
          </li>
        ))}
      </ul>
      <Receipt task={task} lang={bench.props.lang} t={t} />
    </div>
  );
}

type CardProps = ResultsProps & { output: TaskOutput; index: number; primary: boolean };

function ResultCard({ output, index, task, bench, t, primary }: CardProps) {
  return (
    <div
      className="flex flex-wrap items-center gap-4 rounded-md border border-line p-4"
      data-testid="result"
      data-name={output.name}
      data-size={output.size}
    >
      <span className="tile">
        <FileText size={22} strokeWidth={1.75} aria-hidden="true" />
      </span>
      <div className="min-w-0 flex-[1_1_12rem]">
        <p className="break-words font-medium">{output.name}</p>
        <p className="mt-0.5 flex flex-wrap items-center gap-x-2 text-sm text-ink-faint">
          {comparable(output, task) ? (
            <Sizes output={output} task={task} bench={bench} t={t} />
          ) : (
            <span>{sizeText(output.size)}</span>
          )}
          {output.pages !== null && <span>{fill(t.pages, { n: output.pages })}</span>}
        </p>
      </div>
      <button
        type="button"
        className={`btn ${primary ? 'btn-primary btn-big max-sm:w-full' : 'btn-plain'}`}
        onClick={() => bench.download(task.taskId, index)}
        aria-label={fill(t.downloadFile, { name: output.name })}
        data-testid="download"
      >
        <Download size={20} aria-hidden="true" />
        {t.download}
      </button>
      {output.kind === 'txt' && <Proofread output={output} index={index} task={task} bench={bench} t={t} />}
    </div>
  );
}

function Sizes({ output, task, bench, t }: ResultsProps & { output: TaskOutput }) {
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

const ORDER: ReceiptLine['kind'][] = ['lost', 'changed', 'kept', 'told'];
const MARKS = { lost: 'text-danger', changed: 'text-warn', kept: 'text-primary', told: 'text-ink-faint' };

function textOf({ text, what }: ReceiptLine, lang: 'zh' | 'en'): string {
  if (text && typeof text === 'object') return text[lang];
  return text || what || '';
}

function byFile(lines: ReceiptLine[]): [number | null, ReceiptLine[]][] {
  const groups = new Map<number | null, ReceiptLine[]>();
  for (const line of lines.toSorted((a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind))) {
    const about = line.input ?? null;
    groups.set(about, [...(groups.get(about) ?? []), line]);
  }
  return [...groups].toSorted(([a], [b]) => (a ?? -1) - (b ?? -1));
}

type ReceiptProps = { task: Task; lang: 'zh' | 'en'; t: IslandWords };

/** What was kept, changed and lost, before the download; file by file in a batch. */
function Receipt({ task, lang, t }: ReceiptProps) {
  if (task.receipt.length === 0) return null;
  const groups = byFile(task.receipt);
  return (
    <div className="rounded-md bg-sunken p-4" data-testid="receipt">
      <h3 className="text-sm font-semibold">{t.receipt}</h3>
      {groups.map(([about, lines]) => (
        <div key={about} className="mt-2">
          {about !== null && task.inputs.length > 1 && (
            <p className="truncate text-sm text-ink-faint">{task.inputs[about]?.name}</p>
          )}
          <ReceiptLines lines={lines} lang={lang} t={t} />
        </div>
      ))}
    </div>
  );
}

function ReceiptLines({ lines, lang, t }: Omit<ReceiptProps, 'task'> & { lines: ReceiptLine[] }) {
  return (
    <ul className="mt-1 grid gap-x-6 gap-y-1.5 text-sm sm:grid-cols-2">
      {lines.map((line) => (
        <li
          key={`${line.kind}:${textOf(line, lang)}`}
          className="flex gap-2"
          data-testid="receipt-line"
          data-kind={line.kind}
          data-what={line.what}
        >
          <span className={`shrink-0 font-medium ${MARKS[line.kind]}`}>{t[line.kind]}</span>
          <span className="min-w-0 break-words text-ink-soft">{textOf(line, lang)}</span>
        </li>
      ))}
    </ul>
  );
}
