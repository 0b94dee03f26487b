export type Sample = { at: number; progress: number };

/** An estimate is told once this much is done, and has been worked on for so long. */
const ENOUGH = 0.08;
const AT_LEAST = 4000;
/** What is looked back on: how fast it goes now counts, not how slowly it began. */
const WINDOW = 30_000;

/** The samples with one more; those that are too old to say anything go. */
export const sampled = (samples: Sample[], now: Sample): Sample[] => [
  ...samples.filter(({ at, progress }) => now.at - at <= WINDOW && progress <= now.progress),
  now,
];

/** Milliseconds that are left at the pace of the last half minute, or null as long as nobody can honestly say. */
export function leftOf(samples: Sample[]): number | null {
  const [first, last] = [samples[0], samples.at(-1)];
  if (!first || !last || last.progress < ENOUGH || last.at - first.at < AT_LEAST) return null;
  const pace = (last.progress - first.progress) / (last.at - first.at);
  return pace > 0 ? (1 - last.progress) / pace : null;
}

const SECOND = 1000;
const MINUTE = 60_000;
const FEW = 5 * SECOND;

/** As people say it: steps of five seconds, then whole minutes, never "0 seconds". */
export function leftWords(ms: number): { unit: 'almost' | 'second' | 'minute' | 'hour'; n: number } {
  if (ms < FEW) return { unit: 'almost', n: 0 };
  if (ms < 55 * SECOND) return { unit: 'second', n: Math.ceil(ms / FEW) * 5 };
  const minutes = Math.round(ms / MINUTE) || 1;
  return minutes < 90 ? { unit: 'minute', n: minutes } : { unit: 'hour', n: Math.round(minutes / 60) };
}

/** A span of time in the words of `Intl`. */
export const spanText = (n: number, unit: 'second' | 'minute' | 'hour', lang: 'zh' | 'en'): string =>
  new Intl.NumberFormat(lang === 'zh' ? 'zh-CN' : 'en', { style: 'unit', unit, unitDisplay: 'long' }).format(
    n,
  );
