import { chunkFor } from './lost';
import type { Early, WorkbenchProps } from '../workbench/useWorkbench';

const SIGNS = ['pointerdown', 'keydown', 'focusin', 'dragenter', 'touchstart'] as const;

/** Keeps what is dropped or pasted anywhere on the page: there is nothing else on it that a file could mean. */
function catchFiles(): Early {
  const files: File[] = [];
  const stop = new AbortController();
  const { signal } = stop;
  addEventListener(
    'drop',
    (event) => {
      event.preventDefault();
      files.push(...(event.dataTransfer?.files ?? []));
    },
    { signal },
  );
  addEventListener('paste', (event) => files.push(...(event.clipboardData?.files ?? [])), { signal });
  return { files, release: () => stop.abort() };
}

/** Hydrates the workbench when the browser is idle or at the first interaction, whichever is first. */
function watch(root: HTMLElement): void {
  const early = catchFiles();
  let started = false;
  const start = async () => {
    if (started) return;
    started = true;
    for (const sign of SIGNS) removeEventListener(sign, start);
    const chunk = await chunkFor(root, () => import('../workbench/mount'));
    // A lost chunk reloads the page; where that was just done, the next interaction tries again.
    if (!chunk) {
      started = false;
      listen();
      return;
    }
    chunk.mount(root, JSON.parse(root.dataset.props ?? '{}') as WorkbenchProps, early);
  };
  const listen = () => {
    for (const sign of SIGNS) addEventListener(sign, start, { passive: true });
  };
  listen();
  const idle = window.requestIdleCallback ?? ((run: () => void) => setTimeout(run, 300));
  if (document.readyState === 'complete') idle(start);
  else addEventListener('load', () => idle(start));
}

for (const root of document.querySelectorAll<HTMLElement>('[data-island]')) watch(root);
