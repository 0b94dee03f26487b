import type { ChosenFile } from '../workbench/contract';
import { takenAt } from './taken';

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

/** By the time that each picture says; those that say none come last, in the order they had. */
export async function sortedByTaken(files: readonly ChosenFile[]): Promise<string[]> {
  const times = await Promise.all(files.map(({ blob }) => (blob ? takenAt(blob) : '')));
  const late = '9999';
  const time = (index: number) => times[index] || late;
  const order = [...files.keys()].sort((a, b) => time(a).localeCompare(time(b)));
  return order.map((index) => (files[index] as ChosenFile).id);
}

/** Files from the store have no date here and keep their place at the end. */
const dateOf = (file: ChosenFile): number => file.blob?.lastModified ?? Number.POSITIVE_INFINITY;
