import type { Client } from '../api/client';
import { Problem } from '../api/problem';
import { STATUS, type Task, type TaskOutput } from '../api/types';
import { freshId } from './choose';
import { noteWritten, unwritten } from './corrections';
import type { Desk } from './desk';
import { dataOf } from './results';
import type { Action } from './state';
import type { Json } from './contract';

type Parts = { client: Client; desk: Desk; dispatch: (action: Action) => void };

/** A task that is being written anew: who presses twice waits for the same. */
const going = new Map<string, Promise<Task>>();

/** The task itself, or, with corrections that its results do not hold, one that does and takes its place. */
export function writtenAnew(parts: Parts, task: Task): Promise<Task> {
  if (!task.inputs.some(({ key }) => unwritten(key))) return Promise.resolve(task);
  const begun = going.get(task.taskId) ?? write(parts, task).finally(() => going.delete(task.taskId));
  going.set(task.taskId, begun);
  return begun;
}

async function write({ client, desk, dispatch }: Parts, task: Task): Promise<Task> {
  // A file in which nothing was found has no data; it stays out.
  const files = task.inputs.flatMap(({ key, name }, place) => {
    const data = dataOf(task, place);
    return data ? [{ key, name, data: data[0].key, changed: unwritten(key) }] : [];
  });
  const corrected = await Promise.all(
    files.map(({ data, changed }) =>
      changed ? desk.extra(new File([JSON.stringify(changed)], 'corrected.json')) : data,
    ),
  );
  const options = { ...(task.options as Record<string, Json>), corrected };
  const request = { toolId: task.toolId, files: files.map(({ key, name }) => ({ key, name })), options };
  const made = await client.createTask(request, freshId());
  const ended = await outcomeOf(client, made.taskId);
  for (const { key, changed } of files) if (changed) noteWritten(key, changed);
  dispatch({ do: 'corrected', task: ended, replaces: task.taskId });
  return ended;
}

async function outcomeOf(client: Client, taskId: string): Promise<Task> {
  let ended: Task | null = null;
  await client.follow(
    taskId,
    (told) => {
      ended = told;
    },
    new AbortController().signal,
  );
  const task = ended as Task | null;
  if (task?.status === STATUS.SUCCESS) return task;
  throw new Problem({ code: 400, reason: 'internal', msg: '', ...task?.error });
}

/** The place of a result in the task that took the place of its own. */
export function placeIn(task: Task, before: Task, index: number): number {
  const wanted = before.outputs[index];
  const same = (output: TaskOutput): boolean =>
    output.name === wanted?.name &&
    task.inputs[output.input ?? 0]?.key === before.inputs[wanted.input ?? 0]?.key;
  return Math.max(0, task.outputs.findIndex(same));
}
