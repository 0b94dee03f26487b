/** What was, what is and what was undone: undo and redo of anything that is never changed in place. */
export type History<T> = {
  past: readonly T[];
  now: T;
  future: readonly T[];
  /** `now` was typed elsewhere (a form): more typing is the same step. */
  typed: boolean;
};

/** Steps one can go back; what lies before is forgotten. */
export const STEPS = 200;

export const begun = <T>(now: T): History<T> => ({ past: [], now, future: [], typed: false });

/** One act; an act that changes nothing is no step. */
export function did<T>(history: History<T>, next: T): History<T> {
  if (Object.is(history.now, next)) return history;
  return { past: [...history.past, history.now].slice(-STEPS), now: next, future: [], typed: false };
}

/** A change from elsewhere: letter by letter it is one step. */
export function typed<T>(history: History<T>, next: T): History<T> {
  if (Object.is(history.now, next)) return history;
  if (history.typed) return { ...history, now: next, future: [] };
  return { ...did(history, next), typed: true };
}

/** What comes by itself, as the pages of a file that was opened, is no step: it is there in all that was, too. */
export function joined<T>({ past, future }: History<T>, now: T, join: (state: T) => T): History<T> {
  return { past: past.map(join), now, future: future.map(join), typed: false };
}

export function undone<T>({ past, now, future }: History<T>): History<T> {
  const before = past.at(-1);
  if (past.length === 0) return { past, now, future, typed: false };
  return { past: past.slice(0, -1), now: before as T, future: [now, ...future], typed: false };
}

export function redone<T>({ past, now, future }: History<T>): History<T> {
  const [next, ...rest] = future;
  if (future.length === 0) return { past, now, future, typed: false };
  return { past: [...past, now], now: next as T, future: rest, typed: false };
}
