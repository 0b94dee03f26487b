import { useEffect, useState } from 'react';
import { Client } from '../../api/client';
import type { PartProps } from './asked';

type Price = { amount: number; packageName: string; months: number; expiresAt: number };

/** What the preorder costs, known before any order of it; null until then, and where it is not to be had. */
export function usePrice({ lang, asked, preorderId }: PartProps & { preorderId: string }): Price | null {
  const { key } = asked;
  const [price, setPrice] = useState<Price | null>(null);
  useEffect(() => {
    const stop = new AbortController();
    new Client(lang)
      .get<Price>('member/preorder/getPreorder', { preorderId, key: key ?? undefined }, stop.signal)
      .then(setPrice)
      // Choosing a wallet tells what is wrong.
      .catch(() => undefined);
    return () => stop.abort();
  }, [lang, preorderId, key]);
  return price;
}
