import type { Wallet } from '../../account/calls';

export type Way = { wallet: Wallet; channel: string };

const PHONE = /Mobi|Android|iPhone|iPad|iPod|HarmonyOS/i;

/** The wallet whose own browser this is: inside it only that wallet can be paid with. */
export function walletOf(agent: string): Wallet | null {
  if (/MicroMessenger/i.test(agent)) return 'weixin';
  return /AlipayClient/i.test(agent) ? 'alipay' : null;
}

/** How this browser pays with a wallet: in the wallet, from a phone to its app, or on a desktop. */
export function wayOf(wallet: Wallet, agent: string): Way {
  const inside = walletOf(agent) === wallet;
  if (wallet === 'weixin' && inside) return { wallet, channel: 'jsapi' };
  const phone = inside || PHONE.test(agent);
  if (wallet === 'weixin') return { wallet, channel: phone ? 'h5' : 'native' };
  return { wallet, channel: phone ? 'wap' : 'page' };
}
