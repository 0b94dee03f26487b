import type { WalletOrder } from '../../account/types';
import { type Client, problemOf } from '../../api/client';
import { askedQuery } from './again';
import type { Asked } from './asked';

type Create = (more: Record<string, string>) => Promise<WalletOrder>;

/**
 * The order inside WeChat, which asks who pays: `asked` gets the openid when its code tells it.
 * Null when the page leaves for WeChat's authorization, from which it comes back with a code.
 */
export async function inWeixin(client: Client, asked: Asked, create: Create): Promise<WalletOrder | null> {
  const { code } = asked;
  try {
    if (code && !asked.openid) await identify(client, asked, code);
    return await create(asked.openid ? { openid: asked.openid } : {});
  } catch (error) {
    const { reason, authorizeUrl } = problemOf(error);
    if (reason !== 'openid_required') throw error;
    // Without an official account WeChat's page is the way, as from any other browser.
    if (!authorizeUrl) return create({ channel: 'h5' });
    // A code that was refused is not followed by another round unless the payer asks for one.
    if (code && asked.code === null) throw error;
    location.replace(authorizeUrl);
    return null;
  }
}

/** A code is good once: the address then has the openid in its place, for a reload. */
async function identify(client: Client, asked: Asked, code: string): Promise<void> {
  const { preorderId, key } = asked;
  asked.code = null;
  const query = { preorderId: preorderId ?? undefined, key: key ?? undefined, code };
  const { openid } = await client.get<{ openid: string }>('member/pay/weixinOpenid', query);
  asked.openid = openid;
  history.replaceState(history.state, '', location.pathname + askedQuery({ preorderId, key, openid }));
}
