import { ChevronDown, ChevronUp } from 'lucide-react';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import type { FieldSchema } from '../contract';
import type { Sizes } from '../../api/client';
import { LEADING_NOTES } from '../../editors/facts';
import { uploadProgress } from '../area';
import { asidesOf, standing, useEstimate } from '../estimate';
import { type Editing, rowsOf } from '../state';
import type { Bench } from '../useWorkbench';
import { fill, type IslandWords, percentText } from '../words';
import { Bar } from './parts';
import { ToolNote } from './ToolEditor';
import { loadFields, loadOutcome } from '../later';
import { Coming, Part } from './Lost';
import { START_FORM } from './PasswordField';
import { panelWords } from './words';

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

/** Why a start is not offered (null: it is), and what stands on its button. */
type Standing = { problems: number; against: string | null; label: string | null };

/** How the form stands, and what a start would do; both are judged by code that comes with the form. */
function useStanding(
  schema: FieldSchema | undefined,
  { bench, work }: PanelProps,
  sizes: Sizes | null,
): Standing {
  const [standing, setStanding] = useState<Standing>({ problems: 0, against: null, label: null });
  const { options, rows } = work;
  const { lang, tool } = bench.props;
  const action = bench.payload?.content.action;
  useEffect(() => {
    if (!schema || !action || options === null) return;
    let current = true;
    Promise.all([loadFields(), loadOutcome()]).then(
      ([{ problemsOf }, { planOf, startText, whyNot }]) => {
        if (!current) return;
        const problems = Object.keys(problemsOf(schema, options, { files: rows, lang })).length;
        const plan = planOf(tool.key, rows, options, sizes);
        setStanding({ problems, against: whyNot(action, plan), label: startText(action, plan) });
      },
      () => undefined,
    );
    return () => {
      current = false;
    };
  }, [schema, action, options, rows, lang, tool, sizes]);
  return standing;
}

/** Why the visitor cannot start yet, or null. */
function obstacle({ bench, work, t }: PanelProps, { problems, against }: Standing): string | null {
  const { least } = bench.props.tool;
  if (work.rows.length < least) return fill(t.needFiles, { n: least });
  if (work.rows.some(({ upload }) => upload.at === 'failed' || upload.at === 'absent')) return t.needRetry;
  if (work.rows.some(({ locked, password }) => locked && !password)) return t.needPassword;
  if (against !== null) return against || t.fixOptions;
  return problems > 0 ? t.fixOptions : null;
}

function rightsHint({ bench: { rights }, t }: Pick<PanelProps, 'bench' | 't'>): string {
  if (rights?.restriction) return t[`restriction${rights.restriction}`];
  return typeof rights?.remainingTries === 'number' ? fill(t.triesLeft, { n: rights.remainingTries }) : '';
}

/** On a phone the pages come first where they are what one works on; the form, where it is all there is. */
const opensAtOnce = (editor: string | null) =>
  editor === null || ['areas', 'canvas', 'numbers', 'stamps'].includes(editor);

/** The tool's form and the one clear action. */
export function OptionsPanel({ bench, work, t }: PanelProps) {
  const schema = bench.payload?.tool.options;
  const estimates = bench.payload?.tool.estimates ?? false;
  const sizes = useEstimate(bench.client, bench.props.tool.id, schema !== undefined && estimates, work.rows);
  const standing = useStanding(schema, { bench, work, t }, sizes);
  const fields = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState(() => opensAtOnce(bench.props.tool.editor));
  const leads = LEADING_NOTES.includes(bench.props.tool.key);
  const stop = obstacle({ bench, work, t }, standing);
  const showOptions = () => {
    setOpen(true);
    fields.current?.querySelector<HTMLElement>('[aria-invalid=true], input, select, textarea')?.focus();
  };
  return (
    <aside className="bench-side" data-open={open} aria-label={t.options}>
      <div className="bench-options" ref={fields} data-testid="options">
        <SheetHead open={open} onToggle={() => setOpen(!open)} bench={bench} t={t} />
        {leads && <ToolNote bench={bench} work={work} />}
        {schema && work.options !== null ? (
          <OptionFields bench={bench} work={work} t={t} schema={schema} sizes={sizes} />
        ) : (
          <Skeleton t={t} />
        )}
        {!leads && <ToolNote bench={bench} work={work} />}
      </div>
      <div className="bench-start">
        <StartButton bench={bench} work={work} t={t} stop={stop} label={standing.label ?? t.start} />
        <SkipLocked bench={bench} work={work} t={t} />
        <p className="mt-2 min-h-5 text-center text-xs text-ink-faint" role="status" data-testid="start-hint">
          {stop === t.fixOptions ? (
            <button
              type="button"
              className="-my-2 inline-flex min-h-9 items-center px-3 text-primary underline underline-offset-4"
              onClick={showOptions}
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

type HeadProps = { open: boolean; onToggle(): void; bench: Bench; t: IslandWords };

/** The head of the sheet that the options are on a phone; beside a wide document they stay open. */
function SheetHead({ open, onToggle, bench, t }: HeadProps) {
  const words = panelWords[bench.props.lang];
  const Icon = open ? ChevronDown : ChevronUp;
  return (
    <div className="bench-head">
      <h2 className="text-base">{t.options}</h2>
      <button
        type="button"
        className="btn btn-quiet btn-icon -mr-2 lg:hidden"
        aria-expanded={open}
        aria-label={open ? words.hideOptions : words.showOptions}
        onClick={onToggle}
        data-testid="options-toggle"
      >
        <Icon size={20} aria-hidden="true" />
      </button>
    </div>
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

type FieldsProps = PanelProps & { schema: FieldSchema; sizes: Sizes | null };

function OptionFields({ bench, work, t, schema, sizes }: FieldsProps) {
  const asides = { level: asidesOf(standing(sizes, work.options), work.rows, t) };
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
          context={{
            files: work.rows,
            lang: bench.props.lang,
            upload: (file) => bench.desk.extra(file),
            asides,
          }}
        />
      </Suspense>
    </Part>
  );
}

type StartProps = PanelProps & { stop: string | null; label: string };

function StartButton({ bench, work, t, stop, label }: StartProps) {
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
    <form
      id={START_FORM}
      onSubmit={(event) => {
        event.preventDefault();
        void bench.start();
      }}
    >
      <button
        type="submit"
        className="btn btn-primary btn-big w-full"
        disabled={stop !== null || work.options === null}
        data-testid="start"
      >
        {label}
      </button>
    </form>
  );
}
