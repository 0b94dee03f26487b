import { lazy, Suspense, useState } from 'react';
import { factsOf } from '../../editors/facts';
import { areaState } from '../area';
import { loadPreviewer } from '../laterPreview';
import type { Editing, Row } from '../state';
import type { Bench } from '../useWorkbench';
import { FileRow } from './FileRow';
import type { AreaProps } from './intake';
import { Coming, Part } from './Lost';
import { OptionsPanel } from './OptionsPanel';
import { Refusals } from './Refusals';
import { ToolEditor } from './ToolEditor';

const FilePreview = lazy(async () => ({ default: (await loadPreviewer()).FilePreview }));

/** Where the editor lists the files itself, what still needs attention stays in the rows. */
const needsAttention = ({ upload, locked }: Row) => upload.at !== 'stored' || locked;

/** The document in the middle, its files as a strip, the options at the side: everything that is needed to start. */
export function FilesPanel({ bench, work, t, dragging }: AreaProps & { work: Editing }) {
  const { rows, refusals } = work;
  const { editor } = bench.props.tool;
  const [chosen, setChosen] = useState<string | null>(null);
  const strip = factsOf(editor).listsFiles ? rows.filter(needsAttention) : rows;
  const seen = rows.find(({ id }) => id === chosen) ?? rows[0];
  return (
    <div className="bench" data-editor={editor ?? 'none'}>
      <section
        className="bench-main"
        aria-label={t.files}
        data-testid="upload-area"
        data-state={areaState(rows, dragging)}
        data-count={rows.length}
      >
        <Refusals refusals={refusals} bench={bench} t={t} />
        {strip.length > 0 && (
          <ul className="strip" data-testid="files">
            {strip.map((row) => (
              <FileRow
                key={row.id}
                row={row}
                bench={bench}
                t={t}
                shown={!editor && rows.length > 1 && row === seen}
                onShow={!editor && rows.length > 1 ? () => setChosen(row.id) : undefined}
              />
            ))}
          </ul>
        )}
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard */}
        <section className="bench-stage" aria-label={bench.props.tool.title} tabIndex={0}>
          {editor ? (
            <ToolEditor bench={bench} work={work} />
          ) : (
            seen && <Stage key={seen.id} row={seen} bench={bench} t={t} />
          )}
        </section>
      </section>
      <OptionsPanel bench={bench} work={work} t={t} />
    </div>
  );
}

type StageProps = { row: Row; bench: Bench; t: AreaProps['t'] };

/** The file as it is, where the tool has no editor of its own. */
function Stage({ row, bench, t }: StageProps) {
  const skeleton = (
    <Coming t={t}>
      <div className="skeleton size-full" />
    </Coming>
  );
  return (
    <Part t={t}>
      <Suspense fallback={skeleton}>
        <FilePreview row={row} lang={bench.props.lang} />
      </Suspense>
    </Part>
  );
}
