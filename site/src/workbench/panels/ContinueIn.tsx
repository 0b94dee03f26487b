import { ArrowRight } from 'lucide-react';
import { handOn, type StoredFile } from '../../lib/handoff';
import { localPath } from '../../lib/lang';
import { standing } from '../state';
import type { DoneProps } from './DonePanel';
import { resultsOf } from './Results';

/** Tools that take the results as they are: the keys go along, nothing is uploaded again. */
export function ContinueIn({ bench, work, t }: DoneProps) {
  const { lang, main, tool } = bench.props;
  const outputs = standing(work.results).flatMap((task) =>
    resultsOf(task).map(
      ([output, index]): StoredFile => ({ ...output, from: { taskId: task.taskId, index } }),
    ),
  );
  const kinds = [...new Set(outputs.map(({ kind }) => kind))];
  const next = (bench.payload?.tools ?? []).filter(
    ({ key, kinds: taken }) => key !== tool.key && kinds.every((kind) => taken.includes(kind)),
  );
  // Storage of the page is not shared with another origin, so a sub-site has nowhere to hand on to.
  if (outputs.length === 0 || next.length === 0 || main) return null;
  const go = async (route: string) => {
    const stored = outputs.map(({ name, size, kind, key, pages, from }) => ({
      name,
      size,
      kind,
      key,
      pages,
      from,
    }));
    await handOn(route, { stored });
    location.assign(localPath(lang, route));
  };
  return (
    <div className="card p-5" data-testid="continue">
      <h3 className="font-semibold">{t.continueIn}</h3>
      <div className="mt-3 flex flex-wrap gap-2">
        {next.map(({ key, route, name }) => (
          <button
            key={key}
            type="button"
            className="btn btn-plain"
            onClick={() => go(route)}
            data-testid="continue-tool"
            data-tool={key}
          >
            {name}
            <ArrowRight size={16} aria-hidden="true" />
          </button>
        ))}
      </div>
    </div>
  );
}
