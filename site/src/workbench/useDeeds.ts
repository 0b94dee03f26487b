import { useMemo } from 'react';
import { asMember } from '../account/open';
import type { Client } from '../api/client';
import { problemOf } from '../api/problem';
import type { Task, TaskOutput } from '../api/types';
import type { Lang } from '../lib/lang';
import { save, saveBytes, saveText } from '../lib/save';
import { freshId } from './choose';
import type { Desk } from './desk';
import { tellProblem, wrongPasswords } from './effects';
import { correctedText, forgetCorrections } from './corrections';
import { forgetBytes, keptBytes } from './shown';
import type { Action, Result, Row } from './state';
import { placeIn, writtenAnew } from './writeAnew';
import { words } from './words';
import { loadNotify } from './later';

const DOWNLOAD_LIMIT = 3001;

async function say(text: string, type: 'success' | 'error' | 'warning'): Promise<void> {
  const { notify } = await loadNotify();
  await notify(text, { type, autoClose: type === 'success' ? 1000 : 5000 });
}

type Parts = {
  client: Client;
  desk: Desk;
  dispatch: (action: Action) => void;
  lang: Lang;
  rows: Row[];
  results?: Result[];
};

const NO_RESULTS: Result[] = [];

/** What the buttons of the panels do at the API. */
export function useDeeds({ client, desk, dispatch, lang, rows, results = NO_RESULTS }: Parts) {
  return useMemo(() => {
    const t = words[lang];
    const fail = (error: unknown) => {
      const problem = problemOf(error);
      const text = problem.code === DOWNLOAD_LIMIT ? t.downloadLimit : problem.msg || t.upgradeLead;
      return say(text, 'error');
    };
    const reset = () => {
      for (const { id, thumbnail } of rows) {
        desk.cancel(id);
        if (thumbnail) URL.revokeObjectURL(thumbnail);
      }
      forgetBytes();
      forgetCorrections();
      dispatch({ do: 'reset' });
    };
    // Cancelling removes the task's files from the store at once, so what is still here goes up again.
    const backToFiles = () => {
      // What was corrected belongs to results that other options make anew.
      forgetCorrections();
      dispatch({ do: 'edit' });
      const here = rows.filter(({ blob }) => blob);
      for (const { id } of here) {
        desk.cancel(id);
        dispatch({ do: 'retried', id });
      }
      return desk.send(here);
    };
    const upToDate = (task: Task) => writtenAnew({ client, desk, dispatch }, task);
    /** Corrections go into the result before it is handed out. */
    const handedOut = async (taskId: string, index?: number) => {
      const task = results.find((each) => each.taskId === taskId);
      const now = task && (await upToDate(task));
      if (!now || now === task) return { taskId, index };
      return { taskId: now.taskId, index: index === undefined ? index : placeIn(now, task, index) };
    };
    return {
      reset,
      /** Results as they stand, with what was corrected in the page. */
      upToDate: (tasks: Task[]) => Promise.all(tasks.map(upToDate)),
      /** … for looking at: whether it went well, else it is told. */
      writeCorrections: (tasks: Task[]) =>
        Promise.all(tasks.map(upToDate)).then(
          () => true,
          (error) => fail(error).then(() => false),
        ),
      /** A password that this browser finds wrong is asked for again, and no task begins. */
      start: async () => {
        const wrong = await wrongPasswords(rows);
        dispatch(
          wrong.length > 0 ? { do: 'wrongPasswords', ids: wrong } : { do: 'start', attempt: freshId() },
        );
      },
      /** What is shown already is saved as it is, and counts no further. */
      download: async (taskId: string, index?: number, output?: TaskOutput) => {
        const text = correctedText(output?.key);
        if (output && text !== undefined) return saveText(text, output.name);
        const wanted = await handedOut(taskId, index).catch(fail);
        if (!wanted) return;
        const bytes = wanted.taskId === taskId && (await keptBytes(output?.key)?.catch(() => null));
        if (bytes && output) return saveBytes(bytes, output.name);
        return asMember(() => client.download(wanted.taskId, wanted.index)).then(
          ({ url }) => save(url),
          fail,
        );
      },
      deleteAll: (taskIds: string[]) =>
        Promise.all(taskIds.map((id) => client.deleteTask(id))).then(() => {
          reset();
          return say(t.deleted, 'success');
        }, fail),
      cancelTask: (taskId: string) => client.deleteTask(taskId).then(backToFiles, fail),
      retryLevel: (task: Task, level: string) => {
        const { taskId } = task;
        const choose = () => dispatch({ do: 'options', options: { ...(task.options as object), level } });
        return client.retryCompress(taskId, level, freshId()).then(
          ({ taskId: next }) => {
            choose();
            dispatch({ do: 'created', taskId: next, replaces: taskId });
          },
          (error) => {
            const { reason, restriction } = problemOf(error);
            const forgotten = reason === 'password_required';
            if (restriction || forgotten) choose();
            if (forgotten) return dispatch({ do: 'locked', task, attempt: freshId() });
            tellProblem(error, dispatch, { again: { attempt: freshId(), replaces: taskId } });
          },
        );
      },
      resume: (row: Row, blob: File) => desk.resume(row, blob),
    };
  }, [client, desk, dispatch, lang, rows, results]);
}
