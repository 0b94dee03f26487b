import { problemOf } from '../api/problem';
import { loadNotify } from '../workbench/later';
import type { CenterWords } from './words';

const DOWNLOAD_LIMIT = 3001;

export async function say(text: string, type: 'success' | 'error' | 'info'): Promise<void> {
  const { notify } = await loadNotify();
  await notify(text, { type, autoClose: type === 'success' ? 1500 : 5000 });
}

/** Trouble with a button of the page, in words. */
export function sayProblem(error: unknown, t: CenterWords): Promise<void> {
  const problem = problemOf(error);
  const text = problem.code === DOWNLOAD_LIMIT ? t.downloadLimit : problem.msg || t.upgradeLead;
  return say(text, 'error');
}
