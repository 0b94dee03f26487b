import { parseParts } from '../ranges';

/** Options of split and big split that the cut marks understand; other ways are passed through. */
export type Way =
  | { how: 'ranges'; ranges: string; joined: boolean }
  | { how: 'every'; pages: number }
  | { how: 'into'; files: number }
  | { how: 'single' }
  | { how: 'odd_even' }
  /** Where these cut is only known once the whole file has been read. */
  | { how: 'size' | 'bookmarks' | 'blanks' };

/** Page numbers after which the document is cut; the last page is never one. */
export type Cuts = ReadonlySet<number>;

/** `open`: the last range has no end, so that it holds for files of other lengths, too. */
export function textOf(cuts: Cuts, total: number, open = false): string {
  const ends = [...cuts].filter((page) => page > 0 && page < total).sort((a, b) => a - b);
  if (ends.length === 0) return '';
  const parts = [...ends, total].map((to, index) => rangeText((ends[index - 1] ?? 0) + 1, to));
  if (open) parts[parts.length - 1] = `${(ends.at(-1) ?? 0) + 1}-`;
  return parts.join(';');
}

const rangeText = (from: number, to: number) => (from === to ? `${from}` : `${from}-${to}`);

/** The pages of each part, or null where nobody knows yet. */
export function partsOf(way: Way, total: number): number[][] | null {
  switch (way.how) {
    case 'ranges':
      return typedParts(way.ranges, total);
    case 'every':
      return way.pages >= 1 ? between(stepEdges(way.pages, total)) : null;
    case 'into':
      return way.files >= 1 ? between(evenEdges(way.files, total)) : null;
    case 'single':
      return between(stepEdges(1, total));
    case 'odd_even':
      return [
        pages(1, total).filter((page) => page % 2 === 1),
        pages(1, total).filter((page) => page % 2 === 0),
      ];
    default:
      return null;
  }
}

function typedParts(text: string, total: number): number[][] | null {
  const parts = parseParts(text, total);
  return parts.every((part) => part.ok) ? parts.map((part) => (part.ok ? part.pages : [])) : null;
}

const stepEdges = (step: number, total: number): number[] => {
  const edges: number[] = [];
  for (let edge = 0; edge < total; edge += Math.floor(step)) edges.push(edge);
  return [...edges, total];
};

/** As `into` of cluster/engines/pages/cuts.py. */
const evenEdges = (files: number, total: number): number[] => {
  const parts = Math.min(Math.floor(files), total);
  return Array.from({ length: parts + 1 }, (_, each) => Math.floor((total * each) / parts));
};

const between = (edges: number[]): number[][] =>
  edges.slice(1).map((end, index) => pages((edges[index] ?? 0) + 1, end));

const pages = (from: number, to: number): number[] =>
  Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index);

/** Which part each page is in, from 1 (index = page); 0 for pages that are left out. */
export function partNumbers(parts: number[][] | null, total: number): Uint32Array {
  const numbers = new Uint32Array(total + 1);
  parts?.forEach((part, index) => {
    for (const page of part) numbers[page] ||= index + 1;
  });
  return numbers;
}

/** The cuts of parts that hold every page once and in order; no cuts where they do not. */
export function cutsOf(parts: number[][] | null, total: number): Cuts {
  const flat = parts?.flat() ?? [];
  if (flat.length !== total || flat.some((page, index) => page !== index + 1)) return new Set();
  return new Set(parts?.slice(0, -1).map((part) => part.at(-1) ?? 0));
}

export function toggledCut(cuts: Cuts, page: number): Cuts {
  const next = new Set(cuts);
  if (!next.delete(page)) next.add(page);
  return next;
}
