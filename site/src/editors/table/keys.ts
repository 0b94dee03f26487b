import type { KeyboardEvent } from 'react';
import { everything, home, type Place, stepped, tabbed } from './moves';
import type { TableSheet } from './useTable';

export type Steps = { undo: (() => void) | null; redo: (() => void) | null };

/** Rows that a page key goes over. */
const PAGE = 12;

const ARROWS: Record<string, [number, number]> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  PageUp: [-PAGE, 0],
  PageDown: [PAGE, 0],
};

const ENDS: Record<string, 'low' | 'high'> = {
  Home: 'low',
  ArrowLeft: 'low',
  End: 'high',
  ArrowRight: 'high',
};

/** Where a key leads to, or null where it leads nowhere. */
function target({ table, choice }: TableSheet, event: KeyboardEvent): Place | null {
  const { key } = event;
  const from = event.shiftKey ? choice.focus : choice.anchor;
  const far = event.ctrlKey || event.metaKey;
  const arrow = ARROWS[key];
  const [low, right] = [table.rows - 1, table.columns - 1];
  if (arrow && !far) return stepped(table, from, ...arrow);
  if (key === 'ArrowUp' || key === 'ArrowDown') return { ...from, row: key === 'ArrowUp' ? 0 : low };
  const end = ENDS[key];
  if (!end) return null;
  const corner = far && !arrow;
  if (end === 'low') return { row: corner ? 0 : from.row, column: 0 };
  return { row: corner ? low : from.row, column: right };
}

/** Enter and Tab, in a cell that is typed in or only chosen; true where the key is used up. */
export function goesOn(sheet: TableSheet, { key, shiftKey }: KeyboardEvent): boolean {
  const { table, at } = sheet;
  if (key === 'Enter') {
    sheet.go(home(table, stepped(table, at, shiftKey ? -1 : 1, 0)));
    return true;
  }
  const next = tabbed(table, at, shiftKey);
  if (next) sheet.go(next);
  else sheet.keep();
  return next !== null;
}

function commanded(sheet: TableSheet, steps: Steps, { key, shiftKey }: KeyboardEvent): boolean {
  const { table, range } = sheet;
  const letter = key.toLowerCase();
  if (letter === 'z' && !shiftKey) steps.undo?.();
  else if (letter === 'y' || letter === 'z') steps.redo?.();
  else if (letter === 'a') sheet.choose(everything(table));
  else if (letter === 'd') sheet.fillDown();
  // Else it loads the page again, as everywhere.
  else if (letter === 'r' && !shiftKey && range.right > range.left) sheet.fillRight();
  else return false;
  return true;
}

/** The blank takes whole rows with Shift, whole columns with Ctrl. */
function widened({ table, choice, choose }: TableSheet, { shiftKey }: KeyboardEvent): void {
  const { anchor, focus } = choice;
  if (shiftKey)
    choose({ anchor: { ...anchor, column: 0 }, focus: { ...focus, column: table.columns - 1 }, still: true });
  else choose({ anchor: { ...anchor, row: 0 }, focus: { ...focus, row: table.rows - 1 }, still: true });
}

/** A key while a cell is chosen and nothing is typed; true where it is used up. */
export function pressed(sheet: TableSheet, steps: Steps, event: KeyboardEvent): boolean {
  const { key, shiftKey, ctrlKey, metaKey } = event;
  const place = target(sheet, event);
  if (place) {
    if (shiftKey) sheet.extend(place);
    else sheet.go(place);
    return true;
  }
  if (key === ' ' && (shiftKey || ctrlKey)) {
    widened(sheet, event);
    return true;
  }
  if ((ctrlKey || metaKey) && commanded(sheet, steps, event)) return true;
  if (key === 'Delete' || key === 'Backspace') sheet.clear();
  else if (key === 'F2') sheet.setDraft(sheet.cell.text);
  else if (key === 'F8') sheet.toDoubt(shiftKey);
  else return false;
  return true;
}
