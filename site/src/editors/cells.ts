const escaped = (mark: string) => mark.replace(/[|]/, '\\|');

/**
 * Rows of cells parted by `mark`, at most `most`: a cell that begins with a quotation mark ends with the next single
 * one that a mark or line end follows; any other quotation mark is a letter.
 */
export function cellsOf(text: string, mark: string, most = Number.POSITIVE_INFINITY): string[][] {
  const part = escaped(mark);
  const piece = new RegExp(`(?:"((?:[^"]|"")*)"(?=${part}|\\n|$)|([^${part}\\n]*))(${part}|\\n|$)`, 'y');
  const plain = text.replace(/\n$/, '');
  const rows: string[][] = [[]];
  for (let found = piece.exec(plain); found; found = piece.exec(plain)) {
    const [, inQuotes, bare = '', end] = found;
    rows.at(-1)!.push(inQuotes === undefined ? bare : inQuotes.replaceAll('""', '"'));
    if (end === '' || (end === '\n' && rows.length >= most)) break;
    if (end === '\n') rows.push([]);
  }
  return rows;
}
