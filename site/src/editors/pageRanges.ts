import { formatPages, formatSequence, parsePages } from '../ranges';
import type { ChosenFile } from '../workbench/contract';

/** Pages that a file has; a picture is one, a file that nobody opened yet has none to show. */
const countOf = ({ kind, pages }: Pick<ChosenFile, 'kind' | 'pages'>): number =>
  kind === 'pdf' ? (pages ?? 0) : 1;

/** The pages a range names, in its order; all of them where it is none (the form says what is wrong with it). */
export function pagesNamed(text: string, file: Pick<ChosenFile, 'kind' | 'pages'>): number[] {
  const total = countOf(file);
  if (total === 0) return [];
  const found = parsePages(file.kind === 'pdf' ? text : '', total);
  if (found.ok) return found.pages;
  return Array.from({ length: total }, (_, index) => index + 1);
}

/** The shortest range that names these pages in this order; null for no pages, which no range can say. */
export function textFor(
  pages: readonly number[],
  file: Pick<ChosenFile, 'kind' | 'pages'>,
  old: string,
): string | null {
  const total = countOf(file);
  if (total === 0) return old;
  if (pages.length === 0) return null;
  const rising = pages.every((page, index) => index === 0 || page > (pages[index - 1] ?? 0));
  if (!rising) return formatSequence(pages);
  return pages.length === total ? '' : formatPages(pages, total);
}
