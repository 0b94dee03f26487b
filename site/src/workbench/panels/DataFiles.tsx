import { Braces } from 'lucide-react';
import type { Task } from '../../api/types';
import { resultsOf } from '../results';
import type { Bench } from '../useWorkbench';
import { fill, type IslandWords, sizeText } from '../words';

type DataFilesProps = { task: Task; bench: Bench; t: IslandWords };

/** What recognition found, line by line with its places: for programs, so it waits in a disclosure. */
export function DataFiles({ task, bench, t }: DataFilesProps) {
  if (resultsOf(task).some(([{ kind }]) => kind === 'json')) return null;
  const files = task.outputs
    .map((output, index) => ({ output, index }))
    .filter(({ output }) => output.kind === 'json');
  if (files.length === 0) return null;
  return (
    <details className="text-sm" data-testid="data-files">
      <summary className="cursor-pointer py-3 text-ink-soft">{t.dataFiles}</summary>
      <ul>
        {files.map(({ output, index }) => (
          <li key={output.key}>
            <button
              type="button"
              className="btn btn-quiet max-w-full"
              onClick={() => bench.download(task.taskId, index)}
              aria-label={fill(t.downloadFile, { name: output.name })}
              data-testid="download-data"
            >
              <Braces size={16} aria-hidden="true" />
              <span className="filename min-w-0 truncate">{output.name}</span>
              <span className="text-ink-faint">{sizeText(output.size)}</span>
            </button>
          </li>
        ))}
      </ul>
    </details>
  );
}
