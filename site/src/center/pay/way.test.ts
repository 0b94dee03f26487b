import { expect, it } from 'vitest';
import { walletOf, wayOf } from './way';

const ANDROID =
  'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 Chrome/120.0 Mobile Safari/537.36';
const WEIXIN = `${ANDROID} MicroMessenger/8.0.47 NetType/WIFI Language/zh_CN`;
const ALIPAY = `${ANDROID} AliApp(AP/10.5.60) AlipayClient/10.5.60`;
const DESK = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/120.0 Safari/537.36';

it('knows a wallet by its browser', () => {
  expect([WEIXIN, ALIPAY, ANDROID, DESK].map(walletOf)).toEqual(['weixin', 'alipay', null, null]);
});

it('pays inside WeChat by its script', () => {
  expect(wayOf('weixin', WEIXIN).channel).toBe('jsapi');
});

it('opens the app from a phone, and a page or a code on a desktop', () => {
  expect(wayOf('weixin', ANDROID).channel).toBe('h5');
  expect(wayOf('alipay', ALIPAY).channel).toBe('wap');
  expect(wayOf('alipay', ANDROID).channel).toBe('wap');
  expect(wayOf('alipay', DESK).channel).toBe('page');
  expect(wayOf('weixin', DESK).channel).toBe('native');
});
