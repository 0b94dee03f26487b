import { useCallback, useEffect, useRef, useState } from 'react';
import { account } from '../account/store';
import type { Client } from '../api/client';
import type { UserRights } from '../api/types';
import type { ToolPayload } from '../lib/payload';

async function loadPayload(url: string): Promise<ToolPayload> {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`payload: ${answer.status}`);
  return answer.json() as Promise<ToolPayload>;
}

/** The tool's form and the visitor's rights, asked for when the first file comes. */
export function useTool(url: string, toolId: number, client: Client, fail: () => void) {
  const [payload, setPayload] = useState<ToolPayload | null>(null);
  const [rights, setRights] = useState<UserRights | null>(null);
  const asked = useRef<Promise<{ payload: ToolPayload; rights: UserRights | null }> | null>(null);

  const refreshRights = useCallback(async () => {
    const fresh = await client.rights(toolId);
    setRights(fresh);
    return fresh;
  }, [client, toolId]);

  const prepare = useCallback(() => {
    asked.current ??= Promise.all([loadPayload(url), refreshRights().catch(() => null)]).then(
      ([data, now]) => {
        setPayload(data);
        return { payload: data, rights: now };
      },
    );
    asked.current.catch(() => {
      asked.current = null;
      fail();
    });
    return asked.current;
  }, [url, fail, refreshRights]);

  useEffect(
    () =>
      account.subscribe(() => {
        if (!asked.current) return;
        // Another person, or a member now: what was refused may be allowed.
        asked.current = null;
        void refreshRights().catch(() => undefined);
      }),
    [refreshRights],
  );

  return { payload, rights, prepare, refreshRights };
}
