import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { reloadAccount, useAccount } from '../../account';
import { ORDER_STATUS, type Paid } from '../../account/types';
import { Client, problemOf } from '../../api/client';
import type { Lang } from '../../lib/lang';
import { useReturning } from '../useNow';

const SOON = 2000;
const LATER = 6000;
/** Wallets tell within seconds; after this the page says that nothing has come. */
const PATIENCE = 30_000;

type Asking = { orderNo?: string; preorderId?: string | null; key?: string | null };

/** Asks how an order stands until it is no longer open. `unknown`: this browser may not know it. */
export function usePaid(asking: Asking, active: boolean, lang: Lang) {
  const client = useMemo(() => new Client(lang), [lang]);
  const [order, setOrder] = useState<Paid | null>(null);
  const [unknown, setUnknown] = useState(false);
  const [late, setLate] = useState(false);
  const { orderNo, preorderId, key } = asking;

  const ask = useCallback(async () => {
    try {
      const query = { orderNo, preorderId: preorderId ?? undefined, key: key ?? undefined };
      const found = await client.get<Paid | null>('member/pay/checkPayStatus', query);
      setOrder((known) => (sameOrder(known, found) ? known : found));
      setUnknown(found === null && orderNo !== undefined);
    } catch (error) {
      if ([401, 403, 404].includes(problemOf(error).code)) setUnknown(true);
    }
  }, [client, orderNo, preorderId, key]);

  // A visitor without the key would only hear that there is nothing to know.
  const visitor = useAccount().state === 'visitor' && !preorderId;
  const stranger = unknown || visitor;
  const open = active && !stranger && (order === null || order.status === ORDER_STATUS.UNPAID);
  useEffect(() => {
    if (!open) return;
    void ask();
    const timer = setInterval(
      () => {
        if (!document.hidden) void ask();
      },
      late ? LATER : SOON,
    );
    return () => clearInterval(timer);
  }, [open, late, ask]);
  useEffect(() => {
    if (!open || late) return;
    const timer = setTimeout(() => setLate(true), PATIENCE);
    return () => clearTimeout(timer);
  }, [open, late]);
  // The wallet is another app: coming back from it is the moment to look.
  useReturning(
    useCallback(() => {
      if (open) void ask();
    }, [open, ask]),
  );
  useNews(order);
  return { order, unknown: stranger, late, ask };
}

const sameOrder = (one: Paid | null, other: Paid | null) =>
  one?.orderNo === other?.orderNo && one?.status === other?.status;

/** Money that came changes what the person here may do. */
function useNews(order: Paid | null): void {
  const told = useRef(false);
  useEffect(() => {
    if (told.current || order?.status !== ORDER_STATUS.PAID) return;
    told.current = true;
    void reloadAccount();
  }, [order]);
}
