import { ShieldCheck } from 'lucide-react';
import type { Wallet } from '../../account/calls';
import { pictureOf, priceOf } from '../../account/format';
import { ORDER_STATUS, type WalletOrder } from '../../account/types';
import { localPath } from '../../lib/lang';
import { WalletMark } from '../../ui/WalletMark';
import { fill } from '../../workbench/words';
import type { CenterWords } from '../words';
import type { PartProps } from './asked';
import { Notice, Paid, Wait } from './parts';
import { useCashier } from './useCashier';
import { usePaid } from './usePaid';
import { usePrice } from './usePrice';
import { walletOf } from './way';

type CashierProps = PartProps & { preorderId: string };

/** The cashier behind the code that either wallet can scan. */
export function Cashier(props: CashierProps) {
  const { state, open, choose } = useCashier(props);
  const { asked, preorderId, t, lang } = props;
  const price = usePrice(props);
  const paid = usePaid({ preorderId, key: asked.key }, state.at === 'code' || state.at === 'choosing', lang);
  if (paid.order?.status === ORDER_STATUS.PAID) return <Paid order={paid.order} lang={lang} t={t} />;
  switch (state.at) {
    case 'choosing':
      return <Choose t={t} amount={price?.amount} name={price?.packageName} open={open} />;
    case 'opening':
      return <Wait text={fill(t.cashierAuto, { wallet: t[state.wallet] })} />;
    case 'code':
      return <Code order={state.order} t={t} choose={choose} />;
    case 'trouble':
      return <Trouble {...props} reason={state.reason} msg={state.msg} choose={choose} />;
  }
}

type ChooseProps = {
  t: CenterWords;
  amount: number | undefined;
  name: string | undefined;
  open(wallet: Wallet): void;
};

/** One hand, one thumb: two big buttons. */
function Choose({ t, amount, name, open }: ChooseProps) {
  const own = walletOf(navigator.userAgent);
  const wallets: Wallet[] = own ? [own] : ['weixin', 'alipay'];
  return (
    <section data-testid="cashier">
      <div className="text-center">
        <h1 className="text-2xl">{t.cashierTitle}</h1>
        {amount !== undefined && (
          <p className="mt-4">
            <span className="block text-sm text-ink-faint">{name}</span>
            <span className="text-4xl font-bold tabular-nums" data-testid="pay-amount">
              {priceOf(amount)}
            </span>
          </p>
        )}
        <p className="mt-2 text-ink-soft">{t.cashierLead}</p>
      </div>
      <div className="mt-8 space-y-4">
        {wallets.map((wallet) => (
          <button
            key={wallet}
            type="button"
            className="btn btn-plain btn-big min-h-18 w-full justify-start gap-4 px-5 shadow-soft"
            onClick={() => open(wallet)}
            data-testid={`cashier-${wallet}`}
          >
            <WalletMark wallet={wallet} size={36} />
            {fill(t.payWith, { wallet: t[wallet] })}
          </button>
        ))}
      </div>
      <p className="mt-8 flex items-center justify-center gap-2 text-sm text-ink-faint">
        <ShieldCheck size={18} aria-hidden="true" className="shrink-0" />
        {t.cashierSafe}
      </p>
    </section>
  );
}

function Code({ order, t, choose }: { order: WalletOrder; t: CenterWords; choose(): void }) {
  return (
    <section className="card px-6 py-8 text-center" data-testid="pay-code">
      <h1 className="text-xl">{t.scanWeixin}</h1>
      <p className="mt-1 text-ink-soft">{order.packageName}</p>
      <p className="mt-1 text-3xl font-bold tabular-nums" data-testid="pay-amount">
        {priceOf(order.amount)}
      </p>
      {order.codeSvg && (
        <span className="mt-5 inline-block rounded-lg border border-line bg-white p-3">
          <img src={pictureOf(order.codeSvg)} alt={t.codeAlt} className="size-52" />
        </span>
      )}
      <button type="button" className="btn btn-quiet mt-4 w-full" onClick={choose} data-testid="other-wallet">
        {t.otherWallet}
      </button>
    </section>
  );
}

type TroubleProps = CashierProps & { reason: string; msg: string; choose(): void };

function Trouble({ reason, msg, choose, t, lang }: TroubleProps) {
  const home = (
    <a href={localPath(lang, '/')} className="btn btn-plain w-full" data-testid="pay-home">
      {t.backHome}
    </a>
  );
  if (reason === 'already_paid') {
    return (
      <Notice tone="good" title={t.alreadyPaid} lead={t.alreadyPaidLead} testid="pay-already">
        {home}
      </Notice>
    );
  }
  if (reason === 'preorder_expired' || reason === 'preorder_unknown') {
    return (
      <Notice tone="bad" title={t.linkExpired} lead={t.linkExpiredLead} testid="pay-expired">
        {home}
      </Notice>
    );
  }
  const known = reason === 'gateway_unavailable' || reason === 'unreachable' || !msg;
  return (
    <Notice tone="bad" title={t.gatewayDown} lead={known ? t.gatewayDownLead : msg} testid="pay-trouble">
      <button type="button" className="btn btn-primary btn-big w-full" onClick={choose} data-testid="retry">
        {t.retry}
      </button>
    </Notice>
  );
}
