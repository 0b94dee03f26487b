import { useState } from 'react';
import { ORDER_STATUS } from '../../account/types';
import { type Lang, localPath } from '../../lib/lang';
import type { CenterWords } from '../words';
import { useAgain } from './again';
import type { PartProps } from './asked';
import { Home, Notice, Paid, Wait } from './parts';
import { usePaid } from './usePaid';

type ResultProps = PartProps & { orderNo: string };

/** How an order came out: it asks until it knows. */
export function Result({ orderNo, asked, lang, t }: ResultProps) {
  const { order, unknown, late, ask } = usePaid({ ...asked, orderNo }, true, lang);
  const again = useAgain(asked, lang);
  if (unknown) {
    return (
      <Notice tone="wait" title={t.unknownTitle} lead={t.unknownLead} testid="pay-unknown">
        <Home lang={lang} t={t} />
      </Notice>
    );
  }
  switch (order?.status) {
    case ORDER_STATUS.PAID:
      return <Paid order={order} lang={lang} t={t} />;
    case ORDER_STATUS.CLOSED:
      return <Over title={t.closedTitle} lead={t.closedLead} testid="pay-closed" lang={lang} t={t} />;
    case ORDER_STATUS.REFUNDED:
      return <Over title={t.refundedTitle} lead={t.refundedLead} testid="pay-refunded" lang={lang} t={t} />;
  }
  if (!late) return <Wait text={t.paying} lead={t.payingLead} />;
  return <Waiting lang={lang} t={t} ask={ask} again={again} />;
}

type WaitingProps = { lang: Lang; t: CenterWords; ask(): Promise<void>; again: string | null };

function Waiting({ lang, t, ask, again }: WaitingProps) {
  const [busy, setBusy] = useState(false);
  const look = async () => {
    setBusy(true);
    await ask();
    setBusy(false);
  };
  return (
    <Notice tone="wait" title={t.waiting} lead={t.waitingLead} testid="pay-waiting">
      <button
        type="button"
        className="btn btn-primary btn-big w-full"
        disabled={busy}
        onClick={look}
        data-testid="check-payment"
      >
        {t.checkNow}
      </button>
      {again && (
        <a href={again} className="btn btn-plain w-full" data-testid="pay-again">
          {t.payAgain}
        </a>
      )}
      <Home lang={lang} t={t} />
    </Notice>
  );
}

type OverProps = { title: string; lead: string; testid: string; lang: Lang; t: CenterWords };

function Over({ title, lead, testid, lang, t }: OverProps) {
  return (
    <Notice tone="bad" title={title} lead={lead} testid={testid}>
      <a href={localPath(lang, '/Orders')} className="btn btn-primary w-full" data-testid="to-orders">
        {t.toOrders}
      </a>
      <Home lang={lang} t={t} />
    </Notice>
  );
}
