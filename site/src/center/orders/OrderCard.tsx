import { ArrowLeftRight, RefreshCw } from 'lucide-react';
import { useState } from 'react';
import { priceOf } from '../../account/format';
import { ORDER_STATUS } from '../../account/types';
import { WalletMark } from '../../ui/WalletMark';
import { fill } from '../../workbench/words';
import { leftText, momentText } from '../time';
import type { Order } from '../wire';
import type { CenterWords } from '../words';
import type { OrdersView } from './useOrders';

type CardProps = { order: Order; view: OrdersView };

/** One order: what was bought, how it stands, and for an unpaid one the way to pay it. */
export function OrderCard({ order, view }: CardProps) {
  const { t } = view;
  return (
    <li
      className="card p-4 sm:p-5"
      data-testid="order"
      data-order={order.orderNo}
      data-status={order.status}
      data-payable={order.payable}
    >
      <div className="flex items-start justify-between gap-4">
        <div className="min-w-0">
          <h2 className="font-semibold [text-wrap:wrap]">{order.packageName}</h2>
          <p className="mt-1.5 flex flex-wrap items-center gap-2">
            <StateChip order={order} t={t} />
            {order.transferred && (
              <span
                className="inline-flex items-center gap-1 rounded-full bg-sunken px-2.5 py-0.5 text-xs font-semibold text-ink-soft"
                title={t.transferredTip}
                data-testid="transferred"
              >
                <ArrowLeftRight size={13} aria-hidden="true" />
                {t.transferred}
              </span>
            )}
          </p>
        </div>
        <p className="shrink-0 text-xl font-bold tabular-nums" data-testid="order-amount">
          {priceOf(order.amount)}
        </p>
      </div>
      <Details order={order} view={view} />
      {order.status === ORDER_STATUS.UNPAID && <Paying order={order} view={view} />}
      {order.status === ORDER_STATUS.CLOSED && <BuyAgain order={order} view={view} />}
    </li>
  );
}

const TONES: Record<number, string> = {
  [ORDER_STATUS.UNPAID]: 'bg-warn-tint text-warn',
  [ORDER_STATUS.PAID]: 'bg-tint text-primary-strong',
  [ORDER_STATUS.CLOSED]: 'bg-sunken text-ink-soft',
  [ORDER_STATUS.REFUNDED]: 'bg-sunken text-ink-soft',
};

const stateOf = (status: number, t: CenterWords): string =>
  ({
    [ORDER_STATUS.UNPAID]: t.unpaid,
    [ORDER_STATUS.PAID]: t.paid,
    [ORDER_STATUS.CLOSED]: t.closed,
    [ORDER_STATUS.REFUNDED]: t.refunded,
  })[status] ?? '';

function StateChip({ order: { status }, t }: { order: Order; t: CenterWords }) {
  return (
    <span
      className={`rounded-full px-2.5 py-0.5 text-xs font-semibold ${TONES[status] ?? ''}`}
      data-testid="order-state"
    >
      {stateOf(status, t)}
    </span>
  );
}

function Details({ order, view: { t, lang, now } }: CardProps) {
  const rows: [string, React.ReactNode][] = [
    [
      t.wallet,
      <span key="wallet" className="inline-flex items-center gap-1.5">
        <WalletMark wallet={order.wallet} size={18} />
        {t[order.wallet]}
      </span>,
    ],
    [t.createdAt, momentText(order.createdAt, lang, t, now)],
    ...(order.paidAt ? ([[t.paidAt, momentText(order.paidAt, lang, t, now)]] as [string, string][]) : []),
    [
      t.orderNo,
      <span key="number" className="break-all font-mono text-xs">
        {order.orderNo}
      </span>,
    ],
  ];
  return (
    <dl className="mt-4 grid gap-x-8 gap-y-2 border-t border-line pt-4 text-sm sm:flex sm:flex-wrap">
      {rows.map(([name, value]) => (
        <div key={name} className="flex items-center justify-between gap-4 sm:justify-start sm:gap-2">
          <dt className="shrink-0 text-ink-faint">{name}</dt>
          <dd className="min-w-0 text-right text-ink-soft sm:text-left">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** The held price lives, yet this order is not for paying: another order of the same purchase was paid. */
const isSettled = (order: Order, now: number) => !order.payable && order.expiresAt > now;

function Paying({ order, view }: CardProps) {
  const { t, now } = view;
  if (isSettled(order, now)) {
    return (
      <p className="mt-4 text-sm text-ink-soft" data-testid="settled">
        {t.settled}
      </p>
    );
  }
  return <Pay order={order} view={view} />;
}

function Pay({ order, view }: CardProps) {
  const [busy, setBusy] = useState(false);
  const { t, now } = view;
  const check = async () => {
    setBusy(true);
    await view.check(order);
    setBusy(false);
  };
  return (
    <div className="mt-4 flex flex-wrap items-center justify-between gap-3">
      <p className="text-sm text-warn max-sm:w-full" data-testid="pay-before">
        {order.payable ? fill(t.payBefore, { time: leftText(order.expiresAt - now, t) }) : t.priceGone}
      </p>
      <div className="flex gap-2 max-sm:w-full">
        <button
          type="button"
          className="btn btn-plain max-sm:flex-1"
          disabled={busy}
          onClick={check}
          data-testid="check-payment"
        >
          <RefreshCw size={18} aria-hidden="true" />
          {t.checkNow}
        </button>
        <button
          type="button"
          className="btn btn-primary max-sm:flex-1"
          onClick={() => view.payAgain(order)}
          data-testid="pay-again"
        >
          {order.payable ? t.payAgain : t.buyAgain}
        </button>
      </div>
    </div>
  );
}

function BuyAgain({ order, view }: CardProps) {
  return (
    <div className="mt-4 flex justify-end">
      <button
        type="button"
        className="btn btn-plain max-sm:w-full"
        onClick={() => view.payAgain(order)}
        data-testid="buy-again"
      >
        {view.t.buyAgain}
      </button>
    </div>
  );
}
