import { beforeEach, expect, test, vi } from 'vitest';
import type { Client } from '../api/client';
import { STATUS, type Task } from '../api/types';
import { begun, did } from '../editors/board/history';
import type { Tables } from '../editors/table/model';
import { correctionOf, forgetCorrections, unwritten } from './corrections';
import type { Desk } from './desk';
import { placeIn, writtenAnew } from './writeAnew';

const output = (name: string, input: number, kind = 'xlsx') => ({
  name,
  kind,
  input,
  key: `results/${name}`,
});
const task = {
  taskId: 't1',
  toolId: 28,
  options: { output: 'xlsx', corrected: [] },
  inputs: [
    { key: 'k/a', name: 'a.pdf' },
    { key: 'k/none', name: 'none.pdf' },
    { key: 'k/b', name: 'b.pdf' },
  ],
  outputs: [
    output('a.xlsx', 0),
    output('a.json', 0, 'json'),
    output('b.xlsx', 2),
    output('b.json', 2, 'json'),
  ],
} as unknown as Task;
const after = {
  ...task,
  taskId: 't2',
  status: STATUS.SUCCESS,
  inputs: [task.inputs[0], task.inputs[2]],
  outputs: [
    output('a.xlsx', 0),
    output('a.json', 0, 'json'),
    output('b.xlsx', 1),
    output('b.json', 1, 'json'),
  ],
} as unknown as Task;

const read: Tables = { sheets: [], tables: [] };
const changed: Tables = { sheets: [], tables: [] };
const extra = vi.fn(async (_: File) => 'uploads/corrected');
const createTask = vi.fn(async () => ({ taskId: 't2', status: 99 }));
const follow = vi.fn(async (_: string, tell: (task: Task) => void) => tell(after));
const dispatch = vi.fn();
const parts = {
  client: { createTask, follow } as unknown as Client,
  desk: { extra } as unknown as Desk,
  dispatch,
};

beforeEach(() => {
  forgetCorrections();
  vi.clearAllMocks();
});

test('what nobody corrected stays the task that it is', async () => {
  correctionOf('k/b').set({ history: begun(read), written: read });
  expect(await writtenAnew(parts, task)).toBe(task);
  expect(createTask).not.toHaveBeenCalled();
});

test('corrections go up once, beside the data of the files that have none, and the new task takes the place', async () => {
  correctionOf('k/b').set({ history: did(begun(read), changed), written: read });
  const [one, other] = await Promise.all([writtenAnew(parts, task), writtenAnew(parts, task)]);
  expect([one, other]).toEqual([after, after]);
  expect(createTask).toHaveBeenCalledTimes(1);
  expect(createTask).toHaveBeenCalledWith(
    {
      toolId: 28,
      files: [
        { key: 'k/a', name: 'a.pdf' },
        { key: 'k/b', name: 'b.pdf' },
      ],
      options: { output: 'xlsx', corrected: ['results/a.json', 'uploads/corrected'] },
    },
    expect.any(String),
  );
  expect(JSON.parse(await extra.mock.calls[0]![0].text())).toEqual(changed);
  expect(dispatch).toHaveBeenCalledWith({ do: 'corrected', task: after, replaces: 't1' });
  expect(unwritten('k/b')).toBeNull();
  expect(placeIn(after, task, 2)).toBe(2);
});

test('a refusal is told, and the corrections stay', async () => {
  correctionOf('k/a').set({ history: did(begun(read), changed), written: read });
  const error = { reason: 'correction_unfit', msg: 'no' };
  follow.mockImplementationOnce(async (_, tell) => tell({ ...after, status: STATUS.FAIL, error } as Task));
  await expect(writtenAnew(parts, task)).rejects.toMatchObject({ data: { ...error } });
  expect(unwritten('k/a')).toBe(changed);
});
