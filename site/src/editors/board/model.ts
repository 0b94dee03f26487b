/**
 * The page board as plain values: which pages lie on it in which order, how each is turned, and where it is cut.
 * Every act takes a board and answers the next one; nothing is changed in place, so that undo keeps what was.
 */

export type Quarter = 90 | 180 | 270;
/** Degrees clockwise. */
export type Turn = 0 | Quarter;

/** Size of a blank page in points, or that of the page before it. */
export type Paper = { width: number; height: number } | 'previous';

/** What lies at a place: page `page` (from 1) of the file with this id, or a blank page. */
export type Origin = { file: string; page: number } | { blank: Paper };

/** `id` is the leaf's for life, wherever it is moved; `cut`: the document ends after it. */
export type Leaf = Origin & { id: number; turn: Turn; cut: boolean };

/** `next`: the id that no leaf had yet. */
export type Board = { leaves: readonly Leaf[]; next: number };

export type Ids = ReadonlySet<number>;

export const isBlank = (leaf: Origin): leaf is { blank: Paper } => 'blank' in leaf;

export const EMPTY: Board = { leaves: [], next: 1 };

/** Pages `from` … `to` of a file, as they are. */
export const pagesOf = (file: string, pages: number): Origin[] =>
  Array.from({ length: pages }, (_, index) => ({ file, page: index + 1 }));

/** Puts new leaves before the place `at` (0 … length). */
export function inserted(
  { leaves, next }: Board,
  at: number,
  given: readonly (Origin & { turn?: Turn })[],
): Board {
  const fresh = given.map((origin, index): Leaf => ({ turn: 0, cut: false, ...origin, id: next + index }));
  const place = Math.min(leaves.length, Math.max(0, at));
  return { leaves: leaves.toSpliced(place, 0, ...fresh), next: next + fresh.length };
}

/**
 * All pages of a file that was read now come to the board's end, before those that stand there of files after it in
 * `files`: which was read first is nobody's wish.
 */
export function arrived(board: Board, file: string, pages: number, files: readonly string[]): Board {
  const later = new Set(files.slice(files.indexOf(file) + 1));
  const last = board.leaves.findLastIndex((leaf) => isBlank(leaf) || !later.has(leaf.file));
  return inserted(board, last + 1, pagesOf(file, pages));
}

/** Turns leaves further. */
export function turned(board: Board, ids: Ids, by: Turn): Board {
  return changed(board, ids, (leaf) => ({ ...leaf, turn: sumOf(leaf.turn, by) }));
}

export const sumOf = (one: Turn, other: Turn): Turn => ((one + other) % 360) as Turn;

/** All of them upright as they came. */
export const upright = (board: Board, ids: Ids): Board =>
  changed(board, ids, (leaf) => (leaf.turn === 0 ? leaf : { ...leaf, turn: 0 }));

/** Cuts after a leaf, or joins what was cut there; after the last leaf there is nothing to cut. */
export function cutToggled(board: Board, id: number): Board {
  if (board.leaves.at(-1)?.id === id) return board;
  return changed(board, new Set([id]), (leaf) => ({ ...leaf, cut: !leaf.cut }));
}

/** Takes the chosen leaves together, in the board's order, to before the place `to` (0 … length, as it is now). */
export function moved({ leaves, next }: Board, ids: Ids, to: number): Board {
  const place = Math.min(leaves.length, Math.max(0, to));
  const [before, after] = [leaves.slice(0, place), leaves.slice(place)];
  const stays = (leaf: Leaf) => !ids.has(leaf.id);
  const taken = leaves.filter((leaf) => !stays(leaf));
  return { leaves: [...before.filter(stays), ...taken, ...after.filter(stays)], next };
}

/** Each chosen leaf a second time, right after itself; a cut stays behind the pair. */
export function duplicated({ leaves, next }: Board, ids: Ids): Board {
  let free = next;
  const doubled = leaves.flatMap((leaf) => {
    if (!ids.has(leaf.id)) return [leaf];
    free += 1;
    return [
      { ...leaf, cut: false },
      { ...leaf, id: free - 1 },
    ];
  });
  return { leaves: doubled, next: free };
}

/** Without the chosen leaves; what was cut before stays cut. */
export function removed({ leaves, next }: Board, ids: Ids): Board {
  const kept: Leaf[] = [];
  for (const leaf of leaves) {
    const last = kept.at(-1);
    if (!ids.has(leaf.id)) kept.push(leaf);
    else if (leaf.cut && last) kept[kept.length - 1] = { ...last, cut: true };
  }
  const last = kept.at(-1);
  if (last?.cut) kept[kept.length - 1] = { ...last, cut: false };
  return { leaves: kept, next };
}

/** The chosen leaves in the opposite order, on the places they have. */
export function reversed({ leaves, next }: Board, ids: Ids): Board {
  const waiting = leaves.filter((leaf) => ids.has(leaf.id));
  return { leaves: leaves.map((leaf) => (ids.has(leaf.id) ? (waiting.pop() as Leaf) : leaf)), next };
}

export const allOf = ({ leaves }: Pick<Board, 'leaves'>): Ids => new Set(leaves.map(({ id }) => id));

function changed({ leaves, next }: Board, ids: Ids, change: (leaf: Leaf) => Leaf): Board {
  return { leaves: leaves.map((leaf) => (ids.has(leaf.id) ? change(leaf) : leaf)), next };
}
