import 'react-toastify/ReactToastify.css';
import './toasts.css';
import { createRoot } from 'react-dom/client';
import { flushSync } from 'react-dom';
import { type Id, Slide, ToastContainer, type ToastOptions, toast } from 'react-toastify/unstyled';

/** The part of react-toastify that notify needs. */
export type Toasts = {
  show(text: string, options: ToastOptions): Id;
  clear(): void;
};

let port: Toasts | undefined;

function clear(): void {
  toast.dismiss();
  toast.clearWaitingQueue();
}

/** Mounts the container on first use; toasts go away when the address changes. */
export function toasts(): Toasts {
  if (port) return port;
  const host = document.body.appendChild(document.createElement('div'));
  flushSync(() =>
    createRoot(host).render(
      <ToastContainer position="top-right" autoClose={5000} transition={Slide} newestOnTop />,
    ),
  );
  for (const type of ['popstate', 'hashchange', 'pagehide', 'astro:after-swap'])
    addEventListener(type, clear);
  port = { show: (text, options) => toast(text, options), clear };
  return port;
}
