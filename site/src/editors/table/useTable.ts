import { useState } from 'react';
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
  paste,
  ROWS,
  remove,
  retype,
  split,
  type Table,
  write,
} from './model';
import { type Choice, chosenIn, fitted, home, only, type Place } from './moves';

/** What is chosen in a table, what is being typed, and the acts on both. */
export function useTable(whole: Table, act: (next: Table) => void) {
  const [wished, setChoice] = useState<Choice>(only({ row: 0, column: 0 }));
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
  const nextDoubt = () => {
    const found = doubts(whole);
    const after = found.find(({ row, column }) => row > at.row || (row === at.row && column > at.column));
    const next = after ?? found[0];
    if (next) choose(only({ row: next.row, column: next.column }));
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
    nextDoubt,
    doubtful: doubts(whole).length,
    unsure: isDoubtful(cell),
    /** Of what is chosen; null where it differs. */
    kind: kinds.size > 1 ? null : ([...kinds][0] ?? 'auto'),
    canMerge: merge(whole, range) !== whole,
    canSplit: cellsIn(whole, range).some(({ rows, columns }) => rows * columns > 1),
    canRemoveRows: range.bottom - range.top + 1 < whole.rows,
    canRemoveColumns: range.right - range.left + 1 < whole.columns,
    clear: () => change((table) => clear(table, range)),
    confirm: () => change((table) => confirm(table, range)),
    merge: () => change((table) => merge(table, range)),
    split: () => change((table) => split(table, range)),
    retype: (kind: CellKind) => change((table) => retype(table, range, kind)),
    paste: (texts: string[][]) => change((table) => paste(table, range.top, range.left, texts)),
    rowsBefore: (place: number) => change((table) => insert(table, ROWS, place)),
    columnsBefore: (place: number) => change((table) => insert(table, COLUMNS, place)),
    removeRows: () => change((table) => remove(table, ROWS, range.top, range.bottom)),
    removeColumns: () => change((table) => remove(table, COLUMNS, range.left, range.right)),
  };
}

export type TableSheet = ReturnType<typeof useTable>;
