import { useCallback, useEffect, useState } from 'react';
import { Problem } from '../api/problem';
import { usePoll } from './hooks';
import type { QrCheck, QrCode } from './types';
import { calls, noteUser } from './watch';

export type QrPhase = 'loading' | 'waiting' | 'scanned' | 'expired' | 'failed';

const EVERY = 1500;

/** What a poll's answer means for the page. A confirmation that somebody else took is no use any more. */
export function phaseOf({ status, user }: QrCheck): QrPhase {
  if (status === 'WAITING') return 'waiting';
  if (status === 'SCANNED' || (status === 'CONFIRMED' && user)) return 'scanned';
  return 'expired';
}

/** A QR code to sign in by, asked about until the server says that it is confirmed or over. */
export function useQr() {
  const [code, setCode] = useState<QrCode | null>(null);
  const [phase, setPhase] = useState<QrPhase>('loading');
  const renew = useCallback(async () => {
    setPhase('loading');
    try {
      setCode(await (await calls()).qrCode());
      setPhase('waiting');
    } catch {
      setPhase('failed');
    }
  }, []);
  useEffect(() => void renew(), [renew]);
  const live = phase === 'waiting' || phase === 'scanned';
  const check = async () => {
    try {
      const answer = await (await calls()).checkQr(code!.qrId);
      setPhase(phaseOf(answer));
      if (answer.status === 'CONFIRMED' && answer.user) noteUser(answer.user);
    } catch (error) {
      if (error instanceof Problem && error.data.code === 404) setPhase('expired');
    }
  };
  usePoll(check, EVERY, live);
  return { code, phase, renew };
}
