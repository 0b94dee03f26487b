import { useEffect, useState } from 'react';
import { useAccount } from '../../account';
import { Client } from '../../api/client';
import { type Lang, localPath } from '../../lib/lang';
import type { Order } from '../wire';
import type { Asked } from './asked';

/** The query of a payment page; what is null is left out. */
export function askedQuery(asked: Partial<Asked>): string {
  const given = Object.entries(asked).filter(([, value]) => value);
  return `?${new URLSearchParams(given as [string, string][])}`;
}

const LOOKED_AT = 20;

/**
 * The cashier's address for the preorder of an order that was not paid; null where there is none to pay.
 * Who is signed in comes back from the wallet with the order alone, so the preorder is looked up.
 */
export function useAgain({ orderNo, preorderId, key }: Asked, lang: Lang): string | null {
  const { state } = useAccount();
  const [found, setFound] = useState<string | null>(null);
  useEffect(() => {
    if (preorderId || !orderNo || state !== 'user') return;
    const stop = new AbortController();
    new Client(lang)
      .get<{ items: Order[] }>('member/order/getUserOrders', { page: 1, size: LOOKED_AT }, stop.signal)
      .then(({ items }) => setFound(payable(items, orderNo)))
      .catch(() => undefined);
    return () => stop.abort();
  }, [preorderId, orderNo, state, lang]);
  const held = preorderId ?? found;
  return held && localPath(lang, '/pay/union') + askedQuery({ preorderId: held, key });
}

const payable = (items: Order[], orderNo: string) =>
  items.find((order) => order.orderNo === orderNo && order.payable)?.preorderId ?? null;
