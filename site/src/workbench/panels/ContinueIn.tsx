import { ArrowRight } from 'lucide-react';
import { handOn } from '../../lib/handoff';
import { localPath } from '../../lib/lang';
import { storedOf, takersOf } from '../results';
import { standing } from '../state';
import type { DoneProps } from './done';

/** Tools that take the results as they are: the keys go along, nothing is uploaded again. */
export function ContinueIn({ bench, work, t }: DoneProps) {
  const { lang, main, tool } = bench.props;
  const stored = standing(work.results).flatMap(storedOf);
  const next = takersOf(stored, bench.payload?.tools ?? [], tool.key);
  // Storage of the page is not shared with another origin, so a sub-site has nowhere to hand on to.
  if (next.length === 0 || main) return null;
  const go = async (route: string) => {
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
