import type { ChosenFile } from '../workbench/contract';

/** File 2 before file 10, whatever the case. */
const collator = new Intl.Collator('zh', { numeric: true, sensitivity: 'base' });

export type Order = 'name' | 'date' | 'reverse';

export function sorted(files: readonly ChosenFile[], order: Order): string[] {
  const copy = [...files];
  if (order === 'name') copy.sort((a, b) => collator.compare(a.name, b.name));
  else if (order === 'date') copy.sort((a, b) => dateOf(a) - dateOf(b));
  else copy.reverse();
  return copy.map((file) => file.id);
}

/** Files from the store have no date here and keep their place at the end. */
const dateOf = (file: ChosenFile): number => file.blob?.lastModified ?? Number.POSITIVE_INFINITY;
