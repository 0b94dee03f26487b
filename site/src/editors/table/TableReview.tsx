import { useEffect, useState, useSyncExternalStore } from 'react';
import type { ChosenFile } from '../../workbench/contract';
import type { Corrected } from '../../workbench/corrections';
import type { Watched } from '../../account/store';
import type { Lang } from '../../lib/lang';
import { begun, did, redone, undone } from '../board/history';
import { Bar, CellBar, type Elsewhere } from './Bar';
import { Grid } from './Grid';
import type { Steps } from './keys';
import { doubts, type Table, type Tables } from './model';
import type { Place } from './moves';
import { Picture } from './Picture';
import { PictureToggle } from './PictureToggle';
import { useUpright } from './upright';
import { useTable } from './useTable';
import { type TableWords, tableWords } from './words';
import '../../fields/fields.css';
import '../editors.css';
import '../board/board.css';
import './table.css';

export type TableReviewProps = {
  /** Where the corrections are kept: they outlive this part of the page. */
  kept: Watched<Corrected<Tables> | null>;
  /** The data beside the result. */
  load(): Promise<string>;
  /** What the tables were read from. */
  file: ChosenFile | null;
  lang: Lang;
};

/** Tables beside the page they were read from; what is corrected here is what downloads carry. */
export default function TableReview({ kept, load, file, lang }: TableReviewProps) {
  const words = tableWords(lang);
  const corrected = useSyncExternalStore(kept.subscribe, kept.get);
  const [failed, setFailed] = useState(false);
  const [{ number, start }, setOpened] = useState<Opened>({ number: 0 });
  // biome-ignore lint/correctness/useExhaustiveDependencies: one load for one file
  useEffect(() => {
    if (kept.get()) return;
    load().then(
      (text) => {
        const read = JSON.parse(text) as Tables;
        if (!kept.get()) kept.set({ history: begun(read), written: read });
      },
      () => setFailed(true),
    );
  }, [kept]);
  if (failed) return <p className="editor-empty">{words.failed}</p>;
  if (!corrected) return <p className="editor-empty">{words.opening}</p>;
  const { history, written } = corrected;
  const set = (next: typeof history) => kept.set({ ...kept.get()!, history: next });
  const act = (table: Table) => {
    const { history: now } = kept.get()!;
    if (now.now.tables[number] === table) return;
    set(did(now, { ...now.now, tables: now.now.tables.with(number, table) }));
  };
  const steps = {
    undo: history.past.length > 0 ? () => set(undone(history)) : null,
    redo: history.future.length > 0 ? () => set(redone(history)) : null,
  };
  return (
    <section className="table-review" aria-label={words.label} data-testid="correction">
      <TableOf
        key={number}
        tables={history.now}
        number={number}
        start={start}
        onOpen={setOpened}
        act={act}
        steps={steps}
        file={file}
        words={words}
      />
      <p className="field-hint" id="sheet-hint" role="status">
        {history.now !== written ? (
          <strong data-testid="table-changed">{words.changed}</strong>
        ) : (
          <span className="hint-of-keys">{words.hint}</span>
        )}
      </p>
    </section>
  );
}

/** The table that is shown, and the cell that is chosen in it at first. */
type Opened = { number: number; start?: Place | undefined };

type TableOfProps = Opened & {
  tables: Tables;
  onOpen(opened: Opened): void;

  act(table: Table): void;
  steps: Steps;
  file: ChosenFile | null;
  words: TableWords;
};

const pagesOf = ({ pages }: Table): string =>
  pages.length > 1 ? `${pages[0]}–${pages.at(-1)}` : `${pages[0]}`;

/** The doubtful cells of the other tables; the next table that has one is opened at it. */
function elsewhereIn({ tables }: Tables, number: number, onOpen: (opened: Opened) => void): Elsewhere {
  const others = tables.map((_, step) => (number + 1 + step) % tables.length).filter((at) => at !== number);
  const next = others.find((at) => doubts(tables[at]!).length > 0);
  return {
    count: others.reduce((sum, at) => sum + doubts(tables[at]!).length, 0),
    go: () => next !== undefined && onOpen({ number: next, start: doubts(tables[next]!)[0] }),
  };
}

function TableOf({ tables, number, start, onOpen, act, steps, file, words }: TableOfProps) {
  const table = tables.tables[number]!;
  const sheet = useTable(table, act, start);
  const elsewhere = elsewhereIn(tables, number, (opened) => {
    sheet.keep();
    onOpen(opened);
  });
  const [shown, setShown] = useState(true);
  const page = sheet.cell.page ?? table.pages[0];
  const seen = useUpright(
    file,
    tables.sheets.find((each) => each.page === page),
  );
  return (
    <>
      <div className="table-top">
        <PictureToggle shown={shown} onShown={setShown} words={words} />
        {tables.tables.length > 1 && (
          <select
            className="field-input"
            aria-label={words.choose}
            value={number}
            onChange={(event) => {
              sheet.keep();
              onOpen({ number: Number(event.target.value) });
            }}
            data-testid="table-number"
          >
            {tables.tables.map((each, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: tables never change places
              <option key={at} value={at}>
                {words.table(at + 1, pagesOf(each))}
                {doubts(each).length > 0 && ` · ${words.doubtful(doubts(each).length)}`}
              </option>
            ))}
          </select>
        )}
        <Bar sheet={sheet} steps={steps} words={words} />
      </div>
      <div className="table-sides" data-alone={!shown || undefined}>
        {shown && <Picture seen={seen} desk={sheet} words={words} />}
        <div className="table-side">
          <CellBar sheet={sheet} seen={seen} elsewhere={elsewhere} words={words} />
          <Grid sheet={sheet} steps={steps} words={words} />
        </div>
      </div>
    </>
  );
}
