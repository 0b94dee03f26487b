import { CircleCheckBig, MonitorSmartphone, QrCode, ShieldX, TriangleAlert } from 'lucide-react';
import { useCallback, useEffect, useState } from 'react';
import { localPath, type Lang } from '../../lib/lang';
import { momentOf } from '../format';
import { ErrorLine, Wait } from '../parts';
import { troubleOf } from '../trouble';
import type { QrRequest, QrStatus, User } from '../types';
import { calls } from '../watch';
import { accountWords, say } from '../words';
import { Notice, PageSkeleton } from './parts';
import { type PageWords, pageWords } from './words';

type Step = 'asking' | 'open' | 'confirmed' | 'refused' | 'over';
type Deed = 'scan' | 'confirm' | 'refuse';

/** Where the page is after the person's deed and what the ticket is then. */
export function stepAfter(deed: Deed, status: QrStatus): Step {
  if (deed === 'refuse') return status === 'CONFIRMED' ? 'confirmed' : 'refused';
  if (status === 'CONFIRMED') return 'confirmed';
  return deed === 'scan' && status === 'SCANNED' ? 'open' : 'over';
}

function useQrRequest(qrId: string, lang: Lang) {
  const [request, setRequest] = useState<QrRequest | null>(null);
  const [step, setStep] = useState<Step>('asking');
  const [busy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState<string | null>(null);
  const answer = useCallback(
    async (deed: Deed) => {
      setBusy(true);
      setTrouble(null);
      try {
        const found = await (await calls()).answerQr(qrId, deed);
        setRequest(found);
        setStep(stepAfter(deed, found.status));
      } catch (error) {
        const { reason, text } = troubleOf(error, accountWords[lang]);
        if (reason.startsWith('qr_')) setStep('over');
        else setTrouble(text);
      } finally {
        setBusy(false);
      }
    },
    [qrId, lang],
  );
  const scan = useCallback(() => answer('scan'), [answer]);
  useEffect(() => void scan(), [scan]);
  return { request, step, busy, trouble, scan, answer };
}

function Facts({ request, lang, t }: { request: QrRequest; lang: Lang; t: PageWords }) {
  const facts: [string, string][] = [
    [t.device, request.device],
    [t.place, request.place],
    [t.network, request.sameNetwork ? t.sameNetwork : t.otherNetwork],
    [t.asked, momentOf(request.createdAt, lang)],
  ];
  return (
    <dl className="card mt-6 divide-y divide-line text-left" data-testid="qr-facts">
      {facts.map(([name, fact]) => (
        <div key={name} className="flex justify-between gap-6 px-4 py-3">
          <dt className="shrink-0 text-ink-soft">{name}</dt>
          <dd className="min-w-0 break-words text-right font-medium">{fact}</dd>
        </div>
      ))}
    </dl>
  );
}

type AskProps = {
  request: QrRequest;
  user: User;
  lang: Lang;
  busy: boolean;
  trouble: string | null;
  answer: Answer;
};
type Answer = (deed: Deed) => Promise<void>;

function Ask({ request, user, lang, busy, trouble, answer }: AskProps) {
  const t = pageWords[lang];
  return (
    <section className="py-10 text-center" data-testid="qr-request">
      <span className="tile mx-auto size-16 rounded-full">
        <MonitorSmartphone size={32} strokeWidth={1.6} aria-hidden="true" />
      </span>
      <h1 className="mt-5 text-2xl">{t.qrTitle}</h1>
      <p className="mt-2 text-ink-soft">{say(t.qrLead, { account: user.account })}</p>
      <Facts request={request} lang={lang} t={t} />
      {!request.sameNetwork && (
        <p
          className="mt-4 flex gap-3 rounded-lg bg-warn-tint p-4 text-left text-warn"
          data-testid="other-network"
        >
          <TriangleAlert size={20} className="mt-0.5 shrink-0" aria-hidden="true" />
          {t.otherNetworkWarn}
        </p>
      )}
      {trouble && <ErrorLine>{trouble}</ErrorLine>}
      <div className="mt-8 grid gap-3">
        <button
          type="button"
          className="btn btn-primary btn-big"
          disabled={busy}
          onClick={() => void answer('confirm')}
          data-testid="qr-confirm"
        >
          {busy && <Wait />}
          {t.confirm}
        </button>
        <button
          type="button"
          className="btn btn-plain btn-big"
          disabled={busy}
          onClick={() => void answer('refuse')}
          data-testid="qr-refuse"
        >
          {t.refuse}
        </button>
      </div>
    </section>
  );
}

function ToAccount({ lang }: { lang: Lang }) {
  return (
    <a href={localPath(lang, '/UserInfo')} className="btn btn-plain btn-big">
      {pageWords[lang].toAccount}
    </a>
  );
}

/** A signed-in person decides whether another device may sign in. */
export function QrConfirm({ qrId, user, lang }: { qrId: string; user: User; lang: Lang }) {
  const t = pageWords[lang];
  const { request, step, busy, trouble, scan, answer } = useQrRequest(qrId, lang);
  const to = <ToAccount lang={lang} />;
  if (step === 'confirmed') {
    return (
      <Notice
        icon={CircleCheckBig}
        tone="good"
        title={t.confirmed}
        lead={t.confirmedLead}
        testid="qr-confirmed"
      >
        {to}
      </Notice>
    );
  }
  if (step === 'refused') {
    return (
      <Notice icon={ShieldX} title={t.refused} lead={t.refusedLead} testid="qr-refused">
        {to}
      </Notice>
    );
  }
  if (step === 'over') {
    return (
      <Notice icon={QrCode} title={t.qrOver} lead={t.qrOverLead} testid="qr-over">
        {to}
      </Notice>
    );
  }
  if (request) return <Ask {...{ request, user, lang, busy, trouble, answer }} />;
  if (!trouble) return <PageSkeleton />;
  return (
    <Notice icon={TriangleAlert} title={t.failedTitle} lead={trouble} testid="qr-failed">
      <button type="button" className="btn btn-primary btn-big" onClick={() => void scan()}>
        {t.retry}
      </button>
    </Notice>
  );
}
