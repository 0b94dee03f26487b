import { paste, type Range, type Table, textsIn } from './model';

/** Texts as often as they fill a range that is a whole number of them; only once into any other. */
export function tiled(texts: string[][], { top, left, bottom, right }: Range): string[][] {
  const [high, wide] = [bottom - top + 1, right - left + 1];
  const width = Math.max(0, ...texts.map((line) => line.length));
  if (width === 0 || high % texts.length > 0 || wide % width > 0) return texts;
  return Array.from({ length: high }, (_, down) =>
    Array.from({ length: wide }, (_, across) => texts[down % texts.length]![across % width] ?? ''),
  );
}

/** Texts pasted as spreadsheets do: what fits into all that is chosen fills it. */
export const pasteInto = (table: Table, range: Range, texts: string[][]): Table =>
  paste(table, range.top, range.left, tiled(texts, range));

/** The first row of what is chosen in all its rows, or the row above in a single one. */
export function fillDown(table: Table, range: Range): Table {
  const from = range.bottom > range.top ? range.top : range.top - 1;
  if (from < 0) return table;
  return pasteInto(table, range, textsIn(table, { ...range, top: from, bottom: from }));
}

/** The first column of what is chosen in all its columns. */
export const fillRight = (table: Table, range: Range): Table =>
  pasteInto(table, range, textsIn(table, { ...range, right: range.left }));
