/** How words are broken into lines, as cluster/engines/edit states it; tests/samples/wrap.json holds both. */

/** These begin no line, and those end none. */
const CLOSING = new Set('、。，．：；？！）】》〉」』〕〗”’…—～·%‰℃°!),.:;?]}');
const OPENING = new Set('（【《〈「『〔〖“‘([{￥$');
const WIDE =
  /^[\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]$/u;

/** `measure` is the width of a letter. A word that is wider than a line is broken between letters. */
export function wrapped(text: string, width: number, measure: (letter: string) => number): string[] {
  return text.split(/\r\n|\r|\n/).flatMap((paragraph) => broken(paragraph, width, measure));
}

function broken(paragraph: string, width: number, measure: (letter: string) => number): string[] {
  const widthOf = (word: string) => [...word].reduce((sum, letter) => sum + measure(letter), 0);
  const lines: string[] = [];
  let line = '';
  let room = width;
  const end = () => {
    lines.push(line.trimEnd());
    line = '';
    room = width;
  };
  const put = (word: string) => {
    line += word;
    room -= widthOf(word);
  };
  for (const word of wordsOf(paragraph.replaceAll('\t', '    '))) {
    const wide = widthOf(word.trimEnd());
    if (wide > room + SLACK && line !== '') end();
    if (wide <= width + SLACK) put(word);
    else
      for (const letter of word) {
        if (measure(letter) > room + SLACK && line !== '') end();
        put(letter);
      }
  }
  lines.push(line.trimEnd());
  return lines;
}

/** Sums of widths are not exact. */
const SLACK = 0.001;

/** What stays together: a Latin word with the blanks after it, a wide letter with what may not be parted from it. */
export function wordsOf(text: string): string[] {
  const words: string[] = [];
  let before = '';
  for (const letter of text) {
    if (before !== '' && !parts(before, letter)) words[words.length - 1] += letter;
    else words.push(letter);
    before = letter;
  }
  return words;
}

/** Whether a line may end between two letters. */
function parts(before: string, letter: string): boolean {
  if (letter === ' ') return false;
  if (before === ' ') return true;
  if (CLOSING.has(letter) || OPENING.has(before)) return false;
  return WIDE.test(letter) || WIDE.test(before);
}
