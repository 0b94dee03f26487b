import { type Dispatch, useEffect } from 'react';
import type { Client } from '../../api/client';
import type { Task } from '../../api/types';
import { type Action, isUnended } from './state';

/** A browser opens six connections to a host; the page needs some for itself. */
const BY_EVENTS = 3;
const ASK_EVERY = 3000;

/** Running tasks stay live: the first few by their events, more by asking for the list. */
export function useLive(items: Task[], client: Client, dispatch: Dispatch<Action>): void {
  const unended = items.filter(isUnended);
  const heard = unended
    .slice(0, BY_EVENTS)
    .map(({ taskId }) => taskId)
    .join();
  const more = unended.length > BY_EVENTS;

  useEffect(() => {
    const stop = new AbortController();
    for (const taskId of heard.split(',').filter(Boolean)) {
      client
        .follow(taskId, (task) => dispatch({ do: 'task', task }), stop.signal)
        .catch(() => {
          // Deleted elsewhere: the list no longer has it.
          if (!stop.signal.aborted) dispatch({ do: 'refresh' });
        });
    }
    return () => stop.abort();
  }, [heard, client, dispatch]);

  useEffect(() => {
    if (!more) return;
    const timer = setInterval(() => dispatch({ do: 'refresh' }), ASK_EVERY);
    return () => clearInterval(timer);
  }, [more, dispatch]);
}
