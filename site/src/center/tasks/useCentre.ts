import { useCallback, useEffect, useMemo, useReducer, useState } from 'react';
import { reloadAccount } from '../../account';
import { Client, problemOf } from '../../api/client';
import type { Task } from '../../api/types';
import type { Lang } from '../../lib/lang';
import type { CentrePayload } from '../../lib/payload';
import { useGate } from '../useGate';
import { useNow, useReturning } from '../useNow';
import { words } from '../words';
import { EVERYTHING, PAGE_SIZE, queryFrom, reduce, searchOf, type State, startAt, STATUSES } from './state';
import { useDeeds } from './useDeeds';
import { useLive } from './useLive';

const LOOK_AGAIN = 5000;
const TICK = 20_000;

const first = () => startAt(typeof location === 'undefined' ? EVERYTHING : queryFrom(location.search));

export type TaskCentreProps = {
  lang: Lang;
  /** Address of the page's `_payload.json`. */
  payload: string;
};

/** State and deeds of the task centre; the components only draw it. */
export function useCentre({ lang, payload: url }: TaskCentreProps) {
  const [state, dispatch] = useReducer(reduce, null, first);
  const client = useMemo(() => new Client(lang), [lang]);
  const payload = usePayload(url);
  const signIn = useOpening(dispatch, words[lang].tasksReason);
  const now = useNow(TICK);

  useList(state, client, dispatch);
  useLive(state.items, client, dispatch);
  useAddress(state);
  useEffect(() => dispatch({ do: 'passed', now }), [now]);
  useReturning(useCallback(() => dispatch({ do: 'refresh' }), []));

  const away = state.stale || state.standing === 'unreachable';
  const lookAgain = useCallback(() => {
    if (state.standing === 'unreachable') void reloadAccount();
    dispatch({ do: 'refresh' });
  }, [state.standing]);
  useEffect(() => {
    if (!away) return;
    const timer = setInterval(lookAgain, LOOK_AGAIN);
    return () => clearInterval(timer);
  }, [away, lookAgain]);

  const deeds = useDeeds(client, dispatch, lang);
  return { state, dispatch, payload, now, signIn, lookAgain, lang, t: words[lang], ...deeds };
}

export type Centre = ReturnType<typeof useCentre>;

type Dispatch = Parameters<typeof useLive>[2];

/** Tools, stages and levels in words; without them the list shows what the tasks themselves say. */
function usePayload(url: string): CentrePayload | null {
  const [payload, setPayload] = useState<CentrePayload | null>(null);
  useEffect(() => {
    const load = async () => {
      const answer = await fetch(url);
      if (answer.ok) setPayload((await answer.json()) as CentrePayload);
    };
    load().catch(() => undefined);
  }, [url]);
  return payload;
}

/** What the list may show follows who is here; another account has another list. */
function useOpening(dispatch: Dispatch, reason: string): () => void {
  const { gate, id, signIn } = useGate(reason);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another account has another list
  useEffect(() => {
    if (gate === 'open') dispatch({ do: 'signedIn' });
    else if (gate !== 'loading') dispatch({ do: gate });
  }, [gate, id, dispatch]);
  return signIn;
}

function useList({ query, turn, standing }: State, client: Client, dispatch: Dispatch): void {
  const open = standing !== 'signedOut';
  useEffect(() => {
    if (turn === 0 || !open) return;
    const stop = new AbortController();
    const { tool, status, order, page } = query;
    const asked = { toolId: tool ?? undefined, status: STATUSES[status], order, page, size: PAGE_SIZE };
    client.get<{ items: Task[]; total: number }>('task/task/getUserTasks', asked, stop.signal).then(
      (found) => dispatch({ do: 'listed', query, ...found }),
      (error) => {
        if (stop.signal.aborted) return;
        if (problemOf(error).code === 401) void reloadAccount();
        dispatch({ do: 'unreachable' });
      },
    );
    return () => stop.abort();
  }, [turn, open, query, client, dispatch]);
}

/** The address tells what is shown, so that a reload shows it again. */
function useAddress({ query, standing }: State): void {
  useEffect(() => {
    if (standing === 'listed') history.replaceState(history.state, '', location.pathname + searchOf(query));
  }, [query, standing]);
}
