import { useRef, useState } from 'react';
import { begun, did, type History, joined, redone, typed, undone } from './history';

export type Steps<T> = {
  now: T;
  /** Does an act: what it makes is written and can be undone. */
  act(next: T): void;
  undo: (() => void) | null;
  redo: (() => void) | null;
};

/**
 * Undo and redo over a value that lives elsewhere, as an option: what the form changes is a step, too.
 * `write` puts a value there; `same` says whether two values mean the same; `join` does to any value what made this
 * one of the last, where nobody's act did.
 */
export function useHistory<T>(
  value: T,
  write: (value: T) => void,
  same: (a: T, b: T) => boolean,
  join: ((value: T) => T) | null = null,
): Steps<T> {
  const history = useRef<History<T>>(begun(value));
  const [, redraw] = useState(0);
  if (!same(history.current.now, value)) {
    history.current = join ? joined(history.current, value, join) : typed(history.current, value);
  }
  const go = (next: History<T>) => {
    if (next === history.current) return;
    history.current = next;
    write(next.now);
    redraw((count) => count + 1);
  };
  const { past, now, future } = history.current;
  return {
    now,
    act: (next) => go(same(now, next) ? history.current : did(history.current, next)),
    undo: past.length > 0 ? () => go(undone(history.current)) : null,
    redo: future.length > 0 ? () => go(redone(history.current)) : null,
  };
}

export const sameJson = (one: unknown, other: unknown): boolean =>
  one === other || JSON.stringify(one) === JSON.stringify(other);
