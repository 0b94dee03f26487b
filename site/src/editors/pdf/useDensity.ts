import { useSyncExternalStore } from 'react';
import { densityNow } from './render';

/** Tells when the window went to another screen or the page was zoomed: each density is news only once. */
function watch(tell: () => void): () => void {
  const query = matchMedia(`(resolution: ${devicePixelRatio}dppx)`);
  query.addEventListener('change', tell);
  return () => query.removeEventListener('change', tell);
}

/** Device pixels for a CSS pixel, also after the page was zoomed. */
export function useDensity(): number {
  const density = useSyncExternalStore(
    (tell) => {
      let stop = watch(changed);
      function changed() {
        stop();
        stop = watch(changed);
        tell();
      }
      return () => stop();
    },
    densityNow,
    () => 1,
  );
  return density;
}
