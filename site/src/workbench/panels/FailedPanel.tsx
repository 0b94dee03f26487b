import { CircleAlert, Crown, RotateCw, SlidersHorizontal } from 'lucide-react';
import { freshId } from '../choose';
import { rowsOf, type State } from '../state';
import type { Bench } from '../useWorkbench';
import type { IslandWords } from '../words';
import { Tile } from './parts';

type Failed = Extract<State, { phase: 'failed' }>;

/** What no option mends: another file is the way on. */
const NEEDS_ANOTHER_FILE = new Set(['damaged_file', 'empty_file', 'not_supported_type', 'unsafe_content']);

function sentence({ problem }: Failed, bench: Bench, t: IslandWords): string {
  if (problem.restriction) return t[`restriction${problem.restriction}`];
  return problem.msg || bench.payload?.reasons[problem.reason] || problem.reason;
}

/** The Problem in words, and the ways on from it. */
export function FailedPanel({ bench, work, t }: { bench: Bench; work: Failed; t: IslandWords }) {
  const { problem } = work;
  const another = NEEDS_ANOTHER_FILE.has(problem.reason);
  // Of several files the one that cannot be read is taken out there, and the rest goes on.
  const editable = !another || rowsOf(work).length > 1;
  const files = rowsOf(work).filter((row) => row.problem && row.problem.msg !== problem.msg);
  return (
    <section
      className="waiting items-center text-center"
      data-testid="failed"
      data-state="AllFailed"
      data-reason={problem.reason}
      data-restriction={problem.restriction}
    >
      <span className="[&_.tile]:bg-danger-tint [&_.tile]:text-danger">
        <Tile icon={CircleAlert} big />
      </span>
      <h2 className="text-xl outline-none" tabIndex={-1} data-next="problem">
        {t.failedTitle}
      </h2>
      <p className="max-w-full text-balance break-words text-ink-soft" role="alert" data-testid="problem">
        {sentence(work, bench, t)}
      </p>
      {files.map((row) => (
        <p key={row.id} className="mt-2 text-sm text-danger" data-testid="file-problem">
          {row.problem?.msg}
        </p>
      ))}
      <div className="mt-4 flex flex-wrap justify-center gap-3">
        {problem.restriction && (
          <button
            type="button"
            className="btn btn-primary"
            onClick={() =>
              bench.dispatch({ do: 'refused', problem, again: { attempt: freshId(), late: true } })
            }
            data-testid="lift-limit"
          >
            <Crown size={18} aria-hidden="true" />
            {problem.restriction === 3 ? t.renewAndGoOn : t.joinAndGoOn}
          </button>
        )}
        {editable && (
          <button
            type="button"
            className={`btn ${problem.restriction || another ? 'btn-plain' : 'btn-primary'}`}
            onClick={() => bench.dispatch({ do: 'edit' })}
            data-testid="edit-options"
          >
            <SlidersHorizontal size={18} aria-hidden="true" />
            {t.editOptions}
          </button>
        )}
        <button
          type="button"
          className={`btn ${another ? 'btn-primary order-first' : 'btn-plain'}`}
          onClick={bench.reset}
          data-testid="start-over"
        >
          <RotateCw size={18} aria-hidden="true" />
          {another ? t.again : t.startOver}
        </button>
      </div>
    </section>
  );
}
