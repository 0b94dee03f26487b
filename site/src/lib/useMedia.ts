import { useSyncExternalStore } from 'react';

export function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (tell) => {
      const list = matchMedia(query);
      list.addEventListener('change', tell);
      return () => list.removeEventListener('change', tell);
    },
    () => matchMedia(query).matches,
    () => false,
  );
}

export const NARROW = '(max-width: 47.99rem)';
export const FINGER = '(pointer: coarse)';
