import type { ReceiptLine, Task } from '../api/types';
import type { PanelWords } from './panels/words';

/** Changes that a person should look at, though nothing was lost. */
const LOOK_AT = new Set([
  'repaired',
  'fonts_substituted',
  'end_missing',
  'target_missed',
  'part_too_large',
  'links_left',
]);
/** Told by the sizes beside the result already. */
const SIZES = new Set(['size', 'images', 'fonts', 'other']);
/** What a line of trust holds at most: more is for the facts below it. */
const MOST = 3;

export function lineText({ text, what }: ReceiptLine, lang: 'zh' | 'en'): string {
  if (text && typeof text === 'object') return text[lang];
  return text || what || '';
}

export const needsLook = ({ kind, what = '' }: ReceiptLine): boolean => kind === 'lost' || LOOK_AT.has(what);

const stillThere = ({ kind, what = '', facts }: ReceiptLine, t: PanelWords) =>
  kind === 'kept' && what in t.things && facts?.after !== 0;

const listed = (names: string[], lang: 'zh' | 'en') =>
  new Intl.ListFormat(lang === 'zh' ? 'zh-CN' : 'en', { type: 'conjunction' }).format(names);

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** What there is to look at: the one thing in its own words, several by their number. */
function worries(lines: ReceiptLine[], lang: 'zh' | 'en', t: PanelWords, fill: Fill): string[] {
  const found = lines.filter(needsLook);
  if (found.length === 0) return [];
  return [found.length === 1 ? lineText(found[0]!, lang) : fill(t.attention, { n: found.length })];
}

type Fill = (sentence: string, facts: Record<string, string | number>) => string;
export type Trust = { worried: boolean; text: string };

/** The receipt in one line; it says only what the receipt's facts carry. */
export function trustOf(lines: ReceiptLine[], lang: 'zh' | 'en', t: PanelWords, fill: Fill): Trust {
  const worried = worries(lines, lang, t, fill);
  const there = lines.filter((line) => stillThere(line, t));
  const kept = there.map(({ what = '' }) => t.things[what] ?? '');
  const rest = lines.filter(
    (line) => !needsLook(line) && !there.includes(line) && !SIZES.has(line.what ?? ''),
  );
  // Nothing of a kind that the document never had is worth a word.
  const told = rest
    .filter(({ facts }) => facts?.before !== 0 || facts?.after !== 0)
    .map((line) => lineText(line, lang));
  const list = kept.length > 0 ? [capital(fill(t.allThere, { list: listed(kept, lang) }))] : [];
  const parts = [...worried, ...list, ...told].slice(0, MOST);
  return { worried: worried.length > 0, text: parts.length > 0 ? parts.join(' · ') : t.fine };
}

/** The lines about one input; those about all when it is the only one. */
export const linesAbout = ({ receipt, inputs }: Task, input: number): ReceiptLine[] =>
  receipt.filter((line) => line.input === input || (inputs.length === 1 && (line.input ?? null) === null));
