import { Play } from 'lucide-react';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import type { FieldSchema } from '../contract';
import { uploadProgress } from '../area';
import { type Editing, rowsOf } from '../state';
import type { Bench } from '../useWorkbench';
import { fill, type IslandWords, percentText } from '../words';
import { Bar } from './parts';
import { ToolNote } from './ToolEditor';
import { loadFields } from '../later';
import { Coming, Part } from './Lost';

const Form = lazy(async () => ({ default: (await loadFields()).OptionsForm }));

const Skeleton = ({ t }: { t: IslandWords }) => (
  <Coming t={t}>
    <div className="space-y-4" data-testid="options-loading">
      {['w-1/3', 'w-full', 'w-1/2', 'w-full'].map((width, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the bars never move
        <div key={index} className={`skeleton h-8 ${width}`} />
      ))}
    </div>
  </Coming>
);

type PanelProps = { bench: Bench; work: Editing; t: IslandWords };

const hasFields = (schema: FieldSchema) =>
  Object.values(schema.properties ?? {}).some(({ ui }) => ui?.widget !== 'hidden' && !ui?.editor) ||
  Boolean(schema.oneOf ?? schema.anyOf);

function useFormProblems(schema: FieldSchema | undefined, { bench, work }: PanelProps): number {
  const [count, setCount] = useState(0);
  const { options, rows } = work;
  const { lang } = bench.props;
  useEffect(() => {
    if (!schema || options === null) return;
    let current = true;
    loadFields().then(
      ({ problemsOf }) => {
        if (current) setCount(Object.keys(problemsOf(schema, options, { files: rows, lang })).length);
      },
      () => undefined,
    );
    return () => {
      current = false;
    };
  }, [schema, options, rows, lang]);
  return count;
}

/** Why the visitor cannot start yet, or null. */
function obstacle({ bench, work, t }: PanelProps, problems: number): string | null {
  const { least } = bench.props.tool;
  if (work.rows.length < least) return fill(t.needFiles, { n: least });
  if (work.rows.some(({ upload }) => upload.at === 'failed' || upload.at === 'absent')) return t.needRetry;
  if (work.rows.some(({ locked, password }) => locked && !password)) return t.needPassword;
  return problems > 0 ? t.fixOptions : null;
}

function rightsHint({ bench: { rights }, t }: Pick<PanelProps, 'bench' | 't'>): string {
  if (rights?.restriction) return t[`restriction${rights.restriction}`];
  return typeof rights?.remainingTries === 'number' ? fill(t.triesLeft, { n: rights.remainingTries }) : '';
}

/** The tool's form and the one clear action. */
export function OptionsPanel({ bench, work, t }: PanelProps) {
  const schema = bench.payload?.tool.options;
  const problems = useFormProblems(schema, { bench, work, t });
  const fields = useRef<HTMLDivElement>(null);
  const stop = obstacle({ bench, work, t }, problems);
  return (
    // Narrow: the start button sticks to the window's edge from the first file on, not from the first option.
    <aside
      className="contents lg:sticky lg:top-20 lg:flex lg:max-h-[calc(100dvh-6rem)] lg:flex-col lg:rounded-lg lg:border lg:border-line lg:bg-surface"
      aria-label={t.options}
    >
      <div className="card min-h-0 flex-1 overflow-y-auto p-5 lg:border-0" ref={fields} data-testid="options">
        <h2 className="mb-4 text-lg">{t.options}</h2>
        {schema && work.options !== null ? (
          <OptionFields bench={bench} work={work} t={t} schema={schema} />
        ) : (
          <Skeleton t={t} />
        )}
        <ToolNote bench={bench} work={work} />
      </div>
      <div className="card sticky bottom-0 z-10 -mx-4 rounded-b-none border-b-0 p-4 pb-3 shadow-float lg:mx-0 lg:rounded-b-lg lg:rounded-t-none lg:border-x-0 lg:shadow-none">
        <StartButton bench={bench} work={work} t={t} stop={stop} />
        <SkipLocked bench={bench} work={work} t={t} />
        <p className="mt-2 min-h-5 text-center text-xs text-ink-faint" role="status" data-testid="start-hint">
          {stop === t.fixOptions ? (
            <button
              type="button"
              className="-my-2 inline-flex min-h-9 items-center px-3 text-primary underline underline-offset-4"
              onClick={() => fields.current?.scrollIntoView()}
              data-testid="to-options"
            >
              {stop}
            </button>
          ) : (
            (stop ?? rightsHint({ bench, t }))
          )}
        </p>
      </div>
    </aside>
  );
}

/** A batch does not wait for the passwords that nobody knows. */
function SkipLocked({ bench, work, t }: PanelProps) {
  const unopened = work.rows.filter((row) => row.locked && (!row.password || row.problem));
  const locked = unopened.map(({ id }) => id);
  if (locked.length === 0 || work.rows.length - locked.length < bench.props.tool.least) return null;
  return (
    <button
      type="button"
      className="btn btn-plain mt-2 w-full"
      onClick={() => bench.remove(...locked)}
      data-testid="skip-all-locked"
    >
      {fill(t.skipAllLocked, { n: locked.length })}
    </button>
  );
}

function OptionFields({ bench, work, t, schema }: PanelProps & { schema: FieldSchema }) {
  if (!hasFields(schema)) return <p className="text-sm text-ink-soft">{t.noOptions}</p>;
  return (
    <Part t={t}>
      <Suspense fallback={<Skeleton t={t} />}>
        <Form
          schema={schema}
          value={work.options}
          onChange={(options) => bench.dispatch({ do: 'options', options })}
          error={
            work.complaint
              ? { field: (work.complaint.field ?? '').replace(/^options\./, ''), msg: work.complaint.msg }
              : null
          }
          context={{ files: work.rows, lang: bench.props.lang, upload: (file) => bench.desk.extra(file) }}
        />
      </Suspense>
    </Part>
  );
}

function StartButton({ bench, work, t, stop }: PanelProps & { stop: string | null }) {
  const armed = work.phase === 'uploading' && work.armed !== null;
  const progress = uploadProgress(rowsOf(work));
  if (armed) {
    return (
      <div className="space-y-2" data-testid="armed">
        <p className="text-center text-sm font-medium">
          {fill(t.waitingUpload, { percent: percentText(progress) })}
        </p>
        <Bar value={progress} label={t.startUploading} testid="upload-total" />
        <button
          type="button"
          className="btn btn-quiet w-full"
          onClick={() => bench.dispatch({ do: 'disarm' })}
          data-testid="disarm"
        >
          {t.cancel}
        </button>
      </div>
    );
  }
  return (
    <button
      type="button"
      className="btn btn-primary btn-big w-full"
      disabled={stop !== null || work.options === null}
      onClick={() => void bench.start()}
      data-testid="start"
    >
      <Play size={20} aria-hidden="true" />
      {t.start}
    </button>
  );
}
