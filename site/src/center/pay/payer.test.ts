import { beforeEach, expect, it } from 'vitest';
import type { WalletOrder } from '../../account/types';
import { Client } from '../../api/client';
import { Problem } from '../../api/problem';
import type { Asked } from './asked';
import { inWeixin } from './payer';

const LINK = { preorderId: 'p1', key: 'k1' };
const ORDER = { orderNo: 'n1', jsapi: {} } as WalletOrder;
const asked = (more: Partial<Asked>): Asked => ({
  ...LINK,
  code: null,
  openid: null,
  orderNo: null,
  reason: null,
  ...more,
});
const required = (authorizeUrl: string | null) =>
  new Problem({ code: 400, reason: 'openid_required', msg: 'Who pays?', authorizeUrl });

/** A cashier that wants an openid, unless another channel is asked for; and what it was asked. */
function cashier(authorizeUrl: string | null) {
  const seen: Record<string, string>[] = [];
  const create = async (more: Record<string, string>) => {
    seen.push(more);
    if (!more.openid && !more.channel) throw required(authorizeUrl);
    return ORDER;
  };
  return { seen, create };
}

/** A client for whom WeChat's code stands for `openid`, or for nobody any more. */
function knowing(openid: string | null): Client {
  const client = new Client('zh');
  client.get = (async () => {
    if (!openid) throw required('https://open.weixin.qq.com/again');
    return { openid };
  }) as Client['get'];
  return client;
}

beforeEach(() => history.replaceState(null, '', '/pay/union?preorderId=p1&key=k1&code=c1'));

it('exchanges the code for the payer, and keeps the payer in the address for a reload', async () => {
  const { seen, create } = cashier('https://open.weixin.qq.com/');
  expect(await inWeixin(knowing('o1'), asked({ code: 'c1' }), create)).toBe(ORDER);
  expect(seen).toEqual([{ openid: 'o1' }]);
  expect(location.search).toBe('?preorderId=p1&key=k1&openid=o1');
});

it('goes round once: a code that was refused is told, and asked anew only when the payer says so', async () => {
  const { seen, create } = cashier('https://open.weixin.qq.com/');
  const payer = asked({ code: 'c1' });
  await expect(inWeixin(knowing(null), payer, create)).rejects.toMatchObject({
    data: { reason: 'openid_required' },
  });
  expect([seen, payer.code]).toEqual([[], null]);
});

it('pays by a page where there is no official account', async () => {
  const { seen, create } = cashier(null);
  expect(await inWeixin(knowing(null), asked({}), create)).toBe(ORDER);
  expect(seen).toEqual([{}, { channel: 'h5' }]);
});
