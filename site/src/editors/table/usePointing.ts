import { type MouseEvent, type PointerEvent, useRef } from 'react';
import { areaOf, type Geometry, placeAt } from './geometry';
import { everything } from './moves';
import type { TableSheet } from './useTable';

/** Keys act on the grid. */
export const focused = () =>
  document.querySelector<HTMLTextAreaElement>('.sheet-field')?.focus({ preventScroll: true });

const corner = (event: MouseEvent) => (event.target as HTMLElement).closest('[data-corner]');

const columnHead = (event: MouseEvent) => (event.target as HTMLElement).closest('[data-column]');

const within = (event: MouseEvent): [number, number] => {
  const page = event.currentTarget.getBoundingClientRect();
  return [event.clientX - page.left, event.clientY - page.top];
};

/** A press chooses a cell, a drag several, a second press opens it; a press on a head chooses the column. */
export function usePointing(sheet: TableSheet, geometry: Geometry) {
  const { table } = sheet;
  /** From the chosen corner to where a finger holds it. */
  const held = useRef<[number, number]>([0, 0]);
  const placeOf = (event: MouseEvent) => placeAt(geometry, table, ...within(event));

  const chooseColumn = (event: MouseEvent) => {
    const low = { row: table.rows - 1, column: placeOf(event).column };
    const from = event.shiftKey ? sheet.choice.anchor : low;
    sheet.choose({ anchor: { ...from, row: 0 }, focus: low, still: true });
  };
  const hold = (event: PointerEvent) => {
    const { left, top, width, height } = areaOf(geometry, sheet.range);
    const [x, y] = within(event);
    held.current = [x - (left + width - 1), y - (top + height - 1)];
    event.currentTarget.setPointerCapture(event.pointerId);
  };
  /** The mouse drawn from head to head takes the columns on its way. */
  const over = (event: PointerEvent) => {
    if (event.pointerType !== 'mouse' || event.buttons !== 1 || !columnHead(event)) return;
    const focus = { row: table.rows - 1, column: placeOf(event).column };
    if (focus.column !== sheet.choice.focus.column)
      sheet.choose({ anchor: { ...sheet.choice.anchor, row: 0 }, focus, still: true });
  };
  const press = (event: PointerEvent) => {
    event.preventDefault();
    const head = columnHead(event) ?? corner(event);
    if (corner(event)) sheet.choose(everything(table));
    else if (head) chooseColumn(event);
    else if (event.shiftKey) sheet.extend(placeOf(event));
    else sheet.go(placeOf(event));
    focused();
    held.current = [0, 0];
    if (!head) event.currentTarget.setPointerCapture(event.pointerId);
  };
  return {
    onPointerDown: (event: PointerEvent) => {
      if (event.button !== 0) return;
      if (event.pointerType === 'mouse') press(event);
      // A finger elsewhere scrolls.
      else if ((event.target as HTMLElement).closest('.sheet-handle')) hold(event);
    },
    onPointerMove: (event: PointerEvent) => {
      if (!event.currentTarget.hasPointerCapture(event.pointerId)) return over(event);
      const [x, y] = within(event);
      const place = placeAt(geometry, table, x - held.current[0], y - held.current[1]);
      const { focus } = sheet.choice;
      if (place.row !== focus.row || place.column !== focus.column) sheet.extend(place);
    },
    onClick: (event: MouseEvent) => {
      if ((event.nativeEvent as globalThis.PointerEvent).pointerType === 'mouse') return;
      if (corner(event)) sheet.choose(everything(table));
      else if (columnHead(event)) chooseColumn(event);
      else sheet.go(placeOf(event));
    },
    onDoubleClick: () => {
      sheet.setDraft(sheet.cell.text);
      focused();
    },
  };
}
