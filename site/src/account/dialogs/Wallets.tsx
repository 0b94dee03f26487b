import { useState } from 'react';
import type { Wallet } from '../calls';
import { WalletMark } from '../../ui/WalletMark';
import { insideWallet } from '../offers';
import { Wait } from '../parts';
import type { Buying } from '../usePayment';
import type { AccountWords } from '../words';

const WALLETS: readonly Wallet[] = ['alipay', 'weixin'];
const PHONE = { alipay: 'wap', weixin: 'h5' } as const;
const DESK = { alipay: 'page', weixin: 'native' } as const;

/** A page opened by the click itself: what opens after an answer is blocked. */
function openBlank(): Window | null {
  const page = window.open('about:blank', '_blank');
  if (page) page.opener = null;
  return page;
}

async function payOnDesk(buying: Buying, wallet: Wallet): Promise<void> {
  const page = wallet === 'alipay' ? openBlank() : null;
  const order = await buying.open(wallet, DESK[wallet]);
  if (order?.payUrl && page) page.location.replace(order.payUrl);
  else page?.close();
}

async function payOnPhone(buying: Buying, wallet: Wallet): Promise<void> {
  if (insideWallet(navigator.userAgent)) return location.assign(buying.preorder!.unionUrl);
  const order = await buying.open(wallet, PHONE[wallet]);
  if (order?.payUrl) location.assign(order.payUrl);
}

type WalletsProps = { buying: Buying; phone: boolean; t: AccountWords };

/** Each wallet's own way: its page on a desktop, its app on a phone. */
export function Wallets({ buying, phone, t }: WalletsProps) {
  const [busy, setBusy] = useState<Wallet | null>(null);
  const pay = async (wallet: Wallet) => {
    setBusy(wallet);
    await (phone ? payOnPhone(buying, wallet) : payOnDesk(buying, wallet));
    setBusy(null);
  };
  return (
    <div className="grid gap-2.5 sm:grid-cols-2 md:grid-cols-1 lg:grid-cols-2">
      {WALLETS.map((wallet) => (
        <button
          key={wallet}
          type="button"
          className="btn btn-plain min-h-12 justify-start"
          disabled={!buying.preorder || busy !== null}
          aria-pressed={buying.opened?.wallet === wallet}
          onClick={() => void pay(wallet)}
          data-testid={`pay-${wallet}`}
        >
          <WalletMark wallet={wallet} />
          {t[wallet]}
          {busy === wallet && <Wait />}
        </button>
      ))}
    </div>
  );
}
