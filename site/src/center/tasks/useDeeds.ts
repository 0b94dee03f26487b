import { type Dispatch, useMemo } from 'react';
import type { Client } from '../../api/client';
import { handOn, type StoredFile } from '../../lib/handoff';
import { type Lang, localPath } from '../../lib/lang';
import { save } from '../../lib/save';
import { asMember } from '../../account';
import { problemOf } from '../../api/problem';
import { say, sayProblem } from '../say';
import { words } from '../words';
import type { Action } from './state';

/** What the buttons of a task do. */
export function useDeeds(client: Client, dispatch: Dispatch<Action>, lang: Lang) {
  return useMemo(() => {
    const t = words[lang];
    const fail = async (error: unknown) => {
      // The membership dialog has told it.
      if (!problemOf(error).restriction) await sayProblem(error, t);
    };
    return {
      download: (taskId: string, index?: number) =>
        asMember(() => client.download(taskId, index)).then(({ url }) => save(url), fail),
      remove: (taskId: string) =>
        client.deleteTask(taskId).then(() => {
          dispatch({ do: 'deleted', taskId });
          return say(t.deleted, 'success');
        }, fail),
      retryLevel: (taskId: string, level: string) =>
        asMember(() => client.retryCompress(taskId, level)).then(
          ({ taskId: next }) => dispatch({ do: 'made', taskId: next }),
          fail,
        ),
      /** The files go along by their keys; nothing is sent again. */
      carryOn: async (stored: StoredFile[], route: string) => {
        if (stored.length > 0) await handOn(route, { stored });
        location.assign(localPath(lang, route));
      },
    };
  }, [client, dispatch, lang]);
}
