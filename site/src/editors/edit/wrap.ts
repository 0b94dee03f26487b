/** How words are broken into lines, as cluster/engines/edit/drawings.py states it; tests/samples/wrap.json holds both. */

/** What a line may not begin with, and what it may not end with. */
const NOT_FIRST = new Set('，。、；：？！）》」』】〕”’…—,.;:?!)]}%％°℃·');
const NOT_LAST = new Set('（《「『【〔“‘([{');
/** From here on letters are wide, and a line may end between any two of them. */
const WIDE = 0x2e80;

/** Widths are in ems, as `measure` tells that of a letter. A word that is wider than a line is broken anywhere. */
export function wrapped(text: string, most: number, measure: (letter: string) => number): string[] {
  const widthOf = (word: string) => [...word].reduce((sum, letter) => sum + measure(letter), 0);
  return linesOf(text).flatMap((line) => broken(line, most, widthOf));
}

/** As Python's splitlines, but one empty line where there is nothing. */
const linesOf = (text: string): string[] =>
  text
    .replaceAll('\t', '    ')
    .replace(/(\r\n|\r|\n)$/, '')
    .split(/\r\n|\r|\n/);

function broken(line: string, most: number, widthOf: (word: string) => number): string[] {
  const lines: string[] = [];
  let held = '';
  let wide = 0;
  for (const together of chunksOf(line)) {
    let chunk = together;
    if (held.trim() !== '' && wide + widthOf(chunk.trimEnd()) > most) {
      lines.push(held.trimEnd());
      [held, wide] = ['', 0];
      chunk = chunk.trimStart();
    }
    for (
      let fits = fitting(chunk, most, widthOf);
      fits < chunk.length;
      fits = fitting(chunk, most, widthOf)
    ) {
      lines.push(chunk.slice(0, fits));
      chunk = chunk.slice(fits);
    }
    held += chunk;
    wide += widthOf(chunk);
  }
  lines.push(held.trimEnd());
  return lines;
}

/** How much of a chunk fits in a line of its own: all of it, or so many of its letters, at least one. */
function fitting(chunk: string, most: number, widthOf: (word: string) => number): number {
  const letters = [...chunk];
  if (letters.length < 2 || widthOf(chunk) <= most) return chunk.length;
  let count = letters.length;
  while (count > 1 && widthOf(letters.slice(0, count).join('')) > most) count -= 1;
  return letters.slice(0, count).join('').length;
}

/** What stays together: words with the blanks after them, single 汉字 with their punctuation. */
export function chunksOf(line: string): string[] {
  const chunks: string[] = [];
  let before = '';
  for (const letter of line) {
    if (before !== '' && joins(before, letter)) chunks[chunks.length - 1] += letter;
    else chunks.push(letter);
    before = letter;
  }
  return chunks;
}

const isWide = (letter: string) => (letter.codePointAt(0) ?? 0) >= WIDE;

const joins = (before: string, letter: string): boolean =>
  /\s/.test(letter) ||
  NOT_FIRST.has(letter) ||
  NOT_LAST.has(before) ||
  !(isWide(letter) || isWide(before) || /\s/.test(before));
