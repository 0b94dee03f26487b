import { ArrowRight, Download, FileArchive, FileText } from 'lucide-react';
import type { Task, TaskOutput } from '../../api/types';
import { comparable, resultsOf, sizeBefore } from '../results';
import type { Bench } from '../useWorkbench';
import { DataFiles } from './DataFiles';
import { isProofread } from '../../editors/facts';
import { Proofread } from './Proofread';
import { Receipt } from './Receipt';
import { fill, type IslandWords, percentText, sizeText } from '../words';

type ResultsProps = { task: Task; bench: Bench; t: IslandWords };

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
      <DataFiles task={task} bench={bench} t={t} />
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
      {isProofread(bench.props.tool.review, output.kind) && (
        <Proofread output={output} index={index} task={task} bench={bench} t={t} />
      )}
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
