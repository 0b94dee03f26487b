import { Crown } from 'lucide-react';
import type { Lang } from '../../lib/lang';
import { fill } from '../../workbench/words';
import { Pager, Screen, SignedOut, Skeleton, Unreachable } from '../screens';
import { OrderCard } from './OrderCard';
import { type OrdersView, PAGE_SIZE, useOrders } from './useOrders';

export type OrdersProps = { lang: Lang };

/** The island of /Orders. */
export function Orders({ lang }: OrdersProps) {
  const view = useOrders(lang);
  return (
    <div data-testid="orders-page" aria-busy={view.gate === 'loading'}>
      <Standing view={view} />
    </div>
  );
}

function Standing({ view }: { view: OrdersView }) {
  const { t, list } = view;
  if (view.gate === 'signedOut') {
    return <SignedOut title={t.ordersSignIn} lead={t.ordersSignInLead} t={t} onSignIn={view.signIn} />;
  }
  if (view.away && !list) return <Unreachable t={t} onRetry={view.lookAgain} />;
  if (!list) return <Skeleton t={t} rows={2} />;
  return list.total === 0 ? <Nothing view={view} /> : <Listed view={view} />;
}

function Listed({ view }: { view: OrdersView }) {
  const { t, list, page, setPage } = view;
  const pages = Math.max(1, Math.ceil(list!.total / PAGE_SIZE));
  return (
    <>
      <p className="min-h-6 text-sm text-ink-faint" role="status" data-testid="count">
        {view.away ? <span className="text-warn">{t.stale}</span> : fill(t.ordersCount, { n: list!.total })}
      </p>
      <ul className="mt-3 space-y-4" data-testid="orders">
        {list!.items.map((order) => (
          <OrderCard key={order.orderNo} order={order} view={view} />
        ))}
      </ul>
      <Pager page={page} pages={pages} t={t} onPage={setPage} />
    </>
  );
}

function Nothing({ view: { t, buy } }: { view: OrdersView }) {
  return (
    <Screen title={t.ordersEmptyTitle} lead={t.ordersEmptyLead} testid="empty">
      <button
        type="button"
        className="btn btn-primary btn-big max-sm:w-full"
        onClick={buy}
        data-testid="see-packages"
      >
        <Crown size={20} aria-hidden="true" />
        {t.openMembership}
      </button>
    </Screen>
  );
}
