/**
 * How numbers of pages are written and counted, as cluster/engines/marks/numbers.py states it;
 * tests/samples/numbers.json holds both to the same words.
 */

export type Style = '1' | 'i' | 'I' | 'zh' | 'a' | 'A';

const DIGITS = [...'零一二三四五六七八九'];
const UNITS = ['', '十', '百', '千'];
const ROMAN: [number, string][] = [
  [1000, 'm'],
  [900, 'cm'],
  [500, 'd'],
  [400, 'cd'],
  [100, 'c'],
  [90, 'xc'],
  [50, 'l'],
  [40, 'xl'],
  [10, 'x'],
  [9, 'ix'],
  [5, 'v'],
  [4, 'iv'],
  [1, 'i'],
];
const MOST_ROMAN = 3999;
const NAMES: Record<string, Style> = { zh: 'zh', roman: 'i', ROMAN: 'I', abc: 'a', ABC: 'A' };

export function chinese(number: number): string {
  if (number >= 10_000) {
    const rest = number % 10_000;
    const gap = rest > 0 && rest < 1000 ? '零' : '';
    return `${chinese(Math.floor(number / 10_000))}万${gap}${rest ? belowTenThousand(rest) : ''}`;
  }
  const spoken = belowTenThousand(number) || '零';
  return number >= 10 && number < 20 ? spoken.replace(/^一/, '') : spoken;
}

function belowTenThousand(number: number): string {
  let spoken = '';
  for (let at = 3; at >= 0; at -= 1) {
    const digit = Math.floor(number / 10 ** at) % 10;
    if (digit) spoken += `${DIGITS[digit]}${UNITS[at]}`;
    else if (spoken && !spoken.endsWith('零') && number % 10 ** at) spoken += '零';
  }
  return spoken;
}

export function roman(number: number): string {
  if (number < 1 || number > MOST_ROMAN) return String(number);
  let rest = number;
  return ROMAN.map(([value, letters]) => {
    const count = Math.floor(rest / value);
    rest %= value;
    return letters.repeat(count);
  }).join('');
}

export const letters = (number: number): string =>
  number < 1 || number > 26 * 26
    ? String(number)
    : String.fromCharCode(97 + ((number - 1) % 26)).repeat(Math.floor((number - 1) / 26) + 1);

export function written(number: number, style: Style, digits = 1): string {
  switch (style) {
    case 'zh':
      return chinese(number);
    case 'i':
      return roman(number);
    case 'I':
      return roman(number).toUpperCase();
    case 'a':
      return letters(number);
    case 'A':
      return letters(number).toUpperCase();
    case '1':
      return String(number).padStart(digits, '0');
  }
}

export type Section = { page: number; first: number; style: Style | null; digits: number | null };

const SECTION =
  /^\s*(\d{1,6})\s*[=:：]\s*(\d{1,9}|[ivxlcdm]+|[IVXLCDM]+|[a-z]|[A-Z]|[零一二三四五六七八九十百千万]+)\s*$/;

/** Sections as they are typed, in the order of their pages; null where that makes no sense. */
export function sectionsOf(text: string): Section[] | null {
  const found = new Map<number, Section>();
  for (const part of text.split(/[,，;；\n]/)) {
    if (!part.trim()) continue;
    const match = SECTION.exec(part);
    const section = match && sectionFrom(Number(match[1]), match[2] ?? '');
    if (!section || section.page < 1 || found.has(section.page)) return null;
    found.set(section.page, section);
  }
  return [...found.values()].toSorted((a, b) => a.page - b.page);
}

function sectionFrom(page: number, shown: string): Section | null {
  if (/^\d+$/.test(shown)) {
    const digits = shown.startsWith('0') && shown.length > 1 ? shown.length : null;
    return { page, first: Number(shown), style: '1', digits };
  }
  // A letter alone is one of the alphabet, but i, v and x are mostly Roman.
  const alone = shown.length === 1 && !'ivxIVX'.includes(shown);
  const styles: Style[] = alone ? ['a', 'A', 'zh'] : ['i', 'I', 'zh'];
  for (const style of styles) {
    for (let number = 1; number < 1000; number += 1) {
      if (written(number, style) === shown) return { page, first: number, style, digits: null };
    }
  }
  return null;
}

export type PageNumber = { number: number; total: number; style: Style; digits: number };

export type Counting = {
  first: number;
  style: Style;
  digits: number;
  /** Pages without a number count, too. */
  everything: boolean;
  sections: Section[];
};

/** The number of one page, of the `chosen` ones (ascending) of so many; null where it has none. */
export function numberOf(
  counting: Counting,
  chosen: number[],
  pages: number,
  page: number,
): PageNumber | null {
  if (!chosen.includes(page)) return null;
  const start: Section = { page: 1, first: counting.first, style: null, digits: null };
  const all = [start, ...counting.sections.filter((each) => each.page <= pages)];
  const begins = all[1]?.page === 1 ? all.slice(1) : all;
  const at = begins.findLastIndex((each) => each.page <= page);
  const section = begins[at] ?? start;
  const last = (begins[at + 1]?.page ?? pages + 1) - 1;
  const counted = (from: number, to: number) =>
    counting.everything ? to - from + 1 : chosen.filter((each) => each >= from && each <= to).length;
  return {
    number: section.first + counted(section.page, page) - 1,
    total: section.first + counted(section.page, last) - 1,
    style: section.style ?? counting.style,
    digits: section.digits ?? counting.digits,
  };
}

/** The pattern with its numbers and the other `values`; names nobody knows stay as written. */
export const told = (pattern: string, number: PageNumber, values: Record<string, string>): string =>
  pattern.replace(/\{(\w+)(?::(\w+))?\}/g, (whole, name: string, way?: string) => {
    if (name === 'n') return inWay(number.number, number, way) ?? whole;
    if (name === 'total') return inWay(number.total, number, way) ?? whole;
    return (way === undefined ? known(values, name) : undefined) ?? whole;
  });

const known = <T>(named: Record<string, T>, name: string): T | undefined =>
  Object.hasOwn(named, name) ? named[name] : undefined;

/** A number in a way of its own, or as its section writes it; nothing for a way nobody knows. */
function inWay(value: number, { style, digits }: PageNumber, way: string | undefined): string | undefined {
  if (way === undefined) return written(value, style, digits);
  const named = known(NAMES, way);
  if (named) return written(value, named);
  return /^0*1?$/.test(way) ? written(value, '1', way.length) : undefined;
}

/** The place on the other side of a fold. */
export const mirrored = (place: string): string =>
  place.replace(/left|right/, (side) => (side === 'left' ? 'right' : 'left'));
