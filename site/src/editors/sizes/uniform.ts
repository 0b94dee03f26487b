import { parsePages } from '../../ranges';
import type { PageSize } from '../pdf/render';

export type UniformOptions = {
  width: 'first' | 'widest' | 'commonest' | 'a3' | 'a4' | 'a5' | 'letter' | 'mm';
  mm: number;
  landscape: 'same' | 'apart';
  pages: string;
};

const MM = 72 / 25.4;
/** As cluster/paper.py has them, in points. */
const PAPERS: Record<string, number> = { a3: 297 * MM, a4: 210 * MM, a5: 148 * MM, letter: 612 };
/** The longest side that all readers show. */
const LONGEST = 14_400;

/** The sizes after the run, as cluster/tools/uniform_width.py makes them; null where the range names no page. */
export function uniformed(sizes: readonly PageSize[], options: UniformOptions): PageSize[] | null {
  const found = parsePages(options.pages, sizes.length);
  if (!found.ok) return null;
  const asked = [...new Set(found.pages)].sort((a, b) => a - b).map((page) => page - 1);
  const measured = (at: number) => widthOf(sizes[at] as PageSize, options.landscape);
  const wanted = wantedOf(options, asked.map(measured));
  const made = [...sizes];
  for (const at of asked) {
    const { width, height } = sizes[at] as PageSize;
    const times = wanted / measured(at);
    if (Math.max(width, height) * times <= LONGEST)
      made[at] = { width: width * times, height: height * times };
  }
  return made;
}

const widthOf = ({ width, height }: PageSize, landscape: UniformOptions['landscape']) =>
  landscape === 'apart' ? Math.min(width, height) : width;

function wantedOf({ width, mm }: UniformOptions, widths: readonly number[]): number {
  const [first = 0] = widths;
  switch (width) {
    case 'first':
      return first;
    case 'widest':
      return Math.max(...widths);
    case 'commonest':
      return commonest(widths);
    case 'mm':
      return mm * MM;
    default:
      return PAPERS[width] ?? first;
  }
}

function commonest(widths: readonly number[]): number {
  const [[most] = [0]] = counted(widths.map(Math.round));
  return widths.find((width) => Math.round(width) === most) ?? 0;
}

/** Each value with how often it comes, the commonest first; of equals the one that came first. */
function counted<T>(values: readonly T[]): [T, number][] {
  const counts = new Map<T, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort(([, one], [, other]) => other - one);
}

/** The commonest sizes in millimetres, and how many pages have each. */
export const namedSizes = (sizes: readonly PageSize[]): [string, number][] =>
  counted(sizes.map(({ width, height }) => `${Math.round(width / MM)} × ${Math.round(height / MM)} mm`));
