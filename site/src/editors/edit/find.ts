import type { Area, Piece } from '../pdf/text';
import { advance } from '../place/advances';
import type { Hit, Preset } from './acts';
import { neat } from './acts';

/** A place where something searched for stands, with a little of what is around it. */
export type Found = Hit & { text: string; before: string; after: string };

export type Search = { terms: readonly string[]; presets: readonly Preset[]; case: boolean; word: boolean };

/** Letters shown before and after a hit. */
const AROUND = 12;

/** A page's text in reading order; each letter knows its piece and its place there. */
type Flow = { text: string; at: { piece: number; letter: number }[] };

function flowOf(pieces: readonly Piece[]): Flow {
  let text = '';
  const at: Flow['at'] = [];
  const put = (letter: string, piece: number, index: number) => {
    text += letter;
    for (let unit = 0; unit < letter.length; unit += 1) at.push({ piece, letter: index });
  };
  pieces.forEach((piece, number) => {
    [...piece.text].forEach((letter, index) => {
      put(/\s/.test(letter) ? ' ' : letter, number, index);
    });
    if (piece.ends) put('\n', number, -1);
  });
  return { text, at };
}

/** Where the search finds something on a page, in reading order, none within another. */
export function foundIn(pieces: readonly Piece[], page: number, search: Search): Found[] {
  const flow = flowOf(pieces);
  const spans = [
    ...search.terms.filter((term) => term.trim() !== '').flatMap((term) => spansOf(flow.text, term, search)),
    ...search.presets.flatMap((preset) => numbersIn(flow.text, preset)),
  ];
  return apart(spans)
    .map(([from, to]) => ({
      page,
      boxes: boxesOf(flow, pieces, from, to),
      text: flow.text.slice(from, to).replaceAll('\n', ''),
      before: flow.text.slice(Math.max(0, from - AROUND), from).replaceAll('\n', ' '),
      after: flow.text.slice(to, to + AROUND).replaceAll('\n', ' '),
    }))
    .filter(({ boxes }) => boxes.length > 0);
}

type Span = [from: number, to: number];

/** The longest of those that overlap. */
function apart(spans: Span[]): Span[] {
  const kept: Span[] = [];
  for (const span of spans.toSorted((a, b) => a[0] - b[0] || b[1] - a[1]))
    if (span[0] >= (kept.at(-1)?.[1] ?? 0)) kept.push(span);
  return kept;
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
const WIDE = /[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef\u{20000}-\u{3fffd}]/u;

/** Chinese runs on from line to line; between Latin words any white space will do. */
function patternOf(term: string, { case: exact, word }: Search): RegExp {
  const letters = [...term.trim().normalize('NFC')];
  const parts = letters.map((letter, at) => {
    if (/\s/.test(letter)) return at > 0 && /\s/.test(letters[at - 1] ?? '') ? '' : '\\s+';
    const next = letters[at + 1];
    const loose = next !== undefined && (WIDE.test(letter) || WIDE.test(next)) ? '\\s?' : '\\n?';
    return escaped(letter) + (next !== undefined && !/\s/.test(next) ? loose : '');
  });
  const whole = parts.join('');
  const source = word ? `(?<![\\p{L}\\p{N}_])${whole}(?![\\p{L}\\p{N}_])` : whole;
  return new RegExp(source, exact ? 'gu' : 'giu');
}

const spansOf = (text: string, term: string, search: Search): Span[] =>
  [...text.matchAll(patternOf(term, search))].map(({ index, 0: match }) => [index, index + match.length]);

const PATTERNS: Record<Preset, RegExp> = {
  id_card: /(?<!\d)[1-9](?:[ -]?\d){16}[ -]?[\dXx](?![\dXx])/g,
  phone: /(?<!\d)(?:\+?86[ -]?)?1[3-9]\d[ -]?\d{4}[ -]?\d{4}(?!\d)/g,
  bank_card: /(?<!\d)[3-6]\d{3}(?:[ -]?\d){9,15}(?!\d)/g,
  email: /[\p{L}\p{N}._%+-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/gu,
};

const HOLDS: Record<Preset, (text: string) => boolean> = {
  id_card: isIdCard,
  phone: () => true,
  bank_card: (text) => luhn(text) && !isIdCard(text),
  email: () => true,
};

const numbersIn = (text: string, preset: Preset): Span[] =>
  [...text.matchAll(PATTERNS[preset])]
    .filter(({ 0: match }) => HOLDS[preset](match.replace(/[ -]/g, '')))
    .map(({ index, 0: match }) => [index, index + match.length]);

/** By the date in it and its check digit (GB 11643). */
export function isIdCard(text: string): boolean {
  const [, year = '', month = '', day = ''] = /^\d{6}(\d{4})(\d\d)(\d\d)\d{3}[\dXx]$/.exec(text) ?? [];
  const born = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  if (!year || born.getUTCMonth() !== Number(month) - 1 || Number(year) < 1800) return false;
  const weighed = [...text.slice(0, 17)].reduce(
    (sum, digit, at) => sum + Number(digit) * (2 ** (17 - at) % 11),
    0,
  );
  return '10X98765432'[weighed % 11] === text.at(-1)?.toUpperCase();
}

/** The check digit of bank cards. */
export function luhn(text: string): boolean {
  const sum = [...text].toReversed().reduce((total, digit, at) => {
    const doubled = Number(digit) * (at % 2 ? 2 : 1);
    return total + (doubled > 9 ? doubled - 9 : doubled);
  }, 0);
  return /^\d+$/.test(text) && !/^(\d)\1+$/.test(text) && sum % 10 === 0;
}

/** One box for each piece that it lies on, and pieces side by side as one. */
function boxesOf({ at }: Flow, pieces: readonly Piece[], from: number, to: number): Area[] {
  const touched = new Map<number, number[]>();
  for (const { piece, letter } of at.slice(from, to))
    if (letter >= 0) touched.set(piece, [...(touched.get(piece) ?? []), letter]);
  return [...touched].map(([number, letters]) => partOf(pieces[number] as Piece, letters));
}

/** The box around some letters of a piece: by the widths of letters, stretched to the piece. */
export function partOf(piece: Piece, letters: readonly number[]): Area {
  const widths = [...piece.text].map((letter) => advance(letter, piece.family, piece.bold) ?? 0.5);
  const total = widths.reduce((sum, width) => sum + width, 0) || 1;
  const upTo = (index: number) => widths.slice(0, index).reduce((sum, width) => sum + width, 0) / total;
  const [first, last] = [upTo(Math.min(...letters)), upTo(Math.max(...letters) + 1)];
  const [x, y, width, height] = piece.box;
  const turn = (-piece.angle * Math.PI) / 180;
  const along = ((first + last) / 2 - 0.5) * width;
  const [mx, my] = [x + width / 2 + along * Math.cos(turn), y + height / 2 + along * Math.sin(turn)];
  const wide = (last - first) * width;
  const [cos, sin] = [Math.abs(Math.cos(turn)), Math.abs(Math.sin(turn))];
  const [w, h] = [wide * cos + height * sin, wide * sin + height * cos];
  return neat([mx - w / 2, my - h / 2, w, h]);
}
