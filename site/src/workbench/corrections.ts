import { Watched } from '../account/store';
import { begun, did, type History } from '../editors/board/history';
import type { Lines } from '../editors/lines/model';
import type { Tables } from '../editors/table/model';

/** What was read of a file, for people to correct. */
export type Proof = Tables | Lines;

/** What was read of a file while it is corrected: the steps, and how it was last read or written. */
export type Corrected<T extends Proof = Proof> = { history: History<T>; written: T };

/** Corrections outlive a reload in the tab's own store, as the task does, and go with it. */
const SAVED = 'corrected:';

/** By the storage key of the file, which stays when its result is written anew. */
const kept = new Map<string, Watched<Corrected | null>>();

/** The corrections of a file's `T`: a tool's results have one kind of data only. */
export function correctionOf<T extends Proof>(key: string): Watched<Corrected<T> | null> {
  return watched(key) as unknown as Watched<Corrected<T> | null>;
}

function watched(key: string): Watched<Corrected | null> {
  const known = kept.get(key);
  if (known) return known;
  const one = new Watched<Corrected | null>(recalled(key));
  one.subscribe(() => save(key, one.get()));
  kept.set(key, one);
  return one;
}

/** What a file's result does not hold yet. */
export function unwritten(key: string): Proof | null {
  const found = watched(key).get();
  return found && found.history.now !== found.written ? found.history.now : null;
}

export function noteWritten(key: string, written: Proof): void {
  const one = kept.get(key);
  const found = one?.get();
  if (one && found) one.set({ ...found, written });
}

/** Texts as somebody corrected them, by the key of their result. */
const texts = new Map<string, string>();

export function noteText(key: string, text: string | null): void {
  if (text === null) texts.delete(key);
  else texts.set(key, text);
  store(`text:${key}`, text);
}

export function correctedText(key: string | undefined): string | undefined {
  return key === undefined ? undefined : (texts.get(key) ?? stored<string>(`text:${key}`) ?? undefined);
}

export function forgetCorrections(): void {
  kept.clear();
  texts.clear();
  for (const name of names()) if (name.startsWith(SAVED)) sessionStorage.removeItem(name);
}

/** What the result holds needs no keeping: it is read again with it. */
function save(key: string, found: Corrected | null): void {
  const changed = found && found.history.now !== found.written;
  store(key, changed ? { now: found.history.now, written: found.written } : null);
}

function recalled(key: string): Corrected | null {
  const found = stored<{ now: Proof; written: Proof }>(key);
  return found && { history: did(begun(found.written), found.now), written: found.written };
}

/** A store that is full, or that the browser refuses, keeps nothing: the page goes on without. */
function store(key: string, value: unknown): void {
  try {
    sessionStorage.removeItem(SAVED + key);
    if (value !== null) sessionStorage.setItem(SAVED + key, JSON.stringify(value));
  } catch {
    // Corrections of this page's life stay in its memory.
  }
}

function stored<T>(key: string): T | null {
  try {
    return JSON.parse(sessionStorage.getItem(SAVED + key) ?? 'null') as T | null;
  } catch {
    return null;
  }
}

function names(): string[] {
  try {
    return Array.from({ length: sessionStorage.length }, (_, at) => sessionStorage.key(at) ?? '');
  } catch {
    return [];
  }
}
