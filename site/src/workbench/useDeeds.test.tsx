import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { beforeEach, expect, it, vi } from 'vitest';
import { Client } from '../api/client';
import type { Task } from '../api/types';
import { useDeeds as useCentreDeeds } from '../center/tasks/useDeeds';
import type { Desk } from './desk';
import { useDeeds } from './useDeeds';

vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);

const task = {
  taskId: 't1',
  toolId: 1,
  options: { level: 'light', gray: true },
  inputs: [
    { key: 'k/a', name: 'a.pdf', locked: true },
    { key: 'k/b', name: 'b.pdf', locked: false },
  ],
} as unknown as Task;
const asked: { url: string; key: string | null; body: unknown }[] = [];
const answers: unknown[] = [];

beforeEach(() => {
  asked.length = answers.length = 0;
  vi.stubGlobal('fetch', async (url: string, { headers, body }: RequestInit) => {
    const key = new Headers(headers).get('Idempotency-Key');
    asked.push({ url, key, body: body ? JSON.parse(String(body)) : null });
    return new Response(JSON.stringify(answers.shift()));
  });
});

const forgotten = { code: 400, msg: '', data: { reason: 'password_required', file: 'a.pdf' } };
const made = { code: 200, msg: '', data: { taskId: 't2', status: 99 } };

function deedsOf<Deeds>(use: () => Deeds): Deeds {
  let deeds: Deeds | undefined;
  const Holder = () => {
    deeds = use();
    return null;
  };
  act(() => createRoot(document.createElement('div')).render(<Holder />));
  return deeds!;
}

it('another level in the workbench asks for forgotten passwords, on the options of the result', async () => {
  const dispatch = vi.fn();
  const deeds = deedsOf(() =>
    useDeeds({ client: new Client('en'), desk: {} as Desk, dispatch, lang: 'en', rows: [] }),
  );
  answers.push(forgotten);
  await deeds.retryLevel(task, 'strong');
  expect(dispatch.mock.calls).toEqual([
    [{ do: 'options', options: { level: 'strong', gray: true } }],
    [{ do: 'locked', task, attempt: expect.stringMatching(/^[0-9a-f]{24}$/) }],
  ]);
  expect(asked[0]?.key).toMatch(/^[0-9a-f]{24}$/);
});

it('another level in the centre makes the task again with the password, once', async () => {
  const dispatch = vi.fn();
  const deeds = deedsOf(() => useCentreDeeds(new Client('en'), dispatch, 'en'));
  answers.push(forgotten, made);
  expect(await deeds.retryLevel('t1', 'strong')).toBe(false);
  expect(dispatch).not.toHaveBeenCalled();
  await deeds.redo(task, 'strong', { 'k/a': 'secret' });
  expect(dispatch.mock.calls).toEqual([[{ do: 'made', taskId: 't2' }]]);
  expect(asked[1]?.body).toEqual({
    toolId: 1,
    files: [
      { key: 'k/a', name: 'a.pdf', password: 'secret' },
      { key: 'k/b', name: 'b.pdf' },
    ],
    options: { level: 'strong', gray: true },
  });
  const keys = asked.map(({ key }) => key);
  expect(keys.every(Boolean) && new Set(keys).size).toBe(2);
});
