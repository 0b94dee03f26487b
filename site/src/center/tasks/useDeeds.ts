import { type Dispatch, useMemo } from 'react';
import type { Client } from '../../api/client';
import type { Task } from '../../api/types';
import { handOn, type StoredFile } from '../../lib/handoff';
import { type Lang, localPath } from '../../lib/lang';
import { save } from '../../lib/save';
import { asMember } from '../../account';
import { problemOf } from '../../api/problem';
import { freshId } from '../../workbench/choose';
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
    const made = ({ taskId }: { taskId: string }) => {
      dispatch({ do: 'made', taskId });
      return true;
    };
    return {
      download: (taskId: string, index?: number) =>
        asMember(() => client.download(taskId, index)).then(({ url }) => save(url), fail),
      remove: (taskId: string) =>
        client.deleteTask(taskId).then(() => {
          dispatch({ do: 'deleted', taskId });
          return say(t.deleted, 'success');
        }, fail),
      /** False when the passwords of the task's files, forgotten with it, are needed: then `redo` takes them. */
      retryLevel: (taskId: string, level: string): Promise<boolean> => {
        const once = freshId();
        return asMember(() => client.retryCompress(taskId, level, once)).then(made, async (error) => {
          if (problemOf(error).reason === 'password_required') return false;
          await fail(error);
          return true;
        });
      },
      /** `passwords`: of the inputs, by their keys. */
      redo: ({ toolId, inputs, options }: Task, level: string, passwords: Record<string, string>) => {
        const once = freshId();
        const files = inputs.map(({ key, name }) => ({ key, name, password: passwords[key] }));
        const request = { toolId, files, options: { ...(options as object), level } };
        return asMember(() => client.createTask(request, once)).then(made, fail);
      },
      /** The files go along by their keys; nothing is sent again. */
      carryOn: async (stored: StoredFile[], route: string) => {
        if (stored.length > 0) await handOn(route, { stored });
        location.assign(localPath(lang, route));
      },
    };
  }, [client, dispatch, lang]);
}
