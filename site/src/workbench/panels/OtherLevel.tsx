import type { Localised } from '../contract';
import type { DoneProps } from './done';
import { Forgotten } from './Forgotten';

type Choices = Record<string, Localised>;

/** Levels that need no further numbers. */
const PLAIN = ['light', 'standard', 'strong'];

/** A compress task runs again on its stored input with another level. */
export function OtherLevel({ bench, work, t }: DoneProps) {
  const field = bench.payload?.tool.options.properties?.level;
  const choices: Choices = field?.ui?.choices ?? {};
  const options = work.options as { level?: string } | null;
  const others = Object.entries(choices).filter(
    ([level]) => PLAIN.includes(level) && level !== options?.level,
  );
  const last = work.results.at(-1);
  if (!last || others.length === 0) return null;
  return (
    <div data-testid="other-level">
      <h3 className="text-sm font-semibold">{t.otherLevel}</h3>
      <div className="mt-2 flex flex-wrap gap-2">
        {others.map(([level, title]) => (
          <button
            key={level}
            type="button"
            className="chip-go"
            onClick={() => bench.retryLevel(last, level)}
            data-testid="level"
            data-level={level}
          >
            {title[bench.props.lang].split(' · ')[0]}
          </button>
        ))}
      </div>
      <Passwords bench={bench} work={work} t={t} />
    </div>
  );
}

function Passwords({ bench, work, t }: DoneProps) {
  const asked = work.rows.filter(({ id }) => work.redo?.ids.includes(id));
  if (asked.length === 0) return null;
  const files = asked.map(({ id, name, password = '', problem }) => ({
    id,
    name,
    password,
    wrong: problem?.reason === 'password_wrong',
  }));
  return (
    <Forgotten
      files={files}
      onType={(id, password) => bench.dispatch({ do: 'password', id, password })}
      onStart={() => void bench.start()}
      t={t}
    />
  );
}
