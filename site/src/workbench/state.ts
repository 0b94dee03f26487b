import type { ProblemData } from '../api/problem';
import { onward, STATUS, type Task } from '../api/types';
import type { ChosenFile, Json } from './contract';

/** Error kinds of the specification: network error 1, upload failed 2. */
export type UploadError = 1 | 2;

export type UploadTrouble = {
  error: UploadError;
  /** The visitor's network is there: it is the service that does not answer. */
  away?: boolean;
  /** What the service says about it. */
  msg?: string;
};

export type Upload =
  | { at: 'waiting' }
  | { at: 'sending'; sent: number }
  | { at: 'paused'; sent: number; away?: boolean }
  | { at: 'stored' }
  | ({ at: 'failed' } & UploadTrouble)
  /** After a reload: too big to keep in the browser, so the visitor chooses it again and it goes on. */
  | { at: 'absent' };

export type Row = ChosenFile & {
  upload: Upload;
  /** The PDF asks for a password to be opened. */
  locked: boolean;
  problem: { reason: string; msg: string } | null;
};

export type Refusal = {
  name: string;
  reason: 'not_supported_type' | 'too_large' | 'too_many_files' | 'empty_file';
  limit?: number;
};

/** `replaced`: the same files were done again with another level. */
export type Result = Task & { replaced?: true };

/** A start: its idempotency key, and the result that it does again. */
type Start = { attempt: string; replaces?: string | undefined };
/** A start that the rights refused; `late`: some time ago, so that they may allow it by now. */
export type Again = Start & { late?: true };

/** A result that is made again as soon as its files' passwords, forgotten with its task, are typed once more. */
export type Redo = { replaces: string; ids: string[] };

type Work = {
  rows: Row[];
  options: Json;
  refusals: Refusal[];
  results: Result[];
  /** An option that the API did not take, shown at its field. */
  complaint?: ProblemData | undefined;
};

export type State =
  | { phase: 'choosing'; refusals: Refusal[] }
  /** `armed`: the attempt the visitor has already asked for; it starts when the last byte is there. */
  | (Work & { phase: 'uploading'; armed: string | null })
  | (Work & { phase: 'ready' })
  /** `attempt` is the idempotency key: handing in again gives the same task. */
  | (Work & Start & { phase: 'starting' })
  | (Work & { phase: 'running'; taskId: string; task: Task | null })
  | (Work & { phase: 'done'; redo?: Redo | undefined })
  /** `again`: what starts by itself when a dialog makes the rights allow it. */
  | (Work & { phase: 'failed'; problem: ProblemData; again?: Again | undefined })
  | { phase: 'unreachable'; back: Exclude<State, { phase: 'unreachable' }> };

export type Phase = State['phase'];
export type WorkState = Extract<State, Work>;

type Inspected = Pick<Row, 'id' | 'pages' | 'thumbnail' | 'locked' | 'protection'>;
export type Action =
  | { do: 'chosen'; rows: Row[]; refusals: Refusal[] }
  | { do: 'sent'; id: string; sent: number }
  | { do: 'paused'; id: string; away?: boolean }
  | { do: 'stored'; id: string; key: string }
  | ({ do: 'uploadFailed'; id: string } & UploadTrouble)
  | { do: 'retried'; id: string; blob?: File }
  /** `password`: the one it was opened with; what was typed since is judged anew. */
  | ({ do: 'inspected'; password: string | undefined } & Inspected)
  | ({ do: 'looked'; id: string } & Pick<Row, 'lying' | 'bookmarked'>)
  | { do: 'fetched'; id: string; blob: File }
  | { do: 'removed'; ids: string[]; options: Json }
  | { do: 'password'; id: string; password: string }
  | { do: 'wrongPasswords'; ids: string[] }
  | { do: 'options'; options: Json }
  | { do: 'ordered'; ids: string[] }
  | { do: 'dismissed' }
  | { do: 'start'; attempt: string }
  | { do: 'disarm' }
  | { do: 'locked'; task: Task; attempt: string }
  | { do: 'created'; taskId: string; replaces?: string | undefined }
  | { do: 'task'; task: Task }
  /** A result was written anew with its corrections. */
  | { do: 'corrected'; task: Task; replaces: string }
  /** `following`: the task whose news it is; a task that the visitor has left says nothing more. */
  | { do: 'refused'; problem: ProblemData; again?: Again | undefined; following?: string | undefined }
  | { do: 'allowed'; attempt: string }
  | { do: 'declined'; attempt: string }
  | { do: 'unreachable' }
  | { do: 'reachable' }
  | { do: 'edit' }
  | { do: 'unlock' }
  | { do: 'reset' }
  | { do: 'reopened'; rows: Row[]; task: Task }
  | { do: 'restored'; state: State };

export const EMPTY: State = { phase: 'choosing', refusals: [] };

export const hasWork = (state: State): state is WorkState => 'rows' in state;
/** Files and options may still be changed. */
export type Editing = Extract<State, { phase: 'uploading' | 'ready' }>;
const editing = (state: State): state is Editing => state.phase === 'uploading' || state.phase === 'ready';

/** Uploads still going make the phase `uploading`; when none is left, an armed start goes ahead. */
function settle(work: Work, armed: string | null): State {
  if (work.rows.length === 0) return { phase: 'choosing', refusals: work.refusals };
  const stored = work.rows.every(({ upload }) => upload.at === 'stored');
  const { rows, options, refusals, results } = work;
  if (!stored) return { rows, options, refusals, results, phase: 'uploading', armed };
  const base = { rows, options, refusals, results };
  return armed ? { ...base, phase: 'starting', attempt: armed } : { ...base, phase: 'ready' };
}

export const sentOf = (upload: Upload) =>
  upload.at === 'sending' || upload.at === 'paused' ? upload.sent : 0;

const armedIn = (state: State) => (state.phase === 'uploading' ? state.armed : null);

function changeRow(state: State, id: string, change: (row: Row) => Row): State {
  if (!hasWork(state)) return state;
  const rows = state.rows.map((row) => (row.id === id ? change(row) : row));
  return editing(state) ? settle({ ...state, rows }, armedIn(state)) : { ...state, rows };
}

const uploadTo = (state: State, id: string, upload: Upload) =>
  changeRow(state, id, (row) => ({ ...row, upload }));

function chosen(state: State, rows: Row[], refusals: Refusal[]): State {
  if (editing(state)) return settle({ ...state, rows: [...state.rows, ...rows], refusals }, null);
  return settle({ rows, options: null, refusals, results: [] }, null);
}

function begin(state: State, attempt: string): State {
  if (state.phase === 'ready') return { ...state, phase: 'starting', attempt, refusals: [] };
  if (state.phase === 'done' && state.redo) return redone(state, state.redo, attempt);
  return state.phase === 'uploading' ? { ...state, armed: attempt, refusals: [] } : state;
}

function redone({ rows, options, results }: WorkState, { replaces }: Redo, attempt: string): State {
  return { rows, options, refusals: [], results, phase: 'starting', attempt, replaces };
}

/** What is still typed here goes along; the rest is asked for. */
function locked(state: State, { inputs, taskId }: Task, attempt: string): State {
  if (state.phase !== 'done') return state;
  const forgotten = (place: number) => inputs[place]?.locked ?? false;
  const rows = state.rows.map((row, place) => ({ ...row, locked: row.locked || forgotten(place) }));
  const asked = rows.filter((_, place) => forgotten(place));
  const redo = { replaces: taskId, ids: asked.map(({ id }) => id) };
  const known = asked.every(({ password, problem }) => password && !wantsPassword(problem));
  return known ? redone({ ...state, rows }, redo, attempt) : { ...state, rows, redo };
}

const PASSWORD = ['password_required', 'password_wrong'];
export const wantsPassword = (problem: { reason: string } | null): boolean =>
  problem !== null && PASSWORD.includes(problem.reason);

/** Rows carry the problem the task found in their file. */
function markInputs(rows: Row[], task: Task): Row[] {
  return rows.map((row, index) => {
    const error = task.inputs[index]?.error ?? null;
    return { ...row, problem: error, locked: row.locked || wantsPassword(error) };
  });
}

function ended(state: Extract<State, { phase: 'running' }>, task: Task): State {
  const { results, options, refusals } = state;
  const rows = markInputs(state.rows, task);
  const work = { rows, options, refusals };
  if (task.status === STATUS.SUCCESS) return { ...work, results: [...results, task], phase: 'done' };
  const locked = rows.some(({ problem }) => wantsPassword(problem));
  if (locked || (wantsPassword(task.error) && rows.length === 1)) {
    const asked = locked ? rows : rows.map((row) => ({ ...row, locked: true, problem: task.error }));
    return { ...work, rows: asked, results, phase: 'ready' };
  }
  const error = task.error ?? { reason: 'internal', msg: '' };
  return { ...work, results, phase: 'failed', problem: { code: 200, ...error } };
}

function changed(state: State, task: Task): State {
  if (state.phase !== 'running' || state.taskId !== task.taskId) return state;
  const over =
    task.status !== STATUS.CREATE && task.status !== STATUS.PROCESSING && task.status !== STATUS.BE_QUEUING;
  return over ? ended(state, task) : { ...state, task: onward(state.task, task) };
}

/** A task of this tool that another tab, or the page before, had begun. */
function reopen(rows: Row[], task: Task): State {
  const { taskId } = task;
  const work = { rows, options: null, refusals: [], results: [] };
  return changed({ ...work, phase: 'running', taskId, task: null }, task);
}

/** Back to the options, on the files already stored. */
function edit(state: State, keep: (row: Row) => boolean, results: Result[]): State {
  if (!hasWork(state)) return state;
  const rows = state.rows.filter(keep);
  return settle({ rows, options: state.options, refusals: [], results }, null);
}

const outdated = (results: Result[], taskId: string | undefined): Result[] =>
  results.map((result) => (result.taskId === taskId ? { ...result, replaced: true as const } : result));

function create(state: State, taskId: string, replaces?: string): State {
  if (!hasWork(state)) return state;
  const { rows, options, refusals } = state;
  const results = outdated(state.results, replaces);
  return { rows, options, refusals, results, phase: 'running', taskId, task: null };
}

const hasLeft = (state: State, taskId: string | undefined) =>
  taskId !== undefined && (state.phase !== 'running' || state.taskId !== taskId);

const againOf = (state: State): Again | undefined =>
  state.phase === 'starting' ? { attempt: state.attempt, replaces: state.replaces } : undefined;

function refuse(state: State, problem: ProblemData, again = againOf(state)): State {
  if (!hasWork(state)) return state;
  const { rows, options, refusals, results } = state;
  const work = { rows, options, refusals, results };
  if (problem.field) return { ...work, phase: 'ready', complaint: problem };
  if (problem.restriction) return { ...work, phase: 'failed', problem, again };
  if (problem.reason !== 'file_unknown') return { ...work, phase: 'failed', problem };
  // The store no longer has the bytes, so an upload must come first.
  const lost = rows.map((row) => ({ ...row, key: null, upload: { at: 'failed', error: 2 } as Upload }));
  return { ...work, rows: lost, phase: 'failed', problem };
}

function corrected(state: State, task: Task, replaces: string): State {
  if (state.phase !== 'done') return state;
  return { ...state, results: [...outdated(state.results, replaces), task] };
}

/** The refused start goes ahead or is given up, unless the visitor has left it already. */
function decide(state: State, attempt: string, allowed: boolean): State {
  if (state.phase !== 'failed' || state.again?.attempt !== attempt) return state;
  if (!allowed) return { ...state, again: undefined };
  const { rows, options, refusals, results, again } = state;
  return { rows, options, refusals, results, phase: 'starting', attempt, replaces: again.replaces };
}

/** After a reload, which a wallet's app causes on a phone, a refused start may be allowed. */
const restored = (state: State): State =>
  state.phase === 'failed' && state.again ? { ...state, again: { ...state.again, late: true } } : state;

export function reduce(state: State, action: Action): State {
  switch (action.do) {
    case 'chosen':
      return chosen(state, action.rows, action.refusals);
    case 'sent':
      return uploadTo(state, action.id, { at: 'sending', sent: action.sent });
    case 'paused':
      return changeRow(state, action.id, (row) => ({
        ...row,
        upload: { at: 'paused', sent: sentOf(row.upload), ...(action.away && { away: true }) },
      }));
    case 'stored':
      return changeRow(state, action.id, (row) => ({ ...row, key: action.key, upload: { at: 'stored' } }));
    case 'uploadFailed': {
      const { do: _, id, ...trouble } = action;
      return disarm(uploadTo(state, id, { at: 'failed', ...trouble }));
    }
    case 'retried':
      return changeRow(state, action.id, (row) => ({
        ...row,
        blob: action.blob ?? row.blob,
        upload: { at: 'waiting' },
      }));
    case 'inspected':
      return changeRow(state, action.id, (row) =>
        row.password === action.password
          ? {
              ...row,
              pages: action.pages ?? row.pages,
              thumbnail: action.thumbnail ?? row.thumbnail,
              locked: action.locked,
              ...(action.protection && { protection: action.protection }),
            }
          : row,
      );
    case 'fetched':
    case 'looked': {
      const { do: _, id, ...found } = action;
      return changeRow(state, id, (row) => ({ ...row, ...found }));
    }
    case 'password':
      return changeRow(state, action.id, (row) => ({ ...row, password: action.password, problem: null }));
    default:
      return reduceWhole(state, action);
  }
}

type RowAction =
  | 'chosen'
  | 'sent'
  | 'paused'
  | 'stored'
  | 'uploadFailed'
  | 'retried'
  | 'fetched'
  | 'inspected'
  | 'looked'
  | 'password';

function reduceWhole(state: State, action: Exclude<Action, { do: RowAction }>): State {
  switch (action.do) {
    case 'removed':
      return remove(state, action.ids, action.options);
    case 'wrongPasswords':
      return action.ids.reduce(
        (now, id) =>
          changeRow(now, id, (row) => ({ ...row, problem: { reason: 'password_wrong', msg: '' } })),
        state,
      );
    case 'options':
      return hasWork(state) ? { ...state, options: action.options, complaint: undefined } : state;
    case 'ordered':
      return order(state, action.ids);
    case 'dismissed':
      return 'refusals' in state ? { ...state, refusals: [] } : state;
    case 'start':
      return begin(state, action.attempt);
    case 'disarm':
      return disarm(state);
    case 'locked':
      return locked(state, action.task, action.attempt);
    case 'created':
      return create(state, action.taskId, action.replaces);
    case 'task':
      return changed(state, action.task);
    case 'corrected':
      return corrected(state, action.task, action.replaces);
    case 'refused':
      return hasLeft(state, action.following) ? state : refuse(state, action.problem, action.again);
    case 'allowed':
    case 'declined':
      return decide(state, action.attempt, action.do === 'allowed');
    case 'unreachable':
      return state.phase === 'unreachable' ? state : { phase: 'unreachable', back: state };
    case 'reachable':
      return state.phase === 'unreachable' ? state.back : state;
    case 'edit':
      return edit(state, () => true, []);
    case 'unlock':
      return edit(state, ({ problem }) => wantsPassword(problem), hasWork(state) ? state.results : []);
    case 'reset':
      return EMPTY;
    case 'reopened':
      return reopen(action.rows, action.task);
    case 'restored':
      return restored(action.state);
  }
}

function remove(state: State, ids: string[], options: Json): State {
  if (!editing(state)) return state;
  return settle(
    { ...state, options, rows: state.rows.filter(({ id }) => !ids.includes(id)) },
    armedIn(state),
  );
}

function order(state: State, ids: string[]): State {
  if (!editing(state)) return state;
  const rows = state.rows.toSorted((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id));
  return { ...state, rows };
}

function disarm(state: State): State {
  return state.phase === 'uploading' ? { ...state, armed: null } : state;
}

/** The results that stand: one that was done again with another level makes room for the newer. */
export const standing = (results: Result[]): Result[] => results.filter(({ replaced }) => !replaced);

/** How a batch came out: some inputs may have failed while others gave results. */
export function outcome(task: Task): 'Success' | 'PartiallyFailed' | 'AllFailed' {
  const failed = task.inputs.filter(({ error }) => error).length;
  if (failed === 0) return 'Success';
  return failed === task.inputs.length ? 'AllFailed' : 'PartiallyFailed';
}

export const rowsOf = (state: State): Row[] => (hasWork(state) ? state.rows : []);
