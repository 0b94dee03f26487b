import type { KeyboardEvent } from 'react';
import type { Holding } from '../place/Surface';
import { added, copied, copies, type EditOptions, isPlaced, type PlacedAct } from './acts';
import type { Desk } from './useDesk';

type Clip = { act: PlacedAct | null };

const isFor = (event: KeyboardEvent, ...letters: string[]) =>
  (event.ctrlKey || event.metaKey) &&
  !event.shiftKey &&
  letters.includes(event.key.toLowerCase()) &&
  !(event.target as HTMLElement).matches('input, textarea, select');

/** Ctrl and C takes a copy of what is chosen, with D it is put down at once. */
export function taken(event: KeyboardEvent, desk: Desk, hold: Holding<EditOptions>, clip: Clip): void {
  const act = desk.options.acts[Number(hold.chosen ?? Number.NaN)];
  if (!isFor(event, 'c', 'd') || !act || !isPlaced(act) || !copies(act)) return;
  event.preventDefault();
  clip.act = act;
  if (event.key.toLowerCase() === 'd') put(desk, hold, act);
}

/** Ctrl and V puts it on the page in sight. */
export function pasted(event: KeyboardEvent, desk: Desk, hold: Holding<EditOptions>, clip: Clip): void {
  if (!isFor(event, 'v') || !clip.act) return;
  event.preventDefault();
  put(desk, hold, clip.act);
}

function put(desk: Desk, hold: Holding<EditOptions>, act: PlacedAct): void {
  const copy = copied(act, hold.current?.page ?? act.page);
  hold.act(added(desk.options, { ...copy, source: desk.source }));
  hold.choose(String(desk.options.acts.length));
}
