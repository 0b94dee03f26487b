import { useEffect, useRef } from 'react';
import type { Client } from '../api/client';
import type { TaskRequest } from '../api/types';
import type { ToolPayload } from '../lib/payload';
import type { Json } from './contract';
import { tellProblem } from './effects';
import type { Action, Row, State } from './state';
import { loadFields } from './later';

async function requestFor(
  toolId: number,
  rows: Row[],
  options: Json,
  payload: ToolPayload,
): Promise<TaskRequest> {
  const { visibleOptions } = await loadFields();
  const files = rows.map(({ key, name, password }) => ({
    key: key!,
    name,
    ...(password ? { password } : {}),
  }));
  return { toolId, files, options: visibleOptions(payload.tool.options, options) };
}

/** The phase `starting` hands the task in, once: a repeated try carries the same idempotency key. */
export function useStart(
  state: State,
  payload: ToolPayload | null,
  toolId: number,
  client: Client,
  dispatch: (action: Action) => void,
): void {
  const handingIn = useRef(false);
  const work = state.phase === 'starting' ? state : null;
  useEffect(() => {
    if (!work || !payload || handingIn.current) return;
    handingIn.current = true;
    requestFor(toolId, work.rows, work.options, payload)
      .then((request) => client.createTask(request, work.attempt))
      .then(({ taskId }) => dispatch({ do: 'created', taskId, replaces: work.replaces }))
      .catch((error) => tellProblem(error, dispatch))
      .finally(() => {
        handingIn.current = false;
      });
  }, [work, payload, toolId, client, dispatch]);
}
