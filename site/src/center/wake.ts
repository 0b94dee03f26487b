import { chunkFor } from '../scripts/lost';

type Chunk<P> = { mount(root: HTMLElement, props: P): void };

/** Brings a page's island to life when the page has loaded: without it there is nothing to see. */
export function wake<P>(load: () => Promise<Chunk<P>>): void {
  const root = document.querySelector<HTMLElement>('[data-island]');
  if (!root) return;
  const start = async () => {
    // A lost chunk reloads the page by itself (scripts/chunks); lost again, the page says so.
    const chunk = await chunkFor(root, load);
    chunk?.mount(root, JSON.parse(root.dataset.props ?? '{}') as P);
  };
  const idle = window.requestIdleCallback ?? ((run: () => void) => setTimeout(run, 1));
  if (document.readyState === 'complete') idle(() => void start());
  else addEventListener('load', () => idle(() => void start()));
}
