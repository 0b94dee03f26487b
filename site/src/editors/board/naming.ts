import type { ChosenFile } from '../../workbench/contract';
import { isBlank, type Leaf } from './model';
import type { Section } from './types';
import type { BoardWords } from './words';

export type Named = (leaf: Leaf) => { name: string; number: number };

/** What each leaf is called: its page, with the file's name where there are several; its place where files are mixed. */
export function namesOf(
  sections: readonly Section[],
  files: readonly ChosenFile[],
  words: BoardWords,
): Named {
  const mixed = sections.some(({ file }) => file === null);
  const places = new Map(sections.flatMap(({ leaves }) => leaves).map(({ id }, index) => [id, index + 1]));
  const names = new Map(files.map(({ id, name }) => [id, name]));
  return (leaf) => {
    const place = places.get(leaf.id) ?? 0;
    if (isBlank(leaf)) return { number: place, name: words.blank };
    const name =
      files.length > 1 ? words.pageIn(leaf.page, names.get(leaf.file) ?? '') : words.page(leaf.page);
    return { number: mixed ? place : leaf.page, name };
  };
}

/** Pictures among the files are their own pages. */
export function pictureOf(leaf: Leaf, files: readonly ChosenFile[]): string | undefined {
  if (isBlank(leaf)) return undefined;
  const file = files.find(({ id }) => id === leaf.file);
  return file && file.kind !== 'pdf' ? file.thumbnail : undefined;
}
