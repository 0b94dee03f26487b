/** How hard a password is to guess: 0 too weak … 3 strong. */
export type Strength = 0 | 1 | 2 | 3;

const KINDS = [/[a-z]/, /[A-Z]/, /[0-9]/, /[^a-zA-Z0-9]/];
/** Longer ones are measured by their beginning. */
const MEASURED = 64;

type Meter = (password: string) => number;
let meter: Promise<Meter> | null = null;

/** Loaded when a password is first measured: its dictionaries are as large as all the rest of a page. */
function loadMeter(): Promise<Meter> {
  meter ??= import('./guesses').then(({ guessed }) => guessed);
  return meter;
}

const kindsIn = (password: string) => KINDS.filter((kind) => kind.test(password)).length;

/** Whether it has the length and the kinds that are advised. */
export const isVaried = (password: string): boolean => [...password].length >= 6 && kindsIn(password) >= 2;

/** Counts kinds and length, and how soon a guesser comes to it; measured here, the password is not asked about anywhere. */
export async function strengthOf(password: string): Promise<Strength> {
  if (!isVaried(password)) return 0;
  const guessed = await loadMeter();
  return Math.max(0, guessed([...password].slice(0, MEASURED).join('')) - 1) as Strength;
}
