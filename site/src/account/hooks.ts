import { useEffect, useLayoutEffect, useRef, useState } from 'react';

/** Whole seconds until the moment (ms), 0 afterwards. */
export function useSecondsLeft(until: number): number {
  const [now, setNow] = useState(Date.now);
  const running = Number.isFinite(until) && now < until;
  useLayoutEffect(() => {
    setNow(Date.now());
    if (!running) return;
    const timer = setInterval(() => setNow(Date.now()), 250);
    return () => clearInterval(timer);
  }, [running]);
  return Math.max(0, Math.ceil((until - now) / 1000));
}

/** Asks again and again while `active`, but not while nobody looks; at once when somebody looks again. */
export function usePoll(ask: () => Promise<void>, every: number, active: boolean): void {
  const latest = useRef(ask);
  latest.current = ask;
  useEffect(() => {
    if (!active) return;
    let busy = false;
    const turn = async () => {
      if (busy || document.hidden) return;
      busy = true;
      // A lost answer is asked for again by the next turn.
      await latest.current().catch(() => undefined);
      busy = false;
    };
    const timer = setInterval(turn, every);
    document.addEventListener('visibilitychange', turn);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', turn);
    };
  }, [every, active]);
}
