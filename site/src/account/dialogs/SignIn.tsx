import { useEffect, useState } from 'react';
import type { Lang } from '../../lib/lang';
import { NARROW, useMedia } from '../../lib/useMedia';
import { useAccount } from '../useAccount';
import { type AccountWords, accountWords } from '../words';
import { CodeForm } from './CodeForm';
import { Dialog } from './Dialog';
import { QrPanel } from './QrPanel';

type Way = 'code' | 'qr';
const WAYS: readonly Way[] = ['code', 'qr'];

function Tabs({ way, choose, t }: { way: Way; choose(way: Way): void; t: AccountWords }) {
  const other = WAYS.find((each) => each !== way)!;
  return (
    <div
      role="tablist"
      className="mt-5 grid grid-cols-2 gap-1 rounded-md bg-sunken p-1"
      onKeyDown={(event) => {
        if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
        choose(other);
        event.currentTarget.querySelector<HTMLElement>(`#way-${other}`)?.focus();
      }}
    >
      {WAYS.map((each) => (
        <button
          key={each}
          type="button"
          role="tab"
          id={`way-${each}`}
          aria-selected={way === each}
          aria-controls="way-panel"
          tabIndex={way === each ? 0 : -1}
          onClick={() => choose(each)}
          className="min-h-11 rounded-sm font-medium text-ink-soft aria-selected:bg-raised aria-selected:text-ink aria-selected:shadow-soft"
          data-testid={`way-${each}`}
        >
          {each === 'code' ? t.byCode : t.byQr}
        </button>
      ))}
    </div>
  );
}

type Parts = { lang: Lang; main: string; t: AccountWords };

/** On a phone the code comes first: it cannot scan itself. */
function OneAtATime(props: Parts) {
  const [way, choose] = useState<Way>('code');
  return (
    <>
      <Tabs way={way} choose={choose} t={props.t} />
      <div id="way-panel" role="tabpanel" aria-labelledby={`way-${way}`} className="mt-5">
        {way === 'code' ? <CodeForm {...props} /> : <QrPanel t={props.t} />}
      </div>
    </>
  );
}

function SideBySide(props: Parts) {
  return (
    <div className="mt-6 grid grid-cols-[17rem_1fr] gap-8">
      <div className="rounded-lg bg-sunken px-4 py-6">
        <QrPanel t={props.t} />
      </div>
      <div>
        <p className="mb-4 font-semibold">{props.t.byCode}</p>
        <CodeForm {...props} />
      </div>
    </div>
  );
}

export type SignInProps = { lang: Lang; main: string; reason?: string; close(signedIn: boolean): void };

/** Closes by itself when somebody is signed in, also in another tab. */
export function SignIn({ lang, main, reason, close }: SignInProps) {
  const t = accountWords[lang];
  const narrow = useMedia(NARROW);
  const { state } = useAccount();
  useEffect(() => {
    if (state === 'user') close(true);
  }, [state, close]);
  const Ways = narrow ? OneAtATime : SideBySide;
  return (
    <Dialog
      title={t.signInTitle}
      lead={reason ?? t.signInLead}
      closeLabel={t.close}
      onClose={() => close(false)}
      testid="sign-in-dialog"
      size={narrow ? 'small' : 'medium'}
    >
      <Ways lang={lang} main={main} t={t} />
    </Dialog>
  );
}
