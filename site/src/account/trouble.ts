import { problemOf, type ProblemData } from '../api/problem';
import type { AccountWords } from './words';

export type Trouble = { reason: string; text: string /** Until another try makes sense. */; seconds: number };

/** What went wrong, in the server's own sentence. */
export function troubleOf(error: unknown, t: AccountWords): Trouble {
  const data: ProblemData & { seconds?: number } = problemOf(error);
  const text = data.code === 0 || data.code >= 500 || !data.msg ? t.unreachable : data.msg;
  return { reason: data.reason, text, seconds: data.seconds ?? 0 };
}
