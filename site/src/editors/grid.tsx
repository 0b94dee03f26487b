import { type KeyboardEvent, useState } from 'react';
import { formatPages, parsePages } from '../ranges';
import type { EditorProps, Json } from '../workbench/contract';
import { GridToolbar } from './GridToolbar';
import { PageGrid } from './PageGrid';
import { PdfStage } from './PdfStage';
import type { OpenPdf } from './pdf/open';
import { extended, everyPage, type Selection, toggled } from './selection';
import { TurnedPage } from './TurnedPage';
import { clicksToStartFrom, formTurns, type Quarter, type RotateOptions, turnedBy } from './turns';
import { useStable } from './useStable';
import { wordsOf } from './words';
import '../fields/fields.css';
import './editors.css';

/** Page grid of the rotate tool: choose pages, or turn single ones by hand; the pages show the result. */
export default function Grid({ files, options, onChange, lang }: EditorProps) {
  const words = wordsOf(lang);
  return (
    <PdfStage files={files} label={words.pagesGrid} words={words}>
      {({ pdf, index }) => (
        <Pages
          pdf={pdf}
          index={index}
          counts={files.map((one, at) => (at === index ? pdf.pages : one.pages))}
          options={readOptions(options)}
          onChange={(changed) => onChange({ ...(options as object), ...changed } as Json)}
          lang={lang}
        />
      )}
    </PdfStage>
  );
}

function readOptions(options: Json): RotateOptions {
  return { turn: 2, pages: '', only: 'any', clicks: null, ...(options as Partial<RotateOptions>) };
}

type PagesProps = {
  pdf: OpenPdf;
  index: number;
  counts: (number | null)[];
  options: RotateOptions;
  onChange(changed: Partial<RotateOptions>): void;
  lang: EditorProps['lang'];
};

function Pages(props: PagesProps) {
  const { pdf, index, options, onChange, lang } = props;
  const words = wordsOf(lang);
  const { selection, select, turn, onKey } = useTurning(props);
  const turns = options.clicks ? clickTurns(options.clicks, index) : formTurns(options, pdf.pages);
  const selectOne = useStable((page: number, withShift: boolean) =>
    select((withShift ? extended : toggled)(selection, page)),
  );
  const turnOne = useStable((page: number, by: Quarter) => turn([page], by));
  return (
    <>
      <GridToolbar
        words={words}
        selected={selection.pages.size}
        byHand={options.clicks !== null}
        onSelect={(pages) => onChange({ pages })}
        onTurn={(by) => turn(selection.pages.size > 0 ? selection.pages : everyPage(pdf.pages).pages, by)}
        onReset={() => onChange({ clicks: [] })}
        onBackToForm={() => onChange({ clicks: null })}
      />
      <PageGrid
        pages={pdf.pages}
        label={words.pagesGrid}
        extraHeight={48}
        onKey={onKey}
        onMove={(event, from, to) =>
          event.shiftKey && select(extended(extended({ ...selection, anchor: from }, from), to))
        }
        cell={(page, size, focusable) => (
          <TurnedPage
            pdf={pdf}
            page={page}
            size={size}
            focusable={focusable}
            selected={selection.pages.has(page)}
            turn={turns.get(page) ?? 0}
            only={options.clicks ? 'any' : options.only}
            words={words}
            onSelect={selectOne}
            onTurn={turnOne}
          />
        )}
      />
    </>
  );
}

/** What clicks and keys do to the options. */
function useTurning({ pdf, index, counts, options, onChange }: PagesProps) {
  const [anchor, setAnchor] = useState(1);
  const selection: Selection = { pages: selectedPages(options.pages, pdf.pages), anchor };
  const select = (next: Selection) => {
    setAnchor(next.anchor);
    onChange({ pages: formatPages(next.pages, pdf.pages) });
  };
  const turn = (pages: Iterable<number>, by: Quarter) =>
    onChange({ clicks: turnedBy(clicksToStartFrom(options, counts), index, pages, by) });
  const onKey = (event: KeyboardEvent, page: number) => {
    const action = keyAction(event);
    if (action === 'left') turn([page], 270);
    else if (action === 'right') turn([page], 90);
    else if (action === 'all') select(everyPage(pdf.pages));
    else if (action === 'none') select({ pages: new Set(), anchor: page });
    return action !== null;
  };
  return { selection, select, turn, onKey };
}

/** No range means every page, which the grid shows as no selection. */
function selectedPages(text: string, total: number): ReadonlySet<number> {
  if (text.trim() === '') return new Set();
  const found = parsePages(text, total);
  return new Set(found.ok ? found.pages : []);
}

const clickTurns = (clicks: RotateOptions['clicks'], file: number) =>
  new Map((clicks ?? []).filter((click) => click.file === file).map((click) => [click.page, click.turn]));

function keyAction(event: KeyboardEvent): 'left' | 'right' | 'all' | 'none' | null {
  if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'a') return 'all';
  if (event.ctrlKey || event.metaKey || event.altKey) return null;
  const actions: Record<string, 'left' | 'right' | 'none'> = {
    '[': 'left',
    ']': 'right',
    l: 'left',
    r: 'right',
    Escape: 'none',
  };
  return actions[event.key] ?? null;
}
