import { useCallback, useEffect, useMemo, useReducer, useRef, useState } from 'react';
import { Client } from '../api/client';
import { type EditorName, factsOf, type ReviewName } from '../editors/facts';
import type { Accepted } from '../lib/contract';
import type { Lang } from '../lib/lang';
import { type StoredFile, takeHandoff } from '../lib/handoff';
import { choose, limitsOf, storedRow } from './choose';
import { Desk } from './desk';
import {
  useDefaults,
  useFollowing,
  useInspection,
  useLooks,
  useMemory,
  useReturn,
  withoutPlaces,
} from './effects';
import { recall } from './memory';
import { type Action, EMPTY, hasWork, reduce, type Result, type Row, rowsOf } from './state';
import { useDeeds } from './useDeeds';
import { useSecondTry } from './useSecondTry';
import { useStart } from './useStart';
import { useTool } from './useTool';

export type WorkbenchProps = {
  lang: Lang;
  /** Origin before links to other pages on a sub-site, else empty. */
  main: string;
  /** Address of the page's `_payload.json`. */
  payload: string;
  tool: {
    id: number;
    key: string;
    title: string;
    route: string;
    takes: 'each' | 'all';
    multiple: boolean;
    least: number;
    accepts: Accepted[];
    editor: EditorName | null;
    review: ReviewName | null;
  };
  accept: string;
  early?: Early;
};

/** Files that were dropped, pasted or chosen before the workbench listened itself; they are caught until `release`. */
export type Early = { files: File[]; release(): void };

const NO_ROWS: Row[] = [];
const NO_RESULTS: Result[] = [];

const FETCH_TO = 100 << 20;

async function fetchResult(client: Client, { name, size, from }: StoredFile): Promise<File> {
  if (!from || size > FETCH_TO) throw new Error('too big to show');
  const { url } = await client.download(from.taskId, from.index);
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`result: ${answer.status}`);
  return new File([await answer.blob()], name);
}

/** State and deeds of the workbench; the panels only draw it. */
export function useWorkbench(props: WorkbenchProps) {
  const { tool, lang } = props;
  const [state, dispatch] = useReducer(reduce, EMPTY);
  const client = useMemo(() => new Client(lang), [lang]);
  const desk = useMemo(() => new Desk(client, dispatch), [client]);
  const fail = useCallback(() => dispatch({ do: 'unreachable' }), []);
  const { payload, rights, prepare, refreshRights } = useTool(props.payload, tool.id, client, fail);
  const rows = hasWork(state) ? state.rows : NO_ROWS;
  const schema = payload?.tool.options;

  const { add, bring } = useAdding({ tool, rows, client, desk, dispatch, prepare });
  const restored = useArrival(props, { add, bring, desk, dispatch, prepare });
  useDefaults(state, schema, dispatch);
  useInspection(rows, dispatch);
  useLooks(tool.key, state, dispatch);
  useMemory(restored, tool.route, state, desk, schema);
  useFollowing(state, dispatch, client);
  useReturn(state.phase === 'unreachable', dispatch, refreshRights);
  useStart(state, payload, tool.id, client, dispatch);
  useSecondTry(state, tool.takes, refreshRights, dispatch);

  const remove = useCallback(
    (...ids: string[]) => {
      const places = ids.map((id) => rowsOf(state).findIndex((row) => row.id === id));
      for (const id of ids) desk.cancel(id);
      const options = hasWork(state) ? state.options : null;
      dispatch({ do: 'removed', ids, options: withoutPlaces(schema, options, places) });
    },
    [state, desk, schema],
  );

  const results = hasWork(state) ? state.results : NO_RESULTS;
  const deeds = useDeeds({ client, desk, dispatch, lang, rows, results });
  return { state, rows, dispatch, client, desk, payload, rights, prepare, add, remove, props, ...deeds };
}

export type Bench = ReturnType<typeof useWorkbench>;

type Adding = Pick<WorkbenchProps, 'tool'> & {
  rows: Row[];
  client: Client;
  desk: Desk;
  dispatch: (action: Action) => void;
  prepare: ReturnType<typeof useTool>['prepare'];
};

/** The two ways in: files from the visitor's device, and results brought along from another tool. */
function useAdding({ tool, rows, client, desk, dispatch, prepare }: Adding) {
  const present = useRef(0);
  present.current = rows.length;
  const add = useCallback(
    async (files: File[]) => {
      if (files.length === 0) return;
      const known = await prepare().catch(() => null);
      if (!known) return;
      const limits = limitsOf(known.rights, known.payload.rights);
      const room = tool.takes === 'all' ? Number.POSITIVE_INFINITY : limits.documents - present.current;
      const choice = await choose(tool.multiple ? files : files.slice(0, 1), tool.accepts, limits, room);
      dispatch({ do: 'chosen', ...choice });
      await desk.send(choice.rows);
    },
    [prepare, tool, desk, dispatch],
  );

  const bring = useCallback(
    (stored: StoredFile[]) => {
      void prepare().catch(() => undefined);
      const brought = stored.map(storedRow);
      dispatch({ do: 'chosen', rows: brought, refusals: [] });
      if (!factsOf(tool.editor).drawsPages) return;
      brought.forEach((row, index) => {
        void fetchResult(client, stored[index]!).then(
          (blob) => dispatch({ do: 'fetched', id: row.id, blob }),
          () => undefined,
        );
      });
    },
    [prepare, client, tool, dispatch],
  );

  return { add, bring };
}

type Arrival = {
  add(files: File[]): Promise<void>;
  bring(stored: StoredFile[]): void;
  desk: Desk;
  dispatch: Bench['dispatch'];
  prepare: ReturnType<typeof useTool>['prepare'];
};

/** Takes what came before: files dropped early, files handed on, or the work of before a reload. */
function useArrival(props: WorkbenchProps, { add, bring, desk, dispatch, prepare }: Arrival): boolean {
  const [done, setDone] = useState(false);
  const begun = useRef(false);
  useEffect(() => {
    if (begun.current) return;
    begun.current = true;
    props.early?.release();
    const arrive = async () => {
      const handoff = await takeHandoff(props.tool.route).catch(() => null);
      if (handoff?.stored) return bring(handoff.stored);
      const files = [...(handoff?.files ?? []), ...(props.early?.files ?? [])];
      if (files.length > 0) return void add(files);
      const saved = await recall(props.tool.route).catch(() => null);
      if (!saved) return;
      void prepare().catch(() => undefined);
      dispatch({ do: 'restored', state: saved.state });
      void desk.goOn(rowsOf(saved.state), new Map(saved.uploads));
    };
    void arrive().finally(() => {
      setDone(true);
      // What theme.js hid for the work that is back now.
      delete document.documentElement.dataset.working;
    });
  }, [props, add, bring, desk, dispatch, prepare]);
  return done;
}
