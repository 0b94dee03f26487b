import { RotateCw, SlidersHorizontal } from 'lucide-react';
import { ContinueIn } from './ContinueIn';
import type { DoneProps } from './done';
import { DeleteNow } from './DeleteNow';
import { OtherLevel } from './OtherLevel';
import { ToCentre } from './ToCentre';

/** What can follow on a result: other options, another tool, another file, or its end. */
export function NextSteps({ bench, work, t }: DoneProps) {
  return (
    <>
      {bench.props.tool.key === 'compress' && <OtherLevel bench={bench} work={work} t={t} />}
      <div className="flex flex-wrap gap-2">
        <button
          type="button"
          className="chip-go"
          onClick={() => bench.dispatch({ do: 'edit' })}
          data-testid="edit-options"
        >
          <SlidersHorizontal size={16} aria-hidden="true" />
          {t.editOptions}
        </button>
        <button type="button" className="chip-go" onClick={bench.reset} data-testid="again">
          <RotateCw size={16} aria-hidden="true" />
          {t.again}
        </button>
      </div>
      <ContinueIn bench={bench} work={work} t={t} />
      <ToCentre bench={bench} t={t} />
      <DeleteNow bench={bench} work={work} t={t} />
    </>
  );
}
