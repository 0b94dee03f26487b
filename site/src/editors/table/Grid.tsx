import {
  type ClipboardEvent,
  type CSSProperties,
  type KeyboardEvent,
  useEffect,
  useLayoutEffect,
  useRef,
} from 'react';
import { scrolledTo, useViewport } from '../window';
import { fromText, toText } from './clipboard';
import { type Area, areaOf, areaOfCell, type Geometry, HEAD, useGeometry } from './geometry';
import { goesOn, pressed, type Steps } from './keys';
import { type Cell, cellAt, isDoubtful, textsIn } from './model';
import { columnName, placeName } from './moves';
import { focused, usePointing } from './usePointing';
import type { TableSheet } from './useTable';
import type { TableWords } from './words';

type GridProps = { sheet: TableSheet; steps: Steps; words: TableWords };

/** Rows drawn beyond what is seen. */
const BEYOND = 6;

/** The table as a spreadsheet: only rows that are seen are drawn. */
export function Grid({ sheet, steps, words }: GridProps) {
  const { table, range, at } = sheet;
  const room = useRef<HTMLDivElement>(null);
  const { height, scroll } = useViewport(room);
  const geometry = useGeometry(table);
  const { high, edges } = geometry;
  const from = Math.max(0, Math.floor(scroll / high) - BEYOND);
  const to = Math.min(table.rows, Math.ceil((scroll + (height || 600)) / high) + BEYOND);
  const { focus, still } = sheet.choice;
  useSeen(room, high, areaOfCell(geometry, cellAt(table, focus.row, focus.column)), still);
  const shown = table.cells.filter(({ row, rows }) => row < to && row + rows > from);
  const rows = [...new Set(shown.map(({ row }) => row))].sort((a, b) => a - b);
  const size = { width: edges.at(-1), height: high * (table.rows + 1) } as CSSProperties;
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
        {...usePointing(sheet, geometry)}
      >
        <Heads sheet={sheet} geometry={geometry} words={words} />
        {rows.map((row) => (
          // biome-ignore lint/a11y/useSemanticElements: a row whose cells are placed by hand
          // biome-ignore lint/a11y/useFocusableInteractive: the cell that keys act on is the text field
          <div key={row} role="row" aria-rowindex={row + 2}>
            {shown
              .filter((cell) => cell.row === row)
              .map((cell) => (
                <CellFace key={cell.column} cell={cell} area={areaOfCell(geometry, cell)} sheet={sheet} />
              ))}
          </div>
        ))}
        <Marked area={areaOf(geometry, range)} />
      </div>
      <RowHeads sheet={sheet} high={high} from={from} to={to} words={words} />
      <Field
        sheet={sheet}
        steps={steps}
        area={areaOfCell(geometry, sheet.cell)}
        words={words}
        name={placeName(at)}
      />
    </div>
  );
}

/** What keys act on is always seen. */
function useSeen(
  room: React.RefObject<HTMLDivElement | null>,
  head: number,
  { left, top, width, height }: Area,
  still: boolean | undefined,
) {
  useLayoutEffect(() => {
    const it = room.current;
    if (!it || still) return;
    it.scrollTop = scrolledTo(it.scrollTop, top, height, head, it.clientHeight);
    it.scrollLeft = scrolledTo(it.scrollLeft, left, width, HEAD, it.clientWidth);
  }, [room, head, left, top, width, height, still]);
}

function CellFace({ cell, area, sheet }: { cell: Cell; area: Area; sheet: TableSheet }) {
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
      style={area}
    >
      <span>{text}</span>
    </div>
  );
}

/** What is chosen; a finger draws its corner over more cells. */
function Marked({ area }: { area: Area }) {
  return (
    <div className="sheet-range" style={area} aria-hidden="true">
      <span className="sheet-handle" data-testid="range-handle" />
    </div>
  );
}

type HeadsProps = { sheet: TableSheet; geometry: Geometry; words: TableWords };

function Heads({ sheet, geometry: { high, edges }, words }: HeadsProps) {
  const { table, range } = sheet;
  const names = Array.from({ length: table.columns }, (_, column) => columnName(column));
  return (
    // biome-ignore lint/a11y/useSemanticElements: a row whose cells are placed by hand
    // biome-ignore lint/a11y/useFocusableInteractive: the cell that keys act on is the text field
    <div className="sheet-heads" role="row" aria-rowindex={1} style={{ height: high, width: edges.at(-1) }}>
      {/* Ctrl+A takes everything, too. */}
      <div
        className="sheet-head sheet-corner"
        aria-hidden="true"
        title={words.all}
        data-testid="all-cells"
        data-corner
        style={{ width: HEAD, height: high }}
      />
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
          style={{ left: edges[column], width: edges[column + 1]! - edges[column]!, height: high }}
        >
          {name}
        </div>
      ))}
    </div>
  );
}

type RowHeadsProps = { sheet: TableSheet; high: number; from: number; to: number; words: TableWords };

function RowHeads({ sheet, high, from, to, words }: RowHeadsProps) {
  const { table, range } = sheet;
  const rows = Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index);
  const right = table.columns - 1;
  const choose = (row: number, on: boolean) => {
    const focus = { row, column: right };
    sheet.choose({
      anchor: on ? { ...sheet.choice.anchor, column: 0 } : { row, column: 0 },
      focus,
      still: true,
    });
  };
  return (
    <div
      className="sheet-rows"
      style={{ width: HEAD, marginTop: -high * table.rows, height: high * table.rows }}
    >
      {rows.map((row) => (
        <button
          key={row}
          type="button"
          tabIndex={-1}
          className="sheet-head"
          aria-label={words.row(row + 1)}
          data-chosen={(range.top <= row && row <= range.bottom) || undefined}
          style={{ top: high * row, width: HEAD, height: high }}
          onPointerDown={(event) => {
            if (event.pointerType !== 'mouse' || event.button !== 0) return;
            // The keys go on acting on what is chosen.
            event.preventDefault();
            focused();
            choose(row, event.shiftKey);
          }}
          onPointerEnter={({ buttons, pointerType }) => {
            if (pointerType === 'mouse' && buttons === 1) choose(row, true);
          }}
          onClick={({ nativeEvent, shiftKey }) => {
            if ((nativeEvent as PointerEvent).pointerType !== 'mouse') choose(row, shiftKey);
          }}
        >
          {row + 1}
        </button>
      ))}
    </div>
  );
}

type FieldProps = GridProps & { area: Area; name: string };

/** It has the focus whichever cell is chosen, so that letters of an input method arrive, too. */
function Field({ sheet, steps, area, words, name }: FieldProps) {
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
      style={area}
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
  const { key, altKey, ctrlKey } = event;
  if (key === 'Escape') sheet.setDraft(null);
  else if (key === 'Enter' && altKey) sheet.setDraft(`${sheet.draft ?? ''}\n`);
  else if (key === 'Enter' && ctrlKey && sheet.draft !== null) sheet.fillWith(sheet.draft);
  else if (key === 'Enter' || key === 'Tab') return goesOn(sheet, event);
  else return false;
  return true;
}
