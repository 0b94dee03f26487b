import { useEffect, useState } from 'react';

/** The time now, told again every `every` ms. */
export function useNow(every: number): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), every);
    return () => clearInterval(timer);
  }, [every]);
  return now;
}

/** Calls `look` whenever the visitor comes back to the page. */
export function useReturning(look: () => void): void {
  useEffect(() => {
    const seen = () => {
      if (document.visibilityState === 'visible') look();
    };
    addEventListener('focus', seen);
    document.addEventListener('visibilitychange', seen);
    return () => {
      removeEventListener('focus', seen);
      document.removeEventListener('visibilitychange', seen);
    };
  }, [look]);
}
