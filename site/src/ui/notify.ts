import type { Id, ToastOptions } from 'react-toastify';
import type { Toasts } from './toasts';

export type ToastType = 'default' | 'info' | 'error' | 'warning' | 'success' | 'loading';

export type NotifyOptions = {
  type?: ToastType;
  theme?: 'auto' | 'light' | 'dark';
  autoClose?: number | false;
  /** Several may stand at once; otherwise a new one clears the others. */
  multiple?: boolean;
  /** 0..1; values beyond are clamped. */
  progress?: number;
};

const GUARD = 390;
const APP_AUTO_CLOSE = 1000;

export const clampProgress = (progress: number) => Math.min(1, Math.max(0, progress));

const prefersDark = () =>
  document.documentElement.dataset.theme === 'dark' ||
  (document.documentElement.dataset.theme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);

function optionsFor({ type = 'default', theme = 'auto', autoClose, progress }: NotifyOptions): ToastOptions {
  const close = autoClose ?? (type === 'loading' ? false : APP_AUTO_CLOSE);
  return {
    type: type === 'loading' ? 'default' : type,
    isLoading: type === 'loading',
    theme: theme === 'auto' ? (prefersDark() ? 'dark' : 'light') : theme,
    autoClose: close,
    ...(progress === undefined ? {} : { progress: clampProgress(progress) }),
  };
}

/** The rule of the specification: single toasts replace each other and repeat at most every 390 ms. */
export function createNotify(load: () => Promise<Toasts>) {
  let locked = false;
  return async (text: string, options: NotifyOptions = {}): Promise<Id | null> => {
    if (options.multiple) return (await load()).show(text, optionsFor(options));
    if (locked) return null;
    locked = true;
    setTimeout(() => {
      locked = false;
    }, GUARD);
    const toasts = await load();
    toasts.clear();
    return toasts.show(text, optionsFor(options));
  };
}

export const notify = createNotify(async () => (await import('./toasts')).toasts());
