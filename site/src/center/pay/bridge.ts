type Bridge = {
  invoke(name: string, request: Record<string, string>, done: (answer: { err_msg?: string }) => void): void;
};

const PATIENCE = 3000;
const bridge = () => (window as unknown as { WeixinJSBridge?: Bridge }).WeixinJSBridge;

/** WeChat puts its bridge into the page a moment after it has loaded; null where it never does. */
function ready(): Promise<Bridge | null> {
  return new Promise((resolve) => {
    const now = bridge();
    if (now) return resolve(now);
    const timer = setTimeout(() => resolve(null), PATIENCE);
    document.addEventListener('WeixinJSBridgeReady', () => {
      clearTimeout(timer);
      resolve(bridge() ?? null);
    });
  });
}

export type Outcome = 'ok' | 'cancel' | 'fail';

/** WeChat's own payment sheet over this page. */
export async function payInWeixin(request: Record<string, string>): Promise<Outcome> {
  const found = await ready();
  if (!found) return 'fail';
  return new Promise((resolve) => {
    found.invoke('getBrandWCPayRequest', request, ({ err_msg = '' }) => {
      const word = err_msg.split(':').at(-1);
      resolve(word === 'ok' || word === 'cancel' ? word : 'fail');
    });
  });
}
