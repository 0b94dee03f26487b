import { useState } from 'react';
import { fillDown, fillRight, pasteInto, tiled } from './fill';
import {
  type CellKind,
  COLUMNS,
  cellAt,
  cellsIn,
  clear,
  confirm,
  doubts,
  insert,
  isDoubtful,
  merge,
  ROWS,
  remove,
  retype,
  split,
  type Table,
  write,
} from './model';
import { type Choice, chosenIn, fitted, home, only, type Place } from './moves';

/** What is chosen in a table, what is being typed, and the acts on both. */
export function useTable(whole: Table, act: (next: Table) => void, start: Place = { row: 0, column: 0 }) {
  const [wished, setChoice] = useState<Choice>(only(start));
  const [draft, setDraft] = useState<string | null>(null);
  const choice = fitted(whole, wished);
  const range = chosenIn(whole, choice);
  const at = home(whole, choice.anchor);
  const cell = cellAt(whole, at.row, at.column);

  /** What is typed counts from here on. */
  const keep = (): Table => {
    if (draft === null) return whole;
    const next = write(whole, at.row, at.column, draft.replaceAll('\r', ''));
    setDraft(null);
    act(next);
    return next;
  };
  const choose = (next: Choice) => {
    keep();
    setChoice(next);
  };
  const change = (make: (table: Table) => Table) => act(make(keep()));
  /** The doubtful cell after the chosen one, or before it; from the last one on to the first. */
  const toDoubt = (back: boolean, table = whole) => {
    const found = doubts(table);
    const behind = ({ row, column }: Place) => row - at.row || column - at.column;
    const next = back
      ? (found.findLast((each) => behind(each) < 0) ?? found.at(-1))
      : (found.find((each) => behind(each) > 0) ?? found[0]);
    if (next) setChoice(only({ row: next.row, column: next.column }));
  };
  /** What is typed into every chosen cell at once. */
  const fillWith = (text: string) => {
    setDraft(null);
    act(pasteInto(whole, range, [[text.replaceAll('\r', '')]]));
  };
  /** What came from the clipboard is chosen, as spreadsheets leave it. */
  const paste = (texts: string[][]) => {
    const whole = tiled(texts, range);
    change((table) => pasteInto(table, range, whole));
    const low = { row: range.top + whole.length - 1, column: range.left + (whole[0]?.length ?? 1) - 1 };
    setChoice({ anchor: { row: range.top, column: range.left }, focus: low });
  };
  const kinds = new Set(cellsIn(whole, range).map(({ kind }) => kind ?? 'auto'));

  return {
    table: whole,
    choice,
    range,
    at,
    cell,
    draft,
    setDraft,
    keep,
    choose,
    go: (place: Place) => choose(only(place)),
    extend: (focus: Place) => choose({ anchor: choice.anchor, focus }),
    toDoubt: (back: boolean) => toDoubt(back, keep()),
    fillWith,
    several: range.bottom > cell.row + cell.rows - 1 || range.right > cell.column + cell.columns - 1,
    doubtful: doubts(whole).length,
    unsure: isDoubtful(cell),
    /** Of what is chosen; null where it differs. */
    kind: kinds.size > 1 ? null : ([...kinds][0] ?? 'auto'),
    canMerge: merge(whole, range) !== whole,
    canSplit: cellsIn(whole, range).some(({ rows, columns }) => rows * columns > 1),
    canRemoveRows: range.bottom - range.top + 1 < whole.rows,
    canRemoveColumns: range.right - range.left + 1 < whole.columns,
    clear: () => change((table) => clear(table, range)),
    /** Who has looked at a cell goes on to the next one to look at. */
    confirm: () => {
      const next = confirm(keep(), range);
      act(next);
      toDoubt(false, next);
    },
    fillDown: () => change((table) => fillDown(table, range)),
    fillRight: () => change((table) => fillRight(table, range)),
    merge: () => change((table) => merge(table, range)),
    split: () => change((table) => split(table, range)),
    retype: (kind: CellKind) => change((table) => retype(table, range, kind)),
    paste,
    rowsBefore: (place: number) => change((table) => insert(table, ROWS, place)),
    columnsBefore: (place: number) => change((table) => insert(table, COLUMNS, place)),
    removeRows: () => change((table) => remove(table, ROWS, range.top, range.bottom)),
    removeColumns: () => change((table) => remove(table, COLUMNS, range.left, range.right)),
  };
}

export type TableSheet = ReturnType<typeof useTable>;
