import {
  type ClipboardEvent,
  type CSSProperties,
  type KeyboardEvent,
  type PointerEvent,
  useEffect,
  useLayoutEffect,
  useRef,
} from 'react';
import { widthOf } from '../../lib/textWidth';
import { scrolledTo, useViewport } from '../window';
import { fromText, toText } from './clipboard';
import { goesOn, pressed, type Steps } from './keys';
import { type Cell, cellAt, isDoubtful, type Table, textsIn } from './model';
import { columnName, placeName } from './moves';
import type { TableSheet } from './useTable';
import type { TableWords } from './words';

type GridProps = { sheet: TableSheet; steps: Steps; words: TableWords };

/** CSS pixels of a row, of the heads, and of columns at most and least. */
const ROW = 34;
const HEAD = 44;
const WIDEST = 300;
const NARROWEST = 76;
/** Up to here a column grows with its texts where the picture's is narrower: a Latin letter is as wide as HALF. */
const FILLED = 220;
const HALF = 7.5;
const MARGINS = 20;
/** Pixels a point; rows drawn beyond what is seen. */
const ZOOM = 1.4;
const BEYOND = 6;

const edgesOf = ({ widths, columns, cells }: Table): number[] => {
  const wanted = Array.from({ length: columns }, (_, at) => (widths[at] ?? 0) * ZOOM);
  for (const { text, column, columns: over } of cells)
    if (over === 1)
      wanted[column] = Math.max(wanted[column]!, Math.min(FILLED, lengthOf(text) * HALF + MARGINS));
  const edges = [HEAD];
  for (const width of wanted)
    edges.push(edges.at(-1)! + Math.round(Math.min(WIDEST, Math.max(NARROWEST, width))));
  return edges;
};

/** Of the longest line. */
const lengthOf = (text: string): number => Math.max(0, ...text.split('\n').map(widthOf));

type Place = { left: number; top: number; width: number; height: number };

const placeOf = (edges: number[], { row, column, rows, columns }: Cell): Place => ({
  left: edges[column]!,
  top: ROW * (row + 1),
  width: edges[column + columns]! - edges[column]!,
  height: ROW * rows,
});

/** The table as a spreadsheet: only rows that are seen are drawn. */
export function Grid({ sheet, steps, words }: GridProps) {
  const { table, range, at } = sheet;
  const room = useRef<HTMLDivElement>(null);
  const { height, scroll } = useViewport(room);
  const edges = edgesOf(table);
  const from = Math.max(0, Math.floor(scroll / ROW) - BEYOND);
  const to = Math.min(table.rows, Math.ceil((scroll + (height || 600)) / ROW) + BEYOND);
  const here = placeOf(edges, sheet.cell);
  useSeen(room, placeOf(edges, cellAt(table, sheet.choice.focus.row, sheet.choice.focus.column)));
  const shown = table.cells.filter(({ row, rows }) => row < to && row + rows > from);
  const rows = [...new Set(shown.map(({ row }) => row))].sort((a, b) => a - b);
  const size = { width: edges.at(-1), height: ROW * (table.rows + 1) } as CSSProperties;
  return (
    <div className="table-grid" ref={room} data-testid="table-grid">
      {/* biome-ignore lint/a11y/useSemanticElements: only some of its rows are there */}
      <div
        className="sheet-page"
        role="grid"
        aria-label={words.label}
        aria-rowcount={table.rows + 1}
        aria-colcount={table.columns}
        style={size}
        {...pointing(sheet, edges)}
      >
        <Heads sheet={sheet} edges={edges} words={words} />
        {rows.map((row) => (
          // biome-ignore lint/a11y/useSemanticElements: a row whose cells are placed by hand
          // biome-ignore lint/a11y/useFocusableInteractive: the cell that keys act on is the text field
          <div key={row} role="row" aria-rowindex={row + 2}>
            {shown
              .filter((cell) => cell.row === row)
              .map((cell) => (
                <CellFace key={cell.column} cell={cell} place={placeOf(edges, cell)} sheet={sheet} />
              ))}
          </div>
        ))}
        <Marked range={range} edges={edges} />
      </div>
      <RowHeads sheet={sheet} from={from} to={to} words={words} />
      <Field sheet={sheet} steps={steps} place={here} words={words} name={placeName(at)} />
    </div>
  );
}

/** What keys act on is always seen. */
function useSeen(room: React.RefObject<HTMLDivElement | null>, { left, top, width, height }: Place) {
  useLayoutEffect(() => {
    const it = room.current;
    if (!it) return;
    it.scrollTop = scrolledTo(it.scrollTop, top, height, ROW, it.clientHeight);
    it.scrollLeft = scrolledTo(it.scrollLeft, left, width, HEAD, it.clientWidth);
  }, [room, left, top, width, height]);
}

function CellFace({ cell, place, sheet }: { cell: Cell; place: Place; sheet: TableSheet }) {
  const { row, column, text, bold, align, kind } = cell;
  const here = row === sheet.at.row && column === sheet.at.column;
  return (
    // biome-ignore lint/a11y/useSemanticElements: placed by hand, as its row is
    // biome-ignore lint/a11y/useFocusableInteractive: the cell that keys act on is the text field
    <div
      className="sheet-cell"
      role="gridcell"
      aria-colindex={column + 1}
      aria-selected={here}
      data-doubtful={isDoubtful(cell) || undefined}
      data-kind={kind}
      data-place={`${row},${column}`}
      data-bold={bold}
      data-align={align}
      style={place}
    >
      <span>{text}</span>
    </div>
  );
}

function Marked({ range, edges }: { range: TableSheet['range']; edges: number[] }) {
  const { top, left, bottom, right } = range;
  const style = {
    left: edges[left],
    top: ROW * (top + 1),
    width: edges[right + 1]! - edges[left]!,
    height: ROW * (bottom - top + 1),
  };
  return <div className="sheet-range" style={style} aria-hidden="true" />;
}

type HeadsProps = { sheet: TableSheet; edges: number[]; words: TableWords };

function Heads({ sheet, edges, words }: HeadsProps) {
  const { table, range } = sheet;
  const names = Array.from({ length: table.columns }, (_, column) => columnName(column));
  return (
    // biome-ignore lint/a11y/useSemanticElements: a row whose cells are placed by hand
    // biome-ignore lint/a11y/useFocusableInteractive: the cell that keys act on is the text field
    <div className="sheet-heads" role="row" aria-rowindex={1} style={{ height: ROW, width: edges.at(-1) }}>
      {names.map((name, column) => (
        // biome-ignore lint/a11y/useSemanticElements: placed by hand, as its row is
        <div
          key={name}
          role="columnheader"
          aria-label={words.column(name)}
          tabIndex={-1}
          className="sheet-head"
          data-column={column}
          data-chosen={(range.left <= column && column <= range.right) || undefined}
          style={{ left: edges[column], width: edges[column + 1]! - edges[column]!, height: ROW }}
        >
          {name}
        </div>
      ))}
    </div>
  );
}

type RowHeadsProps = { sheet: TableSheet; from: number; to: number; words: TableWords };

function RowHeads({ sheet, from, to, words }: RowHeadsProps) {
  const { table, range } = sheet;
  const rows = Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index);
  const all = (row: number) => ({ anchor: { row, column: 0 }, focus: { row, column: table.columns - 1 } });
  return (
    <div
      className="sheet-rows"
      style={{ width: HEAD, marginTop: -ROW * table.rows, height: ROW * table.rows }}
    >
      {rows.map((row) => (
        <button
          key={row}
          type="button"
          tabIndex={-1}
          className="sheet-head"
          aria-label={words.row(row + 1)}
          data-chosen={(range.top <= row && row <= range.bottom) || undefined}
          style={{ top: ROW * row, width: HEAD, height: ROW }}
          onClick={(event) => {
            if (event.shiftKey) sheet.choose({ ...sheet.choice, focus: { row, column: table.columns - 1 } });
            else sheet.choose(all(row));
          }}
        >
          {row + 1}
        </button>
      ))}
    </div>
  );
}

/** A press chooses a cell, a drag several, a second press opens it; a press on a head chooses the column. */
function pointing(sheet: TableSheet, edges: number[]) {
  const { table } = sheet;
  const placeAt = (event: PointerEvent | React.MouseEvent) => {
    const page = (event.currentTarget as HTMLElement).getBoundingClientRect();
    const x = event.clientX - page.left;
    const column = edges.findLastIndex((edge) => edge <= x);
    const row = Math.floor((event.clientY - page.top) / ROW) - 1;
    return {
      row: Math.max(0, Math.min(table.rows - 1, row)),
      column: Math.max(0, Math.min(table.columns - 1, column)),
    };
  };
  const focused = () =>
    document.querySelector<HTMLTextAreaElement>('.sheet-field')?.focus({ preventScroll: true });
  return {
    onPointerDown: (event: PointerEvent) => {
      if (event.button !== 0 || event.pointerType !== 'mouse') return;
      event.preventDefault();
      const place = placeAt(event);
      const head = (event.target as HTMLElement).closest('[data-column]');
      const low = { row: table.rows - 1, column: place.column };
      if (head)
        sheet.choose({ anchor: event.shiftKey ? sheet.choice.anchor : { ...low, row: 0 }, focus: low });
      else if (event.shiftKey) sheet.extend(place);
      else sheet.go(place);
      focused();
      if (!head) event.currentTarget.setPointerCapture(event.pointerId);
    },
    onPointerMove: (event: PointerEvent) => {
      if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
      const place = placeAt(event);
      const { focus } = sheet.choice;
      if (place.row !== focus.row || place.column !== focus.column) sheet.extend(place);
    },
    // A finger scrolls; only a tap chooses.
    onClick: (event: React.MouseEvent) => {
      if ((event.nativeEvent as globalThis.PointerEvent).pointerType === 'mouse') return;
      sheet.go(placeAt(event));
    },
    onDoubleClick: () => {
      sheet.setDraft(sheet.cell.text);
      focused();
    },
  };
}

type FieldProps = GridProps & { place: Place; name: string };

/** It has the focus whichever cell is chosen, so that letters of an input method arrive, too. */
function Field({ sheet, steps, place, words, name }: FieldProps) {
  const { draft, cell } = sheet;
  const field = useRef<HTMLTextAreaElement>(null);
  const leaving = useRef(false);
  const typing = draft !== null;
  useEffect(() => {
    if (typing) field.current?.setSelectionRange(1e6, 1e6);
  }, [typing]);
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.nativeEvent.isComposing) return;
    const used = typing ? typed(sheet, event) : chosen(event);
    if (used) event.preventDefault();
  };
  const chosen = (event: KeyboardEvent) => {
    if (event.key === 'Escape') leaving.current = true;
    else if (event.key !== 'Shift' && event.key !== 'Tab') leaving.current = false;
    if (event.key === 'Enter' || event.key === 'Tab') return !leaving.current && goesOn(sheet, event);
    return pressed(sheet, steps, event);
  };
  const copy = (event: ClipboardEvent, cut: boolean) => {
    if (typing) return;
    event.preventDefault();
    event.clipboardData.setData('text/plain', toText(textsIn(sheet.table, sheet.range)));
    if (cut) sheet.clear();
  };
  const paste = (event: ClipboardEvent) => {
    if (typing) return;
    event.preventDefault();
    sheet.paste(fromText(event.clipboardData.getData('text/plain')));
  };
  return (
    <textarea
      ref={field}
      className="sheet-field"
      data-testid="table-field"
      data-typing={typing || undefined}
      aria-label={`${name} ${cell.text || words.empty}`}
      aria-describedby="sheet-hint"
      inputMode={typing ? 'text' : 'none'}
      spellCheck={false}
      value={draft ?? ''}
      style={place}
      onChange={(event) => sheet.setDraft(event.target.value)}
      onKeyDown={onKeyDown}
      onCopy={(event) => copy(event, false)}
      onCut={(event) => copy(event, true)}
      onPaste={paste}
      onBlur={() => {
        leaving.current = false;
        sheet.keep();
      }}
    />
  );
}

/** A key while a cell is typed in: Enter and Tab keep it, Escape leaves it as it was. */
export function typed(sheet: TableSheet, event: KeyboardEvent): boolean {
  const { key, altKey } = event;
  if (key === 'Escape') sheet.setDraft(null);
  else if (key === 'Enter' && altKey) sheet.setDraft(`${sheet.draft ?? ''}\n`);
  else if (key === 'Enter' || key === 'Tab') return goesOn(sheet, event);
  else return false;
  return true;
}
