import { Plus } from 'lucide-react';
import { factsOf } from '../../editors/facts';
import { areaState } from '../area';
import type { Editing, Row } from '../state';
import { fill, sizeText } from '../words';
import { FileRow } from './FileRow';
import { OptionsPanel } from './OptionsPanel';
import { Refusals } from './Refusals';
import { ToolEditor } from './ToolEditor';
import { type AreaProps, dropTarget, FileInput } from './intake';

/** Where the editor lists the files itself, what still needs attention stays in the rows. */
const needsAttention = ({ upload, locked }: Row) => upload.at !== 'stored' || locked;

const sum = (rows: Row[]) => rows.reduce((total, { size }) => total + size, 0);

/** Chosen files beside the options: everything that is needed to start. */
export function FilesPanel(props: AreaProps & { work: Editing }) {
  const { bench, work, t, dragging, onDragging } = props;
  const { rows, refusals } = work;
  const { multiple, editor } = bench.props.tool;
  const shown = factsOf(editor).listsFiles ? rows.filter(needsAttention) : rows;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5 lg:grid-cols-[minmax(0,1fr)_22rem] lg:items-start">
      <section
        className="card space-y-4 p-4 data-[state=Dragging]:border-primary data-[state=Dragging]:bg-tint sm:p-5"
        aria-label={t.files}
        data-testid="upload-area"
        data-state={areaState(rows, dragging)}
        data-count={rows.length}
        {...dropTarget({ bench, onDragging })}
      >
        <div className="flex min-h-11 items-center justify-between gap-3">
          <p className="text-sm text-ink-soft" role="status">
            {fill(t.filesCount, { n: rows.length, size: sizeText(sum(rows)) })}
          </p>
          {multiple && (
            <label
              className="btn btn-plain cursor-pointer focus-within:border-primary"
              data-testid="add-files"
            >
              <FileInput bench={bench} />
              <Plus size={18} aria-hidden="true" />
              {t.chooseMore}
            </label>
          )}
        </div>
        <Refusals refusals={refusals} bench={bench} t={t} />
        {shown.length > 0 && (
          <ul className="divide-y divide-line" data-testid="files">
            {shown.map((row) => (
              <FileRow key={row.id} row={row} bench={bench} t={t} />
            ))}
          </ul>
        )}
        <ToolEditor bench={bench} work={work} />
      </section>
      <OptionsPanel bench={bench} work={work} t={t} />
    </div>
  );
}
