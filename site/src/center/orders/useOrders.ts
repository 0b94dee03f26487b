import { useCallback, useEffect, useMemo, useState } from 'react';
import { notePayStatus, openMembership, reloadAccount } from '../../account';
import { usePoll } from '../../account/hooks';
import { ORDER_STATUS, type Paid } from '../../account/types';
import { Client, problemOf } from '../../api/client';
import { type Lang, localPath } from '../../lib/lang';
import { say, sayProblem } from '../say';
import { useGate } from '../useGate';
import { useNow, useReturning } from '../useNow';
import type { Order } from '../wire';
import { words } from '../words';

export const PAGE_SIZE = 10;
const TICK = 10_000;
const LOOK_AGAIN = 5000;
const ASK_EVERY = 5000;

type List = { items: Order[]; total: number };

/** One page of the account's orders; null before the first answer. */
function useList(client: Client, page: number, open: boolean, id: string | null) {
  const [list, setList] = useState<List | null>(null);
  const [failed, setFailed] = useState(false);
  const load = useCallback(
    async (signal?: AbortSignal) => {
      try {
        const found = await client.get<List>('member/order/getUserOrders', { page, size: PAGE_SIZE }, signal);
        setList(found);
        setFailed(false);
      } catch (error) {
        if (signal?.aborted) return;
        if (problemOf(error).code === 401) void reloadAccount();
        setFailed(true);
      }
    },
    [client, page],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: another account has other orders
  useEffect(() => {
    if (!open) return setList(null);
    const stop = new AbortController();
    void load(stop.signal);
    return () => stop.abort();
  }, [open, id, load]);
  return { list, failed, load };
}

/** Asks about the unpaid orders shown, while somebody looks: a payment whose notification was lost is found by this. */
function useChecking(client: Client, list: List | null, load: () => Promise<void>) {
  const ask = useCallback(
    (orderNo: string) => client.get<Paid | null>('member/pay/checkPayStatus', { orderNo }),
    [client],
  );
  const unpaid = (list?.items ?? []).filter(({ status }) => status === ORDER_STATUS.UNPAID);
  const numbers = unpaid.map(({ orderNo }) => orderNo).join();
  const checkAll = useCallback(async () => {
    const asked = numbers.split(',').filter(Boolean);
    const answers = await Promise.all(asked.map((orderNo) => ask(orderNo).catch(() => null)));
    const changed = answers.filter((answer) => answer && answer.status !== ORDER_STATUS.UNPAID);
    if (changed.length === 0) return;
    await load();
    if (changed.some((answer) => answer?.status === ORDER_STATUS.PAID)) await reloadAccount();
  }, [numbers, ask, load]);
  useEffect(() => void checkAll(), [checkAll]);
  usePoll(
    checkAll,
    ASK_EVERY,
    unpaid.some(({ payable }) => payable),
  );
  return { ask, checkAll };
}

export function useOrders(lang: Lang) {
  const t = words[lang];
  const client = useMemo(() => new Client(lang), [lang]);
  const { gate, id, signIn } = useGate(t.ordersReason);
  const [page, setPage] = useState(1);
  const { list, failed, load } = useList(client, page, gate === 'open', id);
  const { ask, checkAll } = useChecking(client, list, load);
  const now = useNow(TICK);
  const away = failed || gate === 'unreachable';

  const lookAgain = useCallback(() => {
    if (gate === 'unreachable') void reloadAccount();
    else void load();
  }, [gate, load]);
  useEffect(() => {
    if (!away) return;
    const timer = setInterval(lookAgain, LOOK_AGAIN);
    return () => clearInterval(timer);
  }, [away, lookAgain]);

  useReturning(
    useCallback(() => {
      if (gate === 'open') void load().then(checkAll);
    }, [gate, load, checkAll]),
  );

  const check = async (order: Order) => {
    try {
      const found = await ask(order.orderNo);
      if (!found || found.status === ORDER_STATUS.UNPAID) return await say(t.notYet, 'info');
      await notePayStatus(found.status);
      await load();
      if (found.status === ORDER_STATUS.PAID) await say(t.nowPaid, 'success');
    } catch (error) {
      await sayProblem(error, t);
    }
  };

  /** The same held price at the cashier while it lives, else a new one of that package. */
  const payAgain = async (order: Order) => {
    if (order.payable) {
      return location.assign(`${localPath(lang, '/pay/union')}?preorderId=${order.preorderId}`);
    }
    await openMembership({ packageId: order.packageId });
    await load();
  };
  const buy = () => openMembership().then(() => load());

  return { t, lang, gate, signIn, page, setPage, list, away, lookAgain, now, check, payAgain, buy };
}

export type OrdersView = ReturnType<typeof useOrders>;
