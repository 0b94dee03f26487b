import { describe, expect, it } from 'vitest';
import { STATUS, type Task, type TaskInput } from '../api/types';
import { areaState, uploadProgress } from './area';
import { type Action, EMPTY, outcome, reduce, type Row, type State, standing } from './state';

const row = (id: string, more: Partial<Row> = {}): Row => ({
  id,
  name: `${id}.pdf`,
  size: 100,
  kind: 'pdf',
  blob: null,
  key: null,
  pages: null,
  upload: { at: 'waiting' },
  locked: false,
  problem: null,
  ...more,
});

const task = (more: Partial<Task>): Task => ({
  taskId: 't1',
  toolId: 1,
  toolName: '',
  fileName: '',
  options: {},
  status: STATUS.PROCESSING,
  progress: 0,
  stage: null,
  queuePosition: null,
  error: null,
  inputs: [],
  outputs: [],
  receipt: [],
  createdAt: 0,
  startedAt: null,
  finishedAt: null,
  expiresAt: null,
  metrics: {},
  ...more,
});

const input = (name: string, reason?: string, locked = false): TaskInput => ({
  name,
  size: 100,
  key: name,
  locked,
  error: reason ? { reason, msg: reason } : null,
});

const play = (...actions: Action[]): State => actions.reduce(reduce, EMPTY);
const choose = (...ids: string[]): Action => ({ do: 'chosen', rows: ids.map((id) => row(id)), refusals: [] });
const store = (id: string): Action => ({ do: 'stored', id, key: `k/${id}` });
const start: Action = { do: 'start', attempt: 'once' };
const running = (...ids: string[]) =>
  play(choose(...ids), ...ids.map(store), start, { do: 'created', taskId: 't1' });

describe('from choosing to running', () => {
  it('is ready when the last file is stored', () => {
    expect(play(choose('a', 'b'), store('a')).phase).toBe('uploading');
    expect(play(choose('a', 'b'), store('a'), store('b')).phase).toBe('ready');
  });

  it('starts by itself when start was pressed during the upload', () => {
    const armed = play(choose('a'), start);
    expect(armed).toMatchObject({ phase: 'uploading', armed: 'once' });
    expect(reduce(armed, store('a'))).toMatchObject({ phase: 'starting', attempt: 'once' });
  });

  it('forgets the early start when an upload fails', () => {
    const failed = play(choose('a'), start, { do: 'uploadFailed', id: 'a', error: 1 });
    expect(failed).toMatchObject({ phase: 'uploading', armed: null });
  });

  it('goes back to uploading when files are added to ready ones', () => {
    expect(play(choose('a'), store('a'), choose('b')).phase).toBe('uploading');
  });

  it('is empty again when the last file is removed', () => {
    expect(play(choose('a'), { do: 'removed', ids: ['a'], options: null }).phase).toBe('choosing');
  });

  it('is ready at once with files brought from another tool', () => {
    const brought = row('a', { key: 'results/1.pdf', upload: { at: 'stored' } });
    expect(play({ do: 'chosen', rows: [brought], refusals: [] }).phase).toBe('ready');
  });

  it('keeps the refusals without a file', () => {
    const refused = play({
      do: 'chosen',
      rows: [],
      refusals: [{ name: 'x.txt', reason: 'not_supported_type' }],
    });
    expect(refused).toMatchObject({ phase: 'choosing', refusals: [{ name: 'x.txt' }] });
  });
});

describe('a protected file', () => {
  const locked = (password: string) =>
    play(
      choose('a'),
      store('a'),
      { do: 'inspected', id: 'a', password: undefined, pages: null, locked: true },
      { do: 'password', id: 'a', password },
    );
  const first = (state: State) => ('rows' in state ? state.rows[0] : undefined);

  it('is asked about again when the browser finds its password wrong, and no task begins', () => {
    const wrong = reduce(locked('x'), { do: 'wrongPasswords', ids: ['a'] });
    expect(wrong.phase).toBe('ready');
    expect(first(wrong)?.problem?.reason).toBe('password_wrong');
    expect(first(reduce(wrong, { do: 'password', id: 'a', password: 'xy' }))?.problem).toBeNull();
  });

  it('is not judged by a password that was typed over', () => {
    const late = { do: 'inspected', id: 'a', pages: 3 } as const;
    const typed = locked('xy');
    expect(first(reduce(typed, { ...late, password: 'x', locked: false }))?.locked).toBe(true);
    expect(first(reduce(typed, { ...late, password: 'xy', locked: false }))?.locked).toBe(false);
  });
});

describe('the bar of a running task', () => {
  const progressOf = (...told: number[]) => {
    const state = told.reduce(
      (now, progress) => reduce(now, { do: 'task', task: task({ progress }) }),
      running('a'),
    );
    return state.phase === 'running' ? state.task?.progress : null;
  };

  it('never runs backwards', () => {
    expect(progressOf(0.07, 0.93, 0, 0)).toBe(0.93);
    expect(progressOf(0.07, 0.5)).toBe(0.5);
  });
});

describe('a task begun before', () => {
  const stored = row('a', { key: 'k/a', upload: { at: 'stored' } });

  it('is followed when it runs, and shown when it has ended', () => {
    const reopen = (status: number): Action => ({ do: 'reopened', rows: [stored], task: task({ status }) });
    expect(play(reopen(STATUS.PROCESSING))).toMatchObject({ phase: 'running', taskId: 't1' });
    expect(play(reopen(STATUS.SUCCESS))).toMatchObject({ phase: 'done', results: [{ taskId: 't1' }] });
  });
});

it('goes back to the files when a cancelled task is gone, whatever its followers still hear', () => {
  const gone = { code: 404, reason: 'task_unknown', msg: '' };
  const back = reduce(running('a'), { do: 'edit' });
  expect(back.phase).toBe('ready');
  expect(reduce(back, { do: 'refused', problem: gone, following: 't1' })).toBe(back);
  const followed = reduce(running('a'), { do: 'refused', problem: gone, following: 't1' });
  expect(followed.phase).toBe('failed');
});

describe('how a task ends', () => {
  it('is done with its results', () => {
    const state = reduce(running('a'), {
      do: 'task',
      task: task({ status: STATUS.SUCCESS, inputs: [input('a')] }),
    });
    expect(state).toMatchObject({ phase: 'done', results: [{ taskId: 't1' }] });
  });

  it('ignores the news of another task', () => {
    const other = task({ taskId: 't0', status: STATUS.SUCCESS });
    expect(reduce(running('a'), { do: 'task', task: other }).phase).toBe('running');
  });

  it('asks for a password without a new upload', () => {
    const error = { reason: 'password_wrong', msg: '密码不正确' };
    const failed = task({ status: STATUS.FAIL, error, inputs: [input('a', 'password_wrong')] });
    const state = reduce(running('a'), { do: 'task', task: failed });
    expect(state).toMatchObject({
      phase: 'ready',
      rows: [{ key: 'k/a', locked: true, problem: error_('password_wrong') }],
    });
    const again = reduce(state, { do: 'password', id: 'a', password: 'secret' });
    expect(again).toMatchObject({ phase: 'ready', rows: [{ password: 'secret', problem: null }] });
  });

  it('tells the problem of a failed task', () => {
    const error = { reason: 'damaged_file', msg: '已损坏' };
    const state = reduce(running('a'), {
      do: 'task',
      task: task({ status: STATUS.FAIL, error, inputs: [input('a', 'damaged_file')] }),
    });
    expect(state).toMatchObject({ phase: 'failed', problem: error });
    expect(reduce(state, { do: 'edit' })).toMatchObject({ phase: 'ready', rows: [{ id: 'a' }] });
  });

  it('keeps earlier results while the locked rest is done', () => {
    const partly = task({ status: STATUS.SUCCESS, inputs: [input('a'), input('b', 'password_required')] });
    const done = reduce(running('a', 'b'), { do: 'task', task: partly });
    expect(done.phase).toBe('done');
    const rest = reduce(done, { do: 'unlock' });
    expect(rest).toMatchObject({ phase: 'ready', rows: [{ id: 'b' }], results: [{ taskId: 't1' }] });
  });
});

const error_ = (reason: string) => ({ reason, msg: reason });

it('lets a new level replace its result, which can still be deleted', () => {
  const done = reduce(running('a'), {
    do: 'task',
    task: task({ status: STATUS.SUCCESS, inputs: [input('a')] }),
  });
  const again = reduce(done, { do: 'created', taskId: 't2', replaces: 't1' });
  const both = reduce(again, { do: 'task', task: task({ taskId: 't2', status: STATUS.SUCCESS }) });
  if (both.phase !== 'done') expect.fail(both.phase);
  expect(both.results.map(({ taskId }) => taskId)).toEqual(['t1', 't2']);
  expect(standing(both.results).map(({ taskId }) => taskId)).toEqual(['t2']);
});

describe('another level of a protected file', () => {
  const opened = (password?: string) => {
    const done = reduce(running('a', 'b'), {
      do: 'task',
      task: task({ status: STATUS.SUCCESS, inputs: [input('a', undefined, true), input('b')] }),
    });
    return password ? reduce(done, { do: 'password', id: 'a', password }) : done;
  };
  const inputs = [input('a', undefined, true), input('b')];
  const forgotten: Action = { do: 'locked', task: task({ inputs }), attempt: 'again' };

  it('starts by itself with the password that is still typed here', () => {
    expect(reduce(opened('secret'), forgotten)).toMatchObject({
      phase: 'starting',
      attempt: 'again',
      replaces: 't1',
      rows: [{ key: 'k/a', password: 'secret' }, { key: 'k/b' }],
    });
  });

  it('keeps the result in view while the password is asked for, after a reload too', () => {
    const asked = reduce(opened(), forgotten);
    expect(asked).toMatchObject({ phase: 'done', results: [{ taskId: 't1' }], redo: { ids: ['a'] } });
    const typed = reduce(asked, { do: 'password', id: 'a', password: 'secret' });
    expect(reduce(typed, { do: 'start', attempt: 'typed' })).toMatchObject({
      phase: 'starting',
      attempt: 'typed',
      replaces: 't1',
    });
  });

  it('shows a password that the browser finds wrong where it was asked for', () => {
    const wrong = reduce(reduce(opened(), forgotten), { do: 'wrongPasswords', ids: ['a'] });
    expect(wrong).toMatchObject({ phase: 'done', rows: [{ problem: { reason: 'password_wrong' } }, {}] });
  });

  it('starts nothing that nobody asked for', () => {
    const done = opened('secret');
    expect(reduce(done, start)).toBe(done);
  });
});

describe('refusals of the API', () => {
  const problem = { code: 400, reason: 'option_invalid', msg: 'bad', field: 'dpi' };

  it('shows a wrong option at its field until it is changed', () => {
    const starting = play(choose('a'), store('a'), start);
    const state = reduce(starting, { do: 'refused', problem });
    expect(state).toMatchObject({ phase: 'ready', complaint: { field: 'dpi' } });
    expect(reduce(state, { do: 'options', options: {} })).toMatchObject({ complaint: undefined });
  });

  it('asks for a new upload when the store no longer has the file', () => {
    const starting = play(choose('a'), store('a'), start);
    const gone = reduce(starting, { do: 'refused', problem: { code: 404, reason: 'file_unknown', msg: '' } });
    expect(reduce(gone, { do: 'edit' })).toMatchObject({
      phase: 'uploading',
      rows: [{ key: null, upload: { at: 'failed', error: 2 } }],
    });
  });

  it('comes back from an outage to where it was', () => {
    const before = running('a');
    const away = reduce(before, { do: 'unreachable' });
    expect(away.phase).toBe('unreachable');
    expect(reduce(reduce(away, { do: 'unreachable' }), { do: 'reachable' })).toBe(before);
  });
});

describe('the six states of the upload area', () => {
  const failed = row('f', { upload: { at: 'failed', error: 2 } });
  const stored = row('s', { upload: { at: 'stored' } });
  const sending = row('u', { upload: { at: 'sending', sent: 50 } });

  it.each([
    ['Default', [], false],
    ['Dragging', [stored], true],
    ['Uploading', [failed, sending], false],
    ['PartiallyFailed', [failed, stored], false],
    ['AllFailed', [failed], false],
    ['Success', [stored], false],
  ] as const)('%s', (expected, rows, dragging) => {
    expect(areaState([...rows], dragging)).toBe(expected);
  });

  it('counts progress in bytes', () => {
    expect(uploadProgress([stored, sending])).toBe(0.75);
    expect(uploadProgress([])).toBe(0);
  });
});

it('tells a batch with one bad file from a good one', () => {
  expect(outcome(task({ inputs: [input('a'), input('b', 'damaged_file')] }))).toBe('PartiallyFailed');
  expect(outcome(task({ inputs: [input('a')] }))).toBe('Success');
  expect(outcome(task({ inputs: [input('a', 'x')] }))).toBe('AllFailed');
});

describe('a start that the rights refused', () => {
  const problem = { code: 403, reason: 'no_tries_left', msg: '', restriction: 2 as const };
  const ready = () =>
    play(choose('a', 'b'), store('a'), store('b'), { do: 'options', options: { level: 'x' } });
  const refused = () => [start, { do: 'refused', problem } as Action].reduce(reduce, ready());
  const allow: Action = { do: 'allowed', attempt: 'once' };

  it('goes ahead with the same files, options and key once they allow it', () => {
    expect(refused()).toMatchObject({ phase: 'failed', again: { attempt: 'once' } });
    const again = reduce(refused(), allow);
    expect(again).toEqual(reduce(ready(), start));
    const working = reduce(again, { do: 'created', taskId: 't1' });
    expect(reduce(working, allow)).toBe(working);
  });

  it('is given up when the dialog changes nothing', () => {
    const over = reduce(refused(), { do: 'declined', attempt: 'once' });
    expect(over).toMatchObject({ phase: 'failed', again: undefined });
    expect(reduce(over, allow)).toBe(over);
  });

  it('is given up when the visitor goes back to the options', () => {
    const back = reduce(refused(), { do: 'edit' });
    expect(back.phase).toBe('ready');
    expect(reduce(back, allow)).toBe(back);
  });

  it('does a result again in its place', () => {
    const again = { attempt: 'twice', replaces: 't1' };
    const done = reduce(running('a'), {
      do: 'task',
      task: task({ status: STATUS.SUCCESS, inputs: [input('a')] }),
    });
    const state = [
      { do: 'refused', problem, again } as Action,
      { do: 'allowed', attempt: 'twice' } as Action,
    ].reduce(reduce, done);
    expect(state).toMatchObject({ phase: 'starting', ...again });
  });

  it('may be allowed after a reload', () => {
    expect(play({ do: 'restored', state: refused() })).toMatchObject({
      again: { attempt: 'once', late: true },
    });
  });

  it('is not kept for trouble of another kind', () => {
    const other = reduce(reduce(ready(), start), {
      do: 'refused',
      problem: { ...problem, restriction: undefined } as never,
    });
    expect(reduce(other, allow)).toBe(other);
  });
});
