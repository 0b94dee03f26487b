/** A tool as it is searched for: its names, what it does, synonyms, pinyin; all in lower case. */
export type Entry = { words: string[] };
/** Places of the entries that fit; `near`: none did, these come closest. */
export type Found = { places: number[]; near: boolean };

/** So few letters stand in the middle of too many words. */
const SHORT = 3;
const NEAREST = 3;
/** Below this nothing is alike. */
const ALIKE = 0.2;

const latin = (text: string) => /^[\x20-\x7e]+$/.test(text);

function fits(term: string, word: string): boolean {
  if (!latin(term) || term.length > SHORT) return word.includes(term);
  return word.split(/[^\p{L}\p{N}]+/u).some((part) => part.startsWith(term));
}

function pairsOf(text: string): Set<string> {
  const plain = text.replace(/\s+/g, '');
  if (plain.length < 2) return new Set([plain]);
  return new Set(Array.from({ length: plain.length - 1 }, (_, index) => plain.slice(index, index + 2)));
}

/** How much two texts share, 0..1: by the pairs of letters that both have, and for Chinese by single signs too. */
export function likeness(one: string, other: string): number {
  const share = (a: Set<string>, b: Set<string>) =>
    (2 * [...a].filter((item) => b.has(item)).length) / (a.size + b.size || 1);
  const pairs = share(pairsOf(one), pairsOf(other));
  return latin(one) ? pairs : Math.max(pairs, share(new Set(one), new Set(other)) / 1.5);
}

/** Every tool is about PDFs: that two have this in common says nothing. */
const telling = (text: string) => text.replaceAll('pdf', '');

const best = (query: string, { words }: Entry) =>
  Math.max(0, ...words.map((word) => likeness(telling(query), telling(word))));

/** The entries in which every term is found, else those that come closest to the query. */
export function search(query: string, entries: Entry[]): Found {
  const terms = query.toLowerCase().normalize('NFKC').split(/\s+/).filter(Boolean);
  const places = entries.flatMap(({ words }, place) =>
    terms.every((term) => words.some((word) => fits(term, word))) ? [place] : [],
  );
  if (places.length > 0 || terms.length === 0) return { places, near: false };
  const scored = entries
    .map((entry, place) => ({ place, score: best(terms.join(''), entry) }))
    .filter(({ score }) => score >= ALIKE)
    .sort((a, b) => b.score - a.score);
  return { places: scored.slice(0, NEAREST).map(({ place }) => place), near: true };
}
