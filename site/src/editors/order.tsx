import { type ReactNode, useId, useMemo, useState } from 'react';
import { pagesProblem } from '../fields/checks';
import { wordsOf as formWordsOf } from '../fields/words';
import { parsePages } from '../ranges';
import type { ChosenFile, EditorProps, Json } from '../workbench/contract';
import { sameJson, useHistory } from './board/useHistory';
import { FileThumb } from './FileThumb';
import { Close, Down, Grip, Up } from './icons';
import { OrderPages } from './OrderPages';
import { type Handle, SortableGrid } from './SortableGrid';
import { type Order, sorted } from './sorting';
import { type Words, wordsOf } from './words';
import '../fields/fields.css';
import './editors.css';
import './order.css';

type OrderOptions = { order?: 'given' | 'name'; ranges?: string[] };

/** The order of a merge and the pages of each file, by the file's id: what can be undone. */
type Plan = { order: 'given' | 'name'; ids: string[]; ranges: Record<string, string> };

/**
 * The files of a merge: in which order, and where the tool takes ranges which pages of each, as a list of files or with
 * all their pages.
 */
export default function OrderEditor({ files, options, onChange, lang, list }: EditorProps) {
  const words = wordsOf(lang);
  const [view, setView] = useState<'files' | 'pages'>('files');
  const given = useMemo(() => (options ?? {}) as OrderOptions, [options]);
  const ranged = given.ranges !== undefined;
  const plan = planOf(given, files);
  const steps = useHistory<Plan>(
    plan,
    (next) => {
      const ids = [...next.ids.filter((id) => plan.ids.includes(id)), ...missing(plan.ids, next.ids)];
      const ranges = ids.map((id) => next.ranges[id] ?? '');
      onChange({ ...(options as object), order: next.order, ...(ranged && { ranges }) } as Json);
      list?.onReorder(ids);
    },
    sameJson,
  );
  const { ids } = plan;
  const shown = useMemo(() => inOrder(files, planOf(given, files).ids), [files, given]);
  const texts = useMemo(() => rangesOf(planOf(given, files)), [files, given]);
  const reorder = (next: string[]) => steps.act({ ...plan, order: 'given', ids: next });
  const write = (id: string, range: string) =>
    steps.act({ ...plan, order: 'given', ranges: { ...plan.ranges, [id]: range } });
  const swap = (id: string, by: number) => reorder(moved(ids, ids.indexOf(id), by));
  return (
    <section className="editor" aria-label={words.fileList}>
      <OrderBar
        files={files}
        sortable={view === 'files'}
        words={words}
        onSort={(by) => reorder(sorted(shown, by))}
      >
        {ranged && <Views view={view} words={words} onView={setView} />}
        <span className="editor-count" role="status">
          {words.pagesTotal(files.length, ranged ? totalPages(shown, texts) : null)}
        </span>
      </OrderBar>
      {view === 'pages' ? (
        <OrderPages
          files={shown}
          ranges={texts}
          onRanges={(next) =>
            steps.act({
              ...plan,
              order: 'given',
              ranges: Object.fromEntries(ids.map((id, at) => [id, next[at] ?? ''])),
            })
          }
          onSwap={swap}
          steps={steps}
          list={list}
          lang={lang}
        />
      ) : (
        <SortableGrid
          ids={ids}
          nameOf={(id) => fileOf(files, id).name}
          onOrder={reorder}
          className="order-list"
          label={words.fileList}
          words={words}
          item={(id, handle) => (
            <OrderRow
              file={fileOf(files, id)}
              range={plan.ranges[id] ?? ''}
              place={ids.indexOf(id)}
              last={ids.length - 1}
              handle={handle}
              words={words}
              lang={lang}
              onRange={(range) => write(id, range)}
              onMove={(by) => swap(id, by)}
              onRemove={list && (() => list.onRemove(id))}
            />
          )}
        />
      )}
    </section>
  );
}

function planOf({ order = 'given', ranges = [] }: OrderOptions, files: readonly ChosenFile[]): Plan {
  const ids = order === 'name' ? sorted(files, 'name') : files.map((file) => file.id);
  return { order, ids, ranges: Object.fromEntries(files.map(({ id }, index) => [id, ranges[index] ?? ''])) };
}

const rangesOf = ({ ids, ranges }: Plan) => ids.map((id) => ranges[id] ?? '');

/** Files that came since a step was done stay at the end. */
const missing = (ids: readonly string[], from: readonly string[]) => ids.filter((id) => !from.includes(id));

const fileOf = (files: ChosenFile[], id: string): ChosenFile =>
  files.find((file) => file.id === id) as ChosenFile;

const inOrder = (files: ChosenFile[], ids: string[]) => ids.map((id) => fileOf(files, id));

export function moved(ids: readonly string[], from: number, by: number): string[] {
  const next = [...ids];
  const [id] = next.splice(from, 1);
  if (id !== undefined) next.splice(Math.max(0, from + by), 0, id);
  return next;
}

/** Pages of the result; null while a file's pages or range are not known. A picture is one page. */
export function totalPages(files: readonly ChosenFile[], ranges: readonly string[]): number | null {
  let total = 0;
  for (const [index, file] of files.entries()) {
    const found = parsePages(ranges[index] ?? '', file.kind === 'pdf' ? (file.pages ?? 0) : 1);
    if (!found.ok) return null;
    total += found.pages.length;
  }
  return total;
}

type BarProps = {
  files: ChosenFile[];
  sortable: boolean;
  words: Words;
  onSort(by: Order): void;
  children: ReactNode;
};

function OrderBar({ files, sortable, words, onSort, children }: BarProps) {
  return (
    <div className="editor-bar-row">
      {children}
      {sortable && files.length > 1 && (
        <span className="field-chips">
          <button type="button" className="field-chip" onClick={() => onSort('name')}>
            {words.sortName}
          </button>
          <button type="button" className="field-chip" onClick={() => onSort('date')}>
            {words.sortDate}
          </button>
          <button type="button" className="field-chip" onClick={() => onSort('reverse')}>
            {words.reverse}
          </button>
        </span>
      )}
    </div>
  );
}

type ViewsProps = { view: 'files' | 'pages'; words: Words; onView(view: 'files' | 'pages'): void };

function Views({ view, words, onView }: ViewsProps) {
  const views = { files: words.byFiles, pages: words.byPages };
  return (
    // biome-ignore lint/a11y/useSemanticElements: two buttons, no fieldset
    <span className="order-views" role="group" aria-label={words.view}>
      {(['files', 'pages'] as const).map((each) => (
        <button type="button" key={each} aria-pressed={view === each} onClick={() => onView(each)}>
          {views[each]}
        </button>
      ))}
    </span>
  );
}

type RowProps = {
  file: ChosenFile;
  range: string;
  place: number;
  last: number;
  handle: Handle;
  words: Words;
  lang: EditorProps['lang'];
  onRange(range: string): void;
  onMove(by: number): void;
  onRemove: (() => void) | undefined;
};

function OrderRow(props: RowProps) {
  const { file, place, last, handle, words, onMove, onRemove } = props;
  const { ref, ...grip } = handle;
  return (
    <div className="order-row">
      <button type="button" className="order-grip" ref={ref} {...grip} aria-label={words.handle(file.name)}>
        <Grip />
      </button>
      <FileThumb file={file} />
      <div className="order-name">
        <span className="filename" title={file.name}>
          {file.name}
        </span>
        {file.pages !== null && <small>{words.pages(file.pages)}</small>}
      </div>
      <div className="order-buttons">
        <button
          type="button"
          aria-label={words.up(file.name)}
          disabled={place === 0}
          onClick={() => onMove(-1)}
        >
          <Up />
        </button>
        <button
          type="button"
          aria-label={words.down(file.name)}
          disabled={place === last}
          onClick={() => onMove(1)}
        >
          <Down />
        </button>
        {onRemove && (
          <button type="button" aria-label={words.remove(file.name)} onClick={onRemove}>
            <Close />
          </button>
        )}
      </div>
      <RowFields {...props} />
    </div>
  );
}

function RowFields({ file, range, words, lang, onRange }: RowProps) {
  const id = useId();
  const problem = file.kind === 'pdf' ? pagesProblem(range, [file], formWordsOf(lang)) : null;
  if (file.kind !== 'pdf') return null;
  return (
    <div className="order-fields">
      <label>
        {words.range}
        <input
          className="field-input"
          placeholder={words.rangeAll}
          value={range}
          spellCheck={false}
          autoComplete="off"
          aria-invalid={problem !== null || undefined}
          aria-describedby={problem ? id : undefined}
          onChange={(event) => onRange(event.target.value)}
        />
      </label>
      {problem && (
        <p className="field-problem" id={id} role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}
