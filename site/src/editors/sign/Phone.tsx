import { RotateCw } from 'lucide-react';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { pictureOf } from '../../account/format';
import { usePoll } from '../../account/hooks';
import { Problem } from '../../api/problem';
import type { Lang } from '../../workbench/contract';
import { type PadCode, type PadState, SignCalls } from './calls';
import type { Ink } from './ink';
import { LookPicture } from './LookPicture';
import type { Role } from './types';
import type { SignWords } from './words';

const EVERY = 800;

type Props = { colour: string; role: Role; lang: Lang; onInk(ink: Ink | null): void; words: SignWords };
type Phase = PadState | 'LOADING' | 'FAILED';

/** A QR code that makes a phone the pad; what is drawn there shows here, stroke by stroke. */
export function Phone({ colour, role, lang, onInk, words }: Props) {
  const { code, phase, ink, renew } = usePad(lang, onInk);
  const said = {
    LOADING: words.phoneWaiting,
    WAITING: words.phoneWaiting,
    OPEN: words.phoneOpen,
    DONE: words.phoneDone,
    EXPIRED: words.phoneOver,
    FAILED: words.phoneFailed,
  }[phase];
  const over = phase === 'EXPIRED' || phase === 'FAILED';
  return (
    <div className="sign-phone" data-testid="phone" data-phase={phase} data-url={code?.url}>
      {ink ? (
        <div className="sign-shown">
          <LookPicture look={{ kind: 'drawn', role, ...ink, colour }} art={null} height={150} most={420} />
        </div>
      ) : (
        code && !over && <img src={pictureOf(code.svg)} alt={words.phoneAlt} data-testid="pad-qr" />
      )}
      <p role="status">{said}</p>
      {!ink && !over && <p className="field-hint">{words.phoneLead}</p>}
      {over && !ink && (
        <button type="button" className="btn btn-plain" onClick={renew}>
          <RotateCw size={18} aria-hidden="true" />
          {words.phoneAgain}
        </button>
      )}
    </div>
  );
}

function usePad(lang: Lang, onInk: (ink: Ink | null) => void) {
  const calls = useMemo(() => new SignCalls(lang), [lang]);
  const [code, setCode] = useState<PadCode | null>(null);
  const [phase, setPhase] = useState<Phase>('LOADING');
  const [ink, setInk] = useState<Ink | null>(null);
  const renew = useCallback(async () => {
    setPhase('LOADING');
    try {
      setCode(await calls.pad());
      setPhase('WAITING');
    } catch {
      setPhase('FAILED');
    }
  }, [calls]);
  useEffect(() => void renew(), [renew]);
  const check = async () => {
    try {
      const told = await calls.checkPad(code!.padId);
      setPhase(told.status);
      // What was drawn stays when the pad is over.
      if (told.status === 'EXPIRED') return;
      setInk(told.ink);
      onInk(told.ink);
    } catch (error) {
      if (error instanceof Problem && error.data.code === 404) setPhase('EXPIRED');
    }
  };
  usePoll(check, EVERY, phase === 'WAITING' || phase === 'OPEN');
  return { code, phase, ink, renew };
}
