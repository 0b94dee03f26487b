const quoted = (text: string) => (/["\t\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** Rows of texts as spreadsheets put them on the clipboard. */
export const toText = (rows: string[][]): string => rows.map((row) => row.map(quoted).join('\t')).join('\n');

/** A text that begins with a quotation mark ends with the next single one; tabs and line ends part all others. */
const PIECE = /(?:"((?:[^"]|"")*)"|([^\t\n]*))(\t|\n|$)/y;

/** Rows of texts from the clipboard of a spreadsheet; the line end after the last row makes no further one. */
export function fromText(text: string): string[][] {
  const plain = text.replace(/\r\n?/g, '\n').replace(/\n$/, '');
  const rows: string[][] = [[]];
  PIECE.lastIndex = 0;
  for (let found = PIECE.exec(plain); found; found = PIECE.exec(plain)) {
    const [, inQuotes, bare = '', end] = found;
    rows.at(-1)!.push(inQuotes === undefined ? bare : inQuotes.replaceAll('""', '"'));
    if (end === '\n') rows.push([]);
    if (end === '') return rows;
  }
  // A lone quotation mark is a letter like any other.
  return plain.split('\n').map((line) => line.split('\t'));
}
