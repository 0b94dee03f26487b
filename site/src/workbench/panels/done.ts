import type { State } from '../state';
import type { Bench } from '../useWorkbench';
import type { IslandWords } from '../words';

/** What the parts of the done panel are given. */
export type DoneProps = { bench: Bench; work: Extract<State, { phase: 'done' }>; t: IslandWords };
