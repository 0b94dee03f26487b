import { useState } from 'react';
import { useAccount } from '../../account';
import { priceOf } from '../../account/format';
import { ORDER_STATUS, type Paid as PaidOrder } from '../../account/types';
import { type Lang, localPath } from '../../lib/lang';
import { fill } from '../../workbench/words';
import { momentText } from '../time';
import type { CenterWords } from '../words';
import { useAgain } from './again';
import type { PartProps } from './Pay';
import { Facts, Notice, Wait } from './parts';
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

type PaidProps = { order: PaidOrder; lang: Lang; t: CenterWords };

export function Paid({ order, lang, t }: PaidProps) {
  const { state } = useAccount();
  return (
    <Notice
      tone="good"
      title={t.paidTitle}
      lead={fill(t.paidLead, { package: order.packageName })}
      testid="pay-paid"
    >
      <Facts
        rows={[
          [t.package, order.packageName],
          [t.amount, <strong key="amount">{priceOf(order.amount)}</strong>],
          ...(order.paidAt ? ([[t.paidAt, momentText(order.paidAt, lang, t)]] as [string, string][]) : []),
          [
            t.orderNo,
            <span key="number" className="font-mono text-xs">
              {order.orderNo}
            </span>,
          ],
        ]}
      />
      {state === 'user' ? (
        <>
          <a href={localPath(lang, '/')} className="btn btn-primary btn-big w-full" data-testid="pay-home">
            {t.startUsing}
          </a>
          <a href={localPath(lang, '/Orders')} className="btn btn-plain w-full" data-testid="to-orders">
            {t.toOrders}
          </a>
        </>
      ) : (
        <p className="text-sm text-ink-soft" data-testid="paid-elsewhere">
          {t.paidElsewhere}
        </p>
      )}
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

export function Home({ lang, t }: { lang: Lang; t: CenterWords }) {
  return (
    <a href={localPath(lang, '/')} className="btn btn-plain w-full" data-testid="pay-home">
      {t.backHome}
    </a>
  );
}
