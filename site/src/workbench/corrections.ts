import { Watched } from '../account/store';
import type { History } from '../editors/board/history';
import type { Tables } from '../editors/table/model';

/** A file's tables while they are corrected: their steps, and how they were last read or written. */
export type Corrected = { history: History<Tables>; written: Tables };

/** By the storage key of the file, which stays when its result is written anew. */
const kept = new Map<string, Watched<Corrected | null>>();

export function correctionOf(key: string): Watched<Corrected | null> {
  const known = kept.get(key) ?? new Watched<Corrected | null>(null);
  kept.set(key, known);
  return known;
}

/** What a file's result does not hold yet. */
export function unwritten(key: string): Tables | null {
  const found = kept.get(key)?.get();
  return found && found.history.now !== found.written ? found.history.now : null;
}

export function noteWritten(key: string, written: Tables): void {
  const one = kept.get(key);
  const found = one?.get();
  if (one && found) one.set({ ...found, written });
}

/** Texts as somebody corrected them, by the key of their result. */
const texts = new Map<string, string>();

export function noteText(key: string, text: string | null): void {
  if (text === null) texts.delete(key);
  else texts.set(key, text);
}

export const correctedText = (key: string | undefined): string | undefined =>
  key === undefined ? undefined : texts.get(key);

export function forgetCorrections(): void {
  kept.clear();
  texts.clear();
}
