import { reloadOnce } from './reload';

const CHUNK_ERROR =
  /dynamically imported module|module script failed|error loading dynamically|preload CSS|ChunkLoadError/i;

export function isChunkError(reason: unknown): boolean {
  return reason instanceof Error && (reason.name === 'ChunkLoadError' || CHUNK_ERROR.test(reason.message));
}

/**
 * A chunk that is gone means a new build is live: the page reloads to get it. One that is gone after that
 * too is an error to whoever asked for it.
 */
export function watchChunkErrors(): void {
  addEventListener('vite:preloadError', (event) => {
    if (reloadOnce()) event.preventDefault();
  });
  addEventListener('unhandledrejection', (event) => {
    if (isChunkError(event.reason)) reloadOnce();
  });
}
