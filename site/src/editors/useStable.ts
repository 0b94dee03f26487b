import { useCallback, useRef } from 'react';

/** One function for the life of the component that always does what the newest render meant; keeps memo() effective. */
export function useStable<A extends unknown[]>(action: (...given: A) => void): (...given: A) => void {
  const newest = useRef(action);
  newest.current = action;
  return useCallback((...given: A) => newest.current(...given), []);
}
