import { useCallback, useState } from 'react';
import { useSecondsLeft } from './hooks';
import { type Trouble, troubleOf } from './trouble';
import type { SentCode } from './types';
import { calls } from './watch';
import type { AccountWords } from './words';

export type Code = {
  sent: SentCode | null;
  sending: boolean;
  /** Seconds until another code may be asked for. */
  left: number;
  trouble: Trouble | null;
  /** To an account, or to the signed-in person's own. True when it was sent. */
  send(account?: string): Promise<boolean>;
};

/** Asking for a one-time code. */
export function useCode(t: AccountWords): Code {
  const [until, setUntil] = useState(0);
  const [sent, setSent] = useState<SentCode | null>(null);
  const [sending, setSending] = useState(false);
  const [trouble, setTrouble] = useState<Trouble | null>(null);
  const left = useSecondsLeft(until);
  const send = useCallback(
    async (account?: string) => {
      setSending(true);
      setTrouble(null);
      try {
        const answer = await (await calls()).sendCode(account);
        setSent(answer);
        setUntil(Date.now() + answer.waitSeconds * 1000);
        return true;
      } catch (error) {
        const found = troubleOf(error, t);
        setTrouble(found);
        if (found.seconds) setUntil(Date.now() + found.seconds * 1000);
        return false;
      } finally {
        setSending(false);
      }
    },
    [t],
  );
  return { sent, sending, left, trouble, send };
}
