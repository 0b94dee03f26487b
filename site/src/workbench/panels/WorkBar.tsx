import { Plus, X } from 'lucide-react';
import type { Row } from '../state';
import { rowsOf } from '../state';
import type { Bench } from '../useWorkbench';
import { fill, type IslandWords, sizeText } from '../words';
import { FileInput } from './intake';
import { panelWords } from './words';

const sum = (rows: Row[]) => rows.reduce((total, { size }) => total + size, 0);

function pagesOf(rows: Row[]): number | null {
  return rows.reduce<number | null>(
    (total, { pages }) => (total === null || pages === null ? null : total + pages),
    0,
  );
}

/** The head of the window while there is work: the tool, its files, and the way out. */
export function WorkBar({ bench, t }: { bench: Bench; t: IslandWords }) {
  const { state, props } = bench;
  const rows = rowsOf(state);
  const editing = state.phase === 'uploading' || state.phase === 'ready';
  const pages = rows.length > 0 ? pagesOf(rows) : null;
  const { clear } = panelWords[props.lang];
  return (
    <div className="work-bar">
      <div className="min-w-0 flex-1 sm:flex sm:items-baseline sm:gap-3">
        <h1 className="truncate font-semibold sm:text-lg outline-none" tabIndex={-1} data-next="files">
          {props.tool.title}
        </h1>
        {rows.length > 0 && (
          <p className="truncate text-sm text-ink-faint" role="status">
            {fill(t.filesCount, { n: rows.length, size: sizeText(sum(rows)) })}
            {pages !== null && ` · ${fill(t.pages, { n: pages })}`}
          </p>
        )}
      </div>
      {editing && props.tool.multiple && (
        <label
          className="btn btn-plain cursor-pointer focus-within:border-primary max-sm:px-3"
          data-testid="add-files"
        >
          <FileInput bench={bench} />
          <Plus size={18} aria-hidden="true" />
          <span className="max-[360px]:sr-only">{t.chooseMore}</span>
        </label>
      )}
      {state.phase !== 'starting' && state.phase !== 'running' && (
        <button
          type="button"
          className="btn btn-quiet btn-icon"
          onClick={bench.reset}
          aria-label={clear}
          title={clear}
          data-testid="clear"
        >
          <X size={20} aria-hidden="true" />
        </button>
      )}
    </div>
  );
}
