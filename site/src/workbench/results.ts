import type { Task, TaskOutput } from '../api/types';
import type { StoredFile } from '../lib/handoff';

const isData = ({ kind }: TaskOutput): boolean => kind === 'json';

/** Results with their index; the data that recognition keeps for programs is one only where nothing else is. */
export const resultsOf = ({ outputs }: Task): [TaskOutput, number][] => {
  const asked = outputs.every(isData);
  return outputs
    .map((output, index): [TaskOutput, number] => [output, index])
    .filter(([output]) => asked || !isData(output));
};

/** The data that lies beside the results of a file, with its index. */
export function dataOf({ outputs }: Task, input: number | null): [TaskOutput, number] | null {
  const index = outputs.findIndex((output) => isData(output) && output.input === input);
  return index < 0 ? null : [outputs[index]!, index];
}

export const sizeBefore = (output: TaskOutput, task: Task) => task.inputs[output.input ?? 0]?.size ?? 0;

/** Sizes are compared where a PDF came of one PDF. */
export const comparable = (output: TaskOutput, task: Task) =>
  output.kind === 'pdf' &&
  typeof output.input === 'number' &&
  /\.pdf$/i.test(task.inputs[output.input]?.name ?? '') &&
  task.outputs.filter(({ input }) => input === output.input).length === 1;

/** Results as another tool takes them: by their keys, without a new upload. */
export const storedOf = (task: Task): StoredFile[] =>
  resultsOf(task).map(([{ name, size, kind, key, pages }, index]) => ({
    name,
    size,
    kind,
    key,
    pages,
    from: { taskId: task.taskId, index },
  }));

type Taking = { key: string; kinds: string[] };

/** The other tools that take all of these files. */
export function takersOf<T extends Taking>(files: StoredFile[], tools: T[], own: string): T[] {
  const kinds = [...new Set(files.map(({ kind }) => kind))];
  if (kinds.length === 0) return [];
  return tools.filter(({ key, kinds: taken }) => key !== own && kinds.every((kind) => taken.includes(kind)));
}
