import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { Wallet } from '../../account/calls';
import type { WalletOrder } from '../../account/types';
import { Client, problemOf } from '../../api/client';
import { localPath } from '../../lib/lang';
import { payInWeixin } from './bridge';
import type { PartProps } from './asked';
import { askedQuery } from './again';
import { inWeixin } from './payer';
import { walletOf, wayOf } from './way';

export type CashierState =
  | { at: 'choosing' }
  | { at: 'opening'; wallet: Wallet }
  /** A desktop pays with WeChat by scanning. */
  | { at: 'code'; order: WalletOrder }
  | { at: 'trouble'; reason: string; msg: string };

const PATHS: Record<Wallet, string> = {
  alipay: 'member/order/createAlipayOrder',
  weixin: 'member/order/createWeixinOrder',
};

/** Opens the preorder in a wallet: by itself inside a wallet's own browser, else the one that is chosen. */
export function useCashier({ lang, asked, preorderId }: PartProps & { preorderId: string }) {
  const { key } = asked;
  const client = useMemo(() => new Client(lang), [lang]);
  const [state, setState] = useState<CashierState>({ at: 'choosing' });
  const payer = useRef({ ...asked });

  const enter = useCallback(
    async (order: WalletOrder) => {
      // Coming back must not open the wallet once more by itself.
      if (order.payUrl) return location.replace(order.payUrl);
      if (!order.jsapi) return setState({ at: 'code', order });
      const outcome = await payInWeixin(order.jsapi);
      if (outcome === 'cancel') return setState({ at: 'choosing' });
      const path = localPath(lang, outcome === 'ok' ? '/pay/weixin' : '/pay/error');
      const reason = outcome === 'ok' ? null : 'declined';
      location.replace(path + askedQuery({ orderNo: order.orderNo, preorderId, key, reason }));
    },
    [lang, preorderId, key],
  );

  const open = useCallback(
    async (wallet: Wallet) => {
      setState({ at: 'opening', wallet });
      const { channel } = wayOf(wallet, navigator.userAgent);
      const create = (more: Record<string, string>) =>
        client.get<WalletOrder>(PATHS[wallet], { preorderId, key: key ?? undefined, channel, ...more });
      try {
        const order = channel === 'jsapi' ? await inWeixin(client, payer.current, create) : await create({});
        if (order) await enter(order);
      } catch (error) {
        const { reason, msg } = problemOf(error);
        setState({ at: 'trouble', reason, msg });
      }
    },
    [client, preorderId, key, enter],
  );

  const begun = useRef(false);
  useEffect(() => {
    const own = walletOf(navigator.userAgent);
    if (!own || begun.current) return;
    begun.current = true;
    void open(own);
  }, [open]);
  return { state, open, choose: () => setState({ at: 'choosing' }) };
}
