import type { Client } from '../api/client';
import type { Task, TaskOutput } from '../api/types';
import { unlocks } from './outcome';
import { dataOf, resultsOf } from './results';
import { type Row, rowsOf, type State } from './state';

/** A result as the page shows it. */
export type Shown = {
  /** It stays when the result is written anew. */
  id: string;
  output: TaskOutput;
  index: number;
  taskId: string;
  /** It may be fetched unasked: it is new and not large. */
  atOnce: boolean;
  /** The bytes, fetched once: what is shown is what is saved, and counts as one download. */
  fetch(): Promise<Blob>;
  /** The file it was made smaller from, where it is still here. */
  before: { blob: Blob; name: string; password: string | undefined } | null;
  /** The file that it was read from, where it is still here, and its key. */
  file: Row | null;
  input: string | null;
  /** What lies beside it for corrections. */
  data: (() => Promise<Blob>) | null;
  /** What opens it, while this page still knows. */
  password: string | undefined;
};

/** Larger results are fetched when somebody asks to see them. */
const AT_ONCE = 30 << 20;

const kept = new Map<string, Promise<Blob>>();
const ended = new Set<string>();

/** This page saw the task end: nothing of it has been fetched in an earlier life of the page. */
export const noteEnd = (taskId: string): void => void ended.add(taskId);

/** The bytes of a result that was shown, if any: they need no further download. */
export const keptBytes = (key: string | undefined): Promise<Blob> | undefined =>
  key === undefined ? undefined : kept.get(key);

export const forgetBytes = (): void => kept.clear();

async function fetched(client: Client, taskId: string, index: number): Promise<Blob> {
  const { url } = await client.download(taskId, index);
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`result: ${answer.status}`);
  return answer.blob();
}

function bytesOf(client: Client, taskId: string, index: number, { key }: TaskOutput): Promise<Blob> {
  const known = kept.get(key);
  if (known) return known;
  const coming = fetched(client, taskId, index);
  kept.set(key, coming);
  coming.catch(() => kept.delete(key));
  return coming;
}

const savesData = () => (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true;

const inputOf = ({ inputs }: Task, { input }: TaskOutput): string | null =>
  input === null ? null : (inputs[input]?.key ?? null);

/** The results of a task with all that the page needs to show them. */
export function shownOf(task: Task, state: State, tool: string, client: Client): Shown[] {
  const { taskId } = task;
  const options = ('options' in state ? state.options : null) as { password?: string } | null;
  const rowFor = (output: TaskOutput): Row | undefined =>
    rowsOf(state).find((row) => row.key === (inputOf(task, output) ?? undefined));
  return resultsOf(task).map(([output, index], nth) => {
    const row = rowFor(output);
    const blob = row?.blob ?? null;
    const data = dataOf(task, output.input);
    const input = inputOf(task, output);
    return {
      id: `${input}/${nth}`,
      output,
      index,
      taskId,
      atOnce: kept.has(output.key) || (ended.has(taskId) && output.size <= AT_ONCE && !savesData()),
      fetch: () => bytesOf(client, taskId, index, output),
      before: tool === 'compress' && blob ? { blob, name: row!.name, password: row!.password } : null,
      file: row ?? null,
      input,
      data: data && (() => bytesOf(client, taskId, data[1], data[0])),
      password: tool === 'encrypt' ? options?.password : unlocks(tool) ? undefined : row?.password,
    };
  });
}
