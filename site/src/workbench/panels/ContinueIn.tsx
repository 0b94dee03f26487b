import { ArrowRight } from 'lucide-react';
import { handOn } from '../../lib/handoff';
import { localPath } from '../../lib/lang';
import type { ToolPayload } from '../../lib/payload';
import { storedOf, takersOf } from '../results';
import { standing } from '../state';
import type { DoneProps } from './done';
import { panelWords } from './words';

type Tool = ToolPayload['tools'][number];

/** How many are named at once; the rest wait behind a word. */
const NAMED = 5;

/** The tools that the page names as related come first. */
function ranked(tools: Tool[], related: Tool[]): Tool[] {
  const place = ({ key }: Tool) => {
    const found = related.findIndex((other) => other.key === key);
    return found < 0 ? related.length : found;
  };
  return tools.toSorted((a, b) => place(a) - place(b));
}

/** Tools that take the results as they are: the keys go along, nothing is uploaded again. */
export function ContinueIn({ bench, work, t }: DoneProps) {
  const { lang, main, tool } = bench.props;
  const stored = standing(work.results).flatMap(storedOf);
  const takers = takersOf(stored, bench.payload?.tools ?? [], tool.key);
  // Storage of the page is not shared with another origin, so a sub-site has nowhere to hand on to.
  if (takers.length === 0 || main) return null;
  const go = async (route: string) => {
    const now = await bench.upToDate(standing(work.results));
    await handOn(route, { stored: now.flatMap(storedOf) });
    location.assign(localPath(lang, route));
  };
  const next = ranked(takers, bench.payload?.related ?? []);
  return (
    <div data-testid="continue">
      <h3 className="text-sm font-semibold">{t.continueIn}</h3>
      <Tools tools={next.slice(0, NAMED)} onGo={go} />
      {next.length > NAMED && (
        <details className="mt-2 text-sm" data-testid="continue-more">
          <summary className="inline-flex min-h-9 items-center text-ink-soft">
            {panelWords[lang].moreTools}
          </summary>
          <Tools tools={next.slice(NAMED)} onGo={go} />
        </details>
      )}
    </div>
  );
}

const Tools = ({ tools, onGo }: { tools: Tool[]; onGo(route: string): void }) => (
  <div className="mt-2 flex flex-wrap gap-2">
    {tools.map(({ key, route, name }) => (
      <button
        key={key}
        type="button"
        className="chip-go"
        onClick={() => onGo(route)}
        data-testid="continue-tool"
        data-tool={key}
      >
        {name}
        <ArrowRight size={14} aria-hidden="true" />
      </button>
    ))}
  </div>
);
