import { cellsOf } from '../cells';

const quoted = (text: string) => (/["\t\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** Rows of texts as spreadsheets put them on the clipboard. */
export const toText = (rows: string[][]): string => rows.map((row) => row.map(quoted).join('\t')).join('\n');

/** Rows of texts from the clipboard of a spreadsheet; the line end after the last row makes no further one. */
export const fromText = (text: string): string[][] => cellsOf(text.replace(/\r\n?/g, '\n'), '\t');
