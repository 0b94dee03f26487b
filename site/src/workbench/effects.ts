import { type RefObject, useEffect, useRef } from 'react';
import type { Client } from '../api/client';
import { isOutage, problemOf } from '../api/problem';
import { hasEnded, type Task } from '../api/types';
import type { FieldSchema, Json } from './contract';
import type { Desk } from './desk';
import { remember } from './memory';
import { noteEnd } from './shown';
import { type Action, type Again, hasWork, type Row, rowsOf, type State } from './state';
import { loadFields, loadLooks, loadOutcome, loadPreview } from './later';

type Dispatch = (action: Action) => void;

/** An outage shows the upgrade screen; any other trouble is told in words. */
export function tellProblem(
  error: unknown,
  dispatch: Dispatch,
  about: { again?: Again; following?: string } = {},
): void {
  const problem = problemOf(error);
  dispatch(isOutage(problem) ? { do: 'unreachable' } : { do: 'refused', problem, ...about });
}

export function useFollowing(state: State, dispatch: Dispatch, client: Client): void {
  const taskId = state.phase === 'running' ? state.taskId : null;
  useEffect(() => {
    if (!taskId) return;
    const stop = new AbortController();
    const tell = (task: Task) => {
      if (hasEnded(task)) noteEnd(task.taskId);
      dispatch({ do: 'task', task });
    };
    client.follow(taskId, tell, stop.signal).catch((error) => {
      // The news that a cancelled task is gone may come before this is told to stop.
      if (!stop.signal.aborted) tellProblem(error, dispatch, { following: taskId });
    });
    return () => stop.abort();
  }, [taskId, dispatch, client]);
}

const ASK_AGAIN = 5000;

/** While the upgrade screen stands, the page looks whether the API is back. */
export function useReturn(away: boolean, dispatch: Dispatch, ask: () => Promise<unknown>): void {
  useEffect(() => {
    if (!away) return;
    const look = () =>
      ask().then(
        () => dispatch({ do: 'reachable' }),
        () => undefined,
      );
    const timer = setInterval(look, ASK_AGAIN);
    return () => clearInterval(timer);
  }, [away, dispatch, ask]);
}

/** Looks into PDFs for the page count, a picture of the first page and a password. */
export function useInspection(rows: Row[], dispatch: Dispatch): void {
  const seen = useRef(new Map<string, string | undefined>());
  useEffect(() => {
    for (const row of rows) {
      if (!row.blob || (seen.current.has(row.id) && seen.current.get(row.id) === row.password)) continue;
      seen.current.set(row.id, row.password);
      const { id, password } = row;
      void inspect(row, row.blob).then(
        (found) => dispatch({ do: 'inspected', id, password, ...found }),
        () => undefined,
      );
    }
  }, [rows, dispatch]);
}

const PICTURES = ['jpg', 'png', 'webp', 'gif', 'bmp'];

async function inspect(row: Row, blob: File) {
  if (PICTURES.includes(row.kind)) {
    return { pages: null, thumbnail: row.thumbnail ?? URL.createObjectURL(blob), locked: false };
  }
  if (row.kind !== 'pdf') return { pages: null, locked: row.locked };
  const { previewOf, protectionOf } = await loadPreview();
  const [preview, protection] = await Promise.all([
    previewOf(blob, row.password),
    protectionOf(blob, row.password),
  ]);
  const locked = preview.problem === 'password_required' || preview.problem === 'password_wrong';
  return { pages: preview.pages, thumbnail: preview.thumbnail ?? undefined, locked, protection };
}

/** Looks through whole documents for what the chosen options must know of them before a start. */
export function useLooks(tool: string, state: State, dispatch: Dispatch): void {
  const begun = useRef(new Set<string>());
  const { rows, options } = hasWork(state) ? state : { rows: [], options: null };
  useEffect(() => {
    if (options === null) return;
    const begin = async () => {
      const look = (await loadOutcome()).lookOf(tool, options);
      for (const { id, blob, kind, password, locked } of look ? rows : []) {
        const mark = `${look} ${id} ${password ?? ''}`;
        if (!look || !blob || kind !== 'pdf' || (locked && !password) || begun.current.has(mark)) continue;
        begun.current.add(mark);
        const { looked } = await loadLooks();
        void looked(look, blob, password).then((found) => dispatch({ do: 'looked', id, ...found }));
      }
    };
    begin().catch(() => undefined);
  }, [tool, rows, options, dispatch]);
}

/** Rows whose password the browser itself finds wrong, by id; of what it cannot open it says nothing. */
export async function wrongPasswords(rows: Row[]): Promise<string[]> {
  const asked = rows.filter(
    ({ locked, password, blob, kind }) => locked && password && blob && kind === 'pdf',
  );
  const judged = await Promise.all(asked.map((row) => isWrong(row).catch(() => false)));
  return asked.filter((_, index) => judged[index]).map(({ id }) => id);
}

async function isWrong({ blob, password }: Row): Promise<boolean> {
  const { passwordFits } = await loadPreview();
  return !(await passwordFits(blob!, password!));
}

/** Session memory, so that a reload goes on where it was. */
export function useMemory(
  ready: boolean,
  route: string,
  state: State,
  desk: Desk,
  schema: FieldSchema | undefined,
): void {
  useEffect(() => {
    if (!ready) return;
    remember(route, state, desk.saved(rowsOf(state)), schema);
  }, [ready, route, state, desk, schema]);
}

/** Options begin with the defaults of the form, once it has come. */
export function useDefaults(state: State, schema: FieldSchema | undefined, dispatch: Dispatch): void {
  const missing = hasWork(state) && state.options === null;
  useEffect(() => {
    if (!missing || !schema) return;
    loadFields().then(
      ({ defaultsOf }) => dispatch({ do: 'options', options: defaultsOf(schema) }),
      () => undefined,
    );
  }, [missing, schema, dispatch]);
}

/** Per-file options are aligned with the files: without the files, their places go too. */
export function withoutPlaces(schema: FieldSchema | undefined, options: Json, gone: number[]): Json {
  if (!schema?.properties || !options || typeof options !== 'object' || Array.isArray(options))
    return options;
  const entries = Object.entries(options).map(([name, value]) => {
    const perFile = schema.properties?.[name]?.ui?.widget === 'per_file';
    return [
      name,
      perFile && Array.isArray(value) ? value.filter((_, place) => !gone.includes(place)) : value,
    ];
  });
  return Object.fromEntries(entries) as Json;
}

/** Height that the sticky header covers. */
const HEADER = 72;

/** A new phase begins in view: a phone may have scrolled past the top of a long form. */
export function useInView(phase: string, root: RefObject<HTMLElement | null>): void {
  const before = useRef(phase);
  useEffect(() => {
    if (before.current === phase) return;
    before.current = phase;
    const top = root.current?.getBoundingClientRect().top ?? 0;
    if (top < HEADER) root.current?.scrollIntoView({ block: 'start' });
  }, [phase, root]);
}
