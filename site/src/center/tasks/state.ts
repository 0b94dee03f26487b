import { hasEnded, onward, STATUS, type Task } from '../../api/types';

export type StatusFilter = 'all' | 'running' | 'done' | 'failed';

/** What the list shows: `tool` null means every tool; `order` is the specification's ASC 1, DES 2. */
export type Query = { tool: number | null; status: StatusFilter; order: 1 | 2; page: number };

export const PAGE_SIZE = 20;
export const EVERYTHING: Query = { tool: null, status: 'all', order: 2, page: 1 };

/** The statuses behind each filter, as getUserTasks takes them. */
export const STATUSES: Record<StatusFilter, string | undefined> = {
  all: undefined,
  running: [STATUS.CREATE, STATUS.BE_QUEUING, STATUS.PROCESSING].join(),
  done: String(STATUS.SUCCESS),
  failed: [STATUS.FAIL, STATUS.TIMEOUT_FAIL, STATUS.ABNORMAL].join(),
};

export type Standing = 'loading' | 'listed' | 'signedOut' | 'unreachable';

export type State = {
  standing: Standing;
  query: Query;
  /** Raised to ask for the list again. */
  turn: number;
  items: Task[];
  total: number;
  /** The list on the screen is not (yet) what `query` asks for. */
  busy: boolean;
  /** The API did not answer lately; what is shown may be old. */
  stale: boolean;
  /** The task that was just made here. */
  fresh: string | null;
};

export type Action =
  | { do: 'signedIn' }
  | { do: 'signedOut' }
  | { do: 'asked'; change: Partial<Query> }
  | { do: 'refresh' }
  | { do: 'listed'; query: Query; items: Task[]; total: number }
  | { do: 'unreachable' }
  | { do: 'task'; task: Task }
  | { do: 'deleted'; taskId: string }
  | { do: 'made'; taskId: string }
  | { do: 'passed'; now: number };

export const startAt = (query: Query): State => ({
  standing: 'loading',
  query,
  turn: 0,
  items: [],
  total: 0,
  busy: true,
  stale: false,
  fresh: null,
});

export const isQueued = ({ status }: Task) => status === STATUS.CREATE || status === STATUS.BE_QUEUING;
export const isUnended = (task: Task) => !hasEnded(task);
export const pagesOf = (total: number) => Math.max(1, Math.ceil(total / PAGE_SIZE));
export const isFiltered = ({ tool, status }: Query) => tool !== null || status !== 'all';

/** One document and one result at most fit a single line; everything else is a list of files. */
export const layoutOf = (task: Task): 'single' | 'multi' =>
  task.inputs.length === 1 && task.outputs.filter(({ kind }) => kind !== 'json').length <= 1
    ? 'single'
    : 'multi';

const again = (state: State, change: Partial<State> = {}): State => ({
  ...state,
  ...change,
  busy: true,
  turn: state.turn + 1,
});

/** Another filter begins at its first page. */
function ask(state: State, change: Partial<Query>): State {
  return again(state, { query: { ...state.query, page: 1, ...change }, fresh: null });
}

function list(state: State, { query, items: found, total }: Extract<Action, { do: 'listed' }>): State {
  if (query !== state.query || state.standing === 'signedOut') return state;
  const last = pagesOf(total);
  const known = new Map(state.items.map((task) => [task.taskId, task]));
  const items = found.map((task) => newer(known.get(task.taskId) ?? task, task));
  const listed: State = { ...state, standing: 'listed', items, total, busy: false, stale: false };
  // Tasks went meanwhile, and this page with them.
  return query.page > last ? again(listed, { query: { ...query, page: last } }) : listed;
}

function without(state: State, gone: (task: Task) => boolean): State {
  const items = state.items.filter((task) => !gone(task));
  const fewer = state.items.length - items.length;
  if (fewer === 0) return state;
  const total = state.total - fewer;
  const page = Math.min(state.query.page, pagesOf(total));
  const rest = { ...state, items, total };
  // The next page's tasks move up into the room.
  return items.length < total ? again(rest, { query: { ...state.query, page } }) : rest;
}

/** A new task stands first in the list of everything. */
function made(state: State, taskId: string): State {
  return again(state, { query: { ...EVERYTHING, order: 2 }, fresh: taskId });
}

const isGone = (now: number) => (task: Task) => Boolean(task.expiresAt) && task.expiresAt! <= now;

export function reduce(state: State, action: Action): State {
  switch (action.do) {
    case 'signedIn':
      return again(state, { standing: 'loading' });
    case 'signedOut':
      return { ...state, standing: 'signedOut', items: [], total: 0, busy: false, stale: false };
    case 'asked':
      return ask(state, action.change);
    case 'refresh':
      return { ...state, turn: state.turn + 1 };
    case 'listed':
      return list(state, action);
    case 'unreachable':
      if (state.standing === 'signedOut') return state;
      return state.standing === 'listed'
        ? { ...state, busy: false, stale: true }
        : { ...state, standing: 'unreachable', busy: false };
    case 'task':
      return { ...state, items: state.items.map((each) => newer(each, action.task)) };
    case 'deleted':
      return without(state, ({ taskId }) => taskId === action.taskId);
    case 'made':
      return made(state, action.taskId);
    case 'passed':
      return without(state, isGone(action.now));
  }
}

/** An event that was overtaken by a later answer does not bring an ended task back to life. */
function newer(shown: Task, told: Task): Task {
  return shown.taskId !== told.taskId || (hasEnded(shown) && !hasEnded(told)) ? shown : onward(shown, told);
}

const FILTERS: StatusFilter[] = ['all', 'running', 'done', 'failed'];

/** The query as the address holds it, so that a reload and a link show the same list. */
export function queryFrom(search: string): Query {
  const given = new URLSearchParams(search);
  const status = given.get('status') as StatusFilter;
  const number = (name: string) => (/^\d{1,5}$/.test(given.get(name) ?? '') ? Number(given.get(name)) : null);
  return {
    tool: number('tool'),
    status: FILTERS.includes(status) ? status : 'all',
    order: given.get('order') === '1' ? 1 : 2,
    page: number('page') || 1,
  };
}

export function searchOf({ tool, status, order, page }: Query): string {
  const given = new URLSearchParams();
  if (tool !== null) given.set('tool', String(tool));
  if (status !== 'all') given.set('status', status);
  if (order === 1) given.set('order', '1');
  if (page > 1) given.set('page', String(page));
  return given.size > 0 ? `?${given}` : '';
}
