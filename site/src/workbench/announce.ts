import { useEffect, useRef } from 'react';
import { hasEnded, STATUS } from '../api/types';
import type { State } from './state';
import { percentText } from './words';

type Say = { done: string; failed: string };

/** What the tab is called while one looks at another: how far it is, then that it is done. */
function tabTitle(state: State, plain: string, say: Say): string {
  if (state.phase === 'running') {
    const working = state.task?.status === STATUS.PROCESSING;
    return `${working ? percentText(state.task!.progress) : '…'} · ${plain}`;
  }
  if (state.phase === 'done') return `✓ ${say.done} · ${plain}`;
  return state.phase === 'failed' ? `✕ ${say.failed} · ${plain}` : plain;
}

export function useTabTitle(state: State, say: Say): void {
  const plain = useRef('');
  useEffect(() => {
    plain.current ||= document.title;
    const title = tabTitle(state, plain.current, say);
    if (document.title !== title) document.title = title;
  }, [state, say]);
}

/** Whether the browser may be asked, may tell already, or will not. */
export const mayNotify = (): NotificationPermission | 'missing' =>
  'Notification' in globalThis ? Notification.permission : 'missing';

/** Tells somebody who looks elsewhere that the task has ended; only where they allowed it. */
export function useNotice(state: State, say: Say, file: string): void {
  const running = useRef(false);
  useEffect(() => {
    const was = running.current;
    running.current = state.phase === 'running' && !(state.task && hasEnded(state.task));
    if (!was || !document.hidden || mayNotify() !== 'granted') return;
    if (state.phase !== 'done' && state.phase !== 'failed') return;
    const note = new Notification(state.phase === 'done' ? say.done : say.failed, {
      body: file,
      tag: 'papercrane',
    });
    note.onclick = () => {
      window.focus();
      note.close();
    };
  }, [state, say, file]);
}
