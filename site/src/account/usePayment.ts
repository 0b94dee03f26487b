import { useCallback, useEffect, useState } from 'react';
import type { Wallet } from './calls';
import { heldUntil } from './format';
import { usePoll, useSecondsLeft } from './hooks';
import { type Trouble, troubleOf } from './trouble';
import { ORDER_STATUS, type MemberPackage, type Preorder, type WalletOrder } from './types';
import { calls, notePayStatus, reloadAccount } from './watch';
import type { AccountWords } from './words';

const EVERY = 2000;

/** A price held for half an hour; another one when that is over. */
function usePreorder(plan: MemberPackage, t: AccountWords) {
  const [preorder, setPreorder] = useState<Preorder | null>(null);
  const [trouble, setTrouble] = useState<Trouble | null>(null);
  const order = useCallback(async () => {
    setPreorder(null);
    setTrouble(null);
    try {
      const made = await (await calls()).preorder(plan.id);
      setPreorder({ ...made, expiresAt: heldUntil(made.expiresAt, Date.now()) });
    } catch (error) {
      setTrouble(troubleOf(error, t));
    }
  }, [plan.id, t]);
  useEffect(() => void order(), [order]);
  const left = useSecondsLeft(preorder?.expiresAt ?? Number.POSITIVE_INFINITY);
  return { preorder, trouble, setTrouble, order, left };
}

/** Asks whether the preorder was paid, whichever wallet and device paid it. */
function usePaid(preorder: Preorder | null): boolean {
  const [paid, setPaid] = useState(false);
  const check = async () => {
    const order = await (await calls()).payStatus(preorder!.preorderId);
    if (order) await notePayStatus(order.status);
    if (order?.status !== ORDER_STATUS.PAID) return;
    // The membership may have been granted a moment after the status that is already known.
    await reloadAccount();
    setPaid(true);
  };
  usePoll(check, EVERY, preorder !== null && !paid);
  return paid;
}

/** Buying one package: the held price, a wallet's own order, and whether it was paid. */
export function usePayment(plan: MemberPackage, t: AccountWords) {
  const held = usePreorder(plan, t);
  const paid = usePaid(held.preorder);
  const [opened, setOpened] = useState<{ wallet: Wallet; order: WalletOrder } | null>(null);
  const { preorder, setTrouble, order } = held;
  const open = useCallback(
    async (wallet: Wallet, channel: string): Promise<WalletOrder | null> => {
      setTrouble(null);
      try {
        const made = await (await calls()).walletOrder(wallet, preorder!.preorderId, channel);
        setOpened({ wallet, order: made });
        return made;
      } catch (error) {
        setTrouble(troubleOf(error, t));
        return null;
      }
    },
    [preorder, setTrouble, t],
  );
  const renew = useCallback(() => {
    setOpened(null);
    void order();
  }, [order]);
  const expired = preorder !== null && (held.left === 0 || held.trouble?.reason === 'preorder_expired');
  return { ...held, paid, opened, setOpened, open, renew, expired };
}

export type Buying = ReturnType<typeof usePayment>;
