import { describe, expect, it } from 'vitest';
import { STATUS, type Task } from '../../api/types';
import {
  type Action,
  EVERYTHING,
  layoutOf,
  type Query,
  queryFrom,
  reduce,
  searchOf,
  type State,
  startAt,
} from './state';

const task = (taskId: string, more: Partial<Task> = {}): Task => ({
  taskId,
  toolId: 1,
  toolName: '压缩 PDF',
  fileName: `${taskId}.pdf`,
  options: {},
  status: STATUS.PROCESSING,
  progress: 0.2,
  stage: 'working',
  queuePosition: 0,
  error: null,
  inputs: [{ name: `${taskId}.pdf`, size: 1000, key: `uploads/${taskId}`, locked: false, error: null }],
  outputs: [],
  receipt: [],
  createdAt: 1,
  startedAt: 1,
  finishedAt: null,
  expiresAt: null,
  metrics: {},
  ...more,
});

const run = (state: State, ...actions: Action[]) => actions.reduce(reduce, state);

/** A list as it stands after its first answer. */
function shown(items: Task[], total = items.length, query: Query = EVERYTHING): State {
  return run(startAt(query), { do: 'signedIn' }, { do: 'listed', query, items, total });
}

describe('the list', () => {
  it('is asked for at sign-in and shown when it comes', () => {
    const asked = run(startAt(EVERYTHING), { do: 'signedIn' });
    expect([asked.standing, asked.turn, asked.busy]).toEqual(['loading', 1, true]);
    const state = shown([task('a')]);
    expect([state.standing, state.items.length, state.busy]).toEqual(['listed', 1, false]);
  });

  it('drops an answer to an earlier question', () => {
    const before = shown([task('a')]);
    const asked = run(before, { do: 'asked', change: { status: 'failed' } });
    const late = run(asked, { do: 'listed', query: before.query, items: [], total: 0 });
    expect(late.items.map(({ taskId }) => taskId)).toEqual(['a']);
    expect(late.busy).toBe(true);
  });

  it('begins another filter at its first page and keeps it when turning pages', () => {
    const third = shown([task('a')], 60, { ...EVERYTHING, page: 3 });
    expect(run(third, { do: 'asked', change: { tool: 2 } }).query).toEqual({ ...EVERYTHING, tool: 2 });
    expect(run(third, { do: 'asked', change: { page: 2 } }).query.page).toBe(2);
  });

  it('goes back to the last page there is', () => {
    const state = shown([], 20, { ...EVERYTHING, page: 3 });
    expect([state.query.page, state.busy, state.turn]).toEqual([1, true, 2]);
  });

  it('forgets everything at sign-out, and a late answer does not bring it back', () => {
    const out = run(shown([task('a')]), { do: 'signedOut' });
    const late = run(out, { do: 'listed', query: out.query, items: [task('a')], total: 1 });
    expect([late.standing, late.items]).toEqual(['signedOut', []]);
  });
});

describe('an outage', () => {
  it('keeps what is shown and says that it may be old', () => {
    const state = run(shown([task('a')]), { do: 'unreachable' });
    expect([state.standing, state.stale, state.items.length]).toEqual(['listed', true, 1]);
    expect(run(state, { do: 'listed', query: state.query, items: [], total: 0 }).stale).toBe(false);
  });

  it('is the upgrade screen where there is nothing to show', () => {
    expect(run(startAt(EVERYTHING), { do: 'unreachable' }).standing).toBe('unreachable');
  });
});

describe('a task', () => {
  it('changes in its place', () => {
    const state = run(shown([task('a'), task('b')]), {
      do: 'task',
      task: task('b', { status: STATUS.SUCCESS, progress: 1 }),
    });
    expect(state.items.map(({ status }) => status)).toEqual([STATUS.PROCESSING, STATUS.SUCCESS]);
  });

  it('that has ended is not brought back to life by a late event or answer', () => {
    const ended = shown([task('a', { status: STATUS.SUCCESS })]);
    expect(run(ended, { do: 'task', task: task('a') }).items[0]?.status).toBe(STATUS.SUCCESS);
    const listed = run(ended, { do: 'listed', query: ended.query, items: [task('a')], total: 1 });
    expect(listed.items[0]?.status).toBe(STATUS.SUCCESS);
  });

  it('goes when it is deleted, and the next page moves up', () => {
    const whole = run(shown([task('a'), task('b')]), { do: 'deleted', taskId: 'a' });
    expect([whole.items.length, whole.total, whole.turn]).toEqual([1, 1, 1]);
    const paged = run(shown([task('a'), task('b')], 22), { do: 'deleted', taskId: 'a' });
    expect([paged.total, paged.turn, paged.busy]).toEqual([21, 2, true]);
  });

  it('goes when its time has passed', () => {
    const state = shown([task('a', { expiresAt: 1000 }), task('b', { expiresAt: 2000 }), task('c')]);
    const later = run(state, { do: 'passed', now: 1500 });
    expect(later.items.map(({ taskId }) => taskId)).toEqual(['b', 'c']);
    expect(run(later, { do: 'passed', now: 1600 })).toBe(later);
  });

  it('that was just made stands first in the list of everything', () => {
    const filtered = shown([], 0, { tool: 1, status: 'done', order: 1, page: 1 });
    const state = run(filtered, { do: 'made', taskId: 'new' });
    expect([state.query, state.fresh, state.busy]).toEqual([EVERYTHING, 'new', true]);
  });

  it('with one file and one result is a single one; data for programs does not count', () => {
    const output = (kind: string) => ({ name: kind, size: 1, pages: null, kind, key: kind, input: 0 });
    expect(layoutOf(task('a', { outputs: [output('txt'), output('json')] }))).toBe('single');
    expect(layoutOf(task('a', { outputs: [output('pdf'), output('pdf')] }))).toBe('multi');
    expect(layoutOf(task('a', { inputs: [...task('a').inputs, ...task('b').inputs] }))).toBe('multi');
  });
});

describe('the address', () => {
  it('tells the query and is read back', () => {
    const query: Query = { tool: 18, status: 'running', order: 1, page: 4 };
    expect(queryFrom(searchOf(query))).toEqual(query);
    expect(searchOf(EVERYTHING)).toBe('');
  });

  it('is not believed when it makes no sense', () => {
    expect(queryFrom('?tool=x&status=everything&order=7&page=-1')).toEqual(EVERYTHING);
    expect(queryFrom('?page=0').page).toBe(1);
  });
});
