import { CircleCheckBig, QrCode } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { Notice } from '../../../account/page/parts';
import { Problem } from '../../../api/problem';
import type { Lang } from '../../../workbench/contract';
import { SignCalls } from '../calls';
import type { Ink } from '../ink';
import { Pad } from '../Pad';
import { INKS } from '../types';
import { signWordsOf } from '../words';
import '../../../fields/fields.css';
import '../../../fields/widgets/widgets.css';
import '../sign.css';

type Phase = 'open' | 'late' | 'sent' | 'over';
type Sent = { ink: Ink | null; done: boolean };
const AGAIN = 1000;

/** The phone in the hand is the pad of a browser elsewhere: each stroke goes there when it is drawn. */
export function SignPad({ padId, lang }: { padId: string; lang: Lang }) {
  const words = signWordsOf(lang);
  const [ink, setInk] = useState<Ink | null>(null);
  const { phase, send } = useSending(padId, lang);
  if (phase === 'sent')
    return (
      <Notice
        icon={CircleCheckBig}
        tone="good"
        title={words.padSent}
        lead={words.padSentLead}
        testid="pad-sent"
      />
    );
  if (phase === 'over')
    return <Notice icon={QrCode} title={words.padOver} lead={words.padOverLead} testid="pad-over" />;
  return (
    <section className="sign-maker" data-testid="sign-pad">
      <div>
        <h1 className="text-2xl">{words.padTitle}</h1>
        <p className="mt-1 text-ink-soft">{words.padLead}</p>
      </div>
      <Pad
        colour={INKS[0]}
        pen={5}
        onInk={(next) => {
          setInk(next);
          send({ ink: next, done: false });
        }}
        words={words}
      />
      <p role="status" className="min-h-6 text-sm text-ink-soft">
        {phase === 'late' ? words.padLate : ''}
      </p>
      <button
        type="button"
        className="btn btn-primary btn-big w-full"
        disabled={ink === null}
        onClick={() => send({ ink, done: true })}
        data-testid="pad-done"
      >
        {words.padDone}
      </button>
    </section>
  );
}

/** Where the page is after this was sent, or lost on the way. */
async function sent(calls: SignCalls, padId: string, { ink, done }: Sent): Promise<Phase> {
  try {
    const { status } = await calls.drawPad(padId, ink, done);
    return status === 'DONE' ? 'sent' : status === 'EXPIRED' ? 'over' : 'open';
  } catch (error) {
    return error instanceof Problem && !error.unreachable ? 'over' : 'late';
  }
}

/** Sends what is drawn, the newest only, one after the other; what is lost on the way is sent again. */
function useSending(padId: string, lang: Lang) {
  const calls = useMemo(() => new SignCalls(lang), [lang]);
  const [phase, setPhase] = useState<Phase>('open');
  const waiting = useRef<Sent | null>(null);
  const busy = useRef(false);
  const turn = async () => {
    const next = waiting.current;
    if (busy.current || !next) return;
    busy.current = true;
    const after = await sent(calls, padId, next);
    setPhase(after);
    if (after === 'late') await new Promise((resolve) => setTimeout(resolve, AGAIN));
    else if (waiting.current === next) waiting.current = null;
    busy.current = false;
    void turn();
  };
  const send = (what: Sent) => {
    waiting.current = what;
    void turn();
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: told once, that the phone is there
  useEffect(() => send({ ink: null, done: false }), []);
  return { phase, send };
}
