import type { ChosenFile } from '../../workbench/contract';
import type { OpenPdf } from '../pdf/open';
import { pageSize } from '../pdf/render';
import { borrow, giveBack } from '../pdf/shared';
import type { Choice } from './choice';
import { isBlank, type Leaf } from './model';
import { shapeOf } from './useFits';

type Shape = 'landscape' | 'portrait';

/** Pages asked for at a time: a file of 20,000 answers in a few seconds and the window stays awake. */
const AT_ONCE = 32;

/** The leaves whose pages lie or stand in their files. Files that cannot be opened have none. */
export async function leavesOfShape(
  leaves: readonly Leaf[],
  files: readonly ChosenFile[],
  wanted: Shape,
): Promise<Choice> {
  const ids = new Set<number>();
  for (const file of files) {
    const mine = leaves.filter(
      (leaf): leaf is Leaf & { page: number } => !isBlank(leaf) && leaf.file === file.id,
    );
    if (mine.length === 0 || !file.blob || file.kind !== 'pdf') continue;
    try {
      const pdf = await borrow(file.blob, file.password);
      for (const id of await idsOf(pdf, mine, wanted)) ids.add(id);
    } catch {
      // What cannot be opened is said where its pages would be.
    } finally {
      giveBack(file.blob, file.password);
    }
  }
  return { ids, anchor: null };
}

async function idsOf(pdf: OpenPdf, leaves: readonly (Leaf & { page: number })[], wanted: Shape) {
  const found: number[] = [];
  for (let at = 0; at < leaves.length; at += AT_ONCE) {
    const some = leaves.slice(at, at + AT_ONCE);
    const sizes = await Promise.all(some.map(({ page }) => pageSize(pdf, page).catch(() => null)));
    some.forEach((leaf, index) => {
      const size = sizes[index];
      if (size && shapeOf(size) === wanted) found.push(leaf.id);
    });
  }
  return found;
}
