import { useEffect, useState, useSyncExternalStore } from 'react';
import type { Watched } from '../../account/store';
import type { Corrected } from '../../workbench/corrections';
import { begun, did, redone, typed, undone } from '../board/history';
import { doubtsIn, keyOf, type Line, type Lines, lineAt, type Place, placesOf, say } from './model';

export type Kept = Watched<Corrected<Lines> | null>;

/** The lines that are kept, as they were read at first; null until they are here. */
export function useKept(kept: Kept, load: () => Promise<string>): Corrected<Lines> | 'failed' | null {
  const corrected = useSyncExternalStore(kept.subscribe, kept.get);
  const [failed, setFailed] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: one load for one file
  useEffect(() => {
    if (kept.get()) return;
    load().then(
      (text) => {
        const read = JSON.parse(text) as Lines;
        if (!kept.get()) kept.set({ history: begun(read), written: read });
      },
      () => setFailed(true),
    );
  }, [kept]);
  return corrected ?? (failed ? 'failed' : null);
}

/** What is chosen of the lines, and what is done to them. */
export function useLines(kept: Kept, { history, written }: Corrected<Lines>) {
  const lines = history.now;
  const places = placesOf(lines);
  const [wished, choose] = useState<Place | null>(null);
  const at = wished && lineAt(lines, wished) ? wished : (places[0] ?? null);
  const doubts = doubtsIn(lines);
  const set = (next: typeof history) => kept.set({ ...kept.get()!, history: next });
  const number = at ? places.findIndex((place) => keyOf(place) === keyOf(at)) : -1;
  const goTo = (place: Place | undefined) => {
    if (!place) return;
    // What is typed in another line is another step.
    const now = kept.get()!.history;
    if (now.typed) set({ ...now, typed: false });
    choose(place);
  };
  const isAfter = (place: Place) => places.findIndex((each) => keyOf(each) === keyOf(place)) > number;
  return {
    lines,
    at,
    line: at ? (lineAt(lines, at) as Line) : null,
    doubts,
    changed: lines !== written,
    choose: goTo,
    next: () => goTo(places[number + 1]),
    nextDoubt: () => goTo(doubts.find(isAfter) ?? doubts[0]),
    type: (place: Place, text: string) => {
      const now = kept.get()!.history;
      set(typed(now, say(now.now, place, text)));
    },
    confirm: (place: Place, text: string) => {
      const now = kept.get()!.history;
      set(did(now, say(now.now, place, text)));
    },
    undo: history.past.length > 0 ? () => set(undone(history)) : null,
    redo: history.future.length > 0 ? () => set(redone(history)) : null,
  };
}

export type LineDesk = ReturnType<typeof useLines>;
