import { ArrowLeft, CircleCheckBig, ExternalLink, RotateCw } from 'lucide-react';
import type { ReactNode } from 'react';
import { clockOf, dayOf, pictureOf, priceOf } from '../format';
import { NARROW, useMedia } from '../../lib/useMedia';
import { ErrorLine, Wait } from '../parts';
import type { MemberPackage } from '../types';
import { useAccount } from '../useAccount';
import { type Buying, usePayment } from '../usePayment';
import { type AccountWords, accountWords, say } from '../words';
import type { Lang } from '../../lib/lang';
import { Dialog } from './Dialog';
import { Wallets } from './Wallets';

function Expired({ buying, t }: { buying: Buying; t: AccountWords }) {
  return (
    <div className="mt-6 rounded-lg bg-sunken p-8 text-center" role="alert" data-testid="pay-expired">
      <p className="text-lg font-semibold">{t.payExpired}</p>
      <p className="mt-1 text-ink-soft">{t.payExpiredLead}</p>
      <button type="button" className="btn btn-primary mt-5" onClick={buying.renew} data-testid="pay-renew">
        <RotateCw size={18} aria-hidden="true" />
        {t.payRenew}
      </button>
    </div>
  );
}

/** The QR of the wallet that was chosen, else the one that either wallet can scan. */
function ScanToPay({ buying, t }: { buying: Buying; t: AccountWords }) {
  const own = buying.opened?.order.codeSvg ? buying.opened : null;
  const svg = own?.order.codeSvg ?? buying.preorder?.unionSvg;
  const wallet = own?.wallet ?? 'both';
  const lines = { alipay: t.payScanAlipay, weixin: t.payScanWeixin, both: t.payScan };
  return (
    <div className="flex flex-col items-center text-center" data-testid="pay-scan" data-wallet={wallet}>
      <div className="qr-card w-52">
        {svg ? (
          <img src={pictureOf(svg)} alt={t.payAlt} />
        ) : (
          <div className="skeleton aspect-square w-full" />
        )}
      </div>
      <p className="mt-3 font-medium">{lines[wallet]}</p>
      {own && (
        <button
          type="button"
          className="mt-1 min-h-9 text-sm font-semibold text-primary underline underline-offset-4"
          onClick={() => buying.setOpened(null)}
        >
          {t.payOther}
        </button>
      )}
    </div>
  );
}

function Waiting({ buying, t }: { buying: Buying; t: AccountWords }) {
  const url = buying.opened?.order.payUrl;
  return (
    <div className="mt-4 text-sm text-ink-soft" role="status">
      <p className="flex items-center gap-2">
        <Wait size={16} />
        {url ? t.payOpened : t.payWaiting}
      </p>
      {url && (
        <a href={url} target="_blank" rel="noopener" className="btn btn-plain mt-3" data-testid="pay-link">
          <ExternalLink size={18} aria-hidden="true" />
          {t.payOpen}
        </a>
      )}
    </div>
  );
}

function Summary({ plan, buying, t }: { plan: MemberPackage; buying: Buying; t: AccountWords }) {
  const { preorder, left } = buying;
  return (
    <div className="rounded-lg bg-sunken p-4">
      <div className="flex items-baseline justify-between gap-4">
        <span className="font-semibold">{preorder?.packageName ?? plan.name}</span>
        <span className="text-2xl font-bold tabular-nums" data-testid="amount">
          {priceOf(preorder?.amount ?? plan.price)}
        </span>
      </div>
      <p className="mt-1 min-h-5 text-sm text-ink-soft tabular-nums">
        {preorder && say(t.payLeft, { time: clockOf(left * 1000) })}
      </p>
    </div>
  );
}

function Ways({ plan, buying, t }: { plan: MemberPackage; buying: Buying; t: AccountWords }) {
  const phone = useMedia(NARROW);
  return (
    <div className="mt-6 grid gap-6 md:grid-cols-[1fr_17rem] md:gap-8">
      <div>
        <Summary plan={plan} buying={buying} t={t} />
        <p className="mt-5 mb-2 text-sm font-semibold text-ink-soft">{t.payPhone}</p>
        <Wallets buying={buying} phone={phone} t={t} />
        {buying.trouble && <ErrorLine>{buying.trouble.text}</ErrorLine>}
        {buying.preorder && (!phone || buying.opened) && <Waiting buying={buying} t={t} />}
      </div>
      {!phone && <ScanToPay buying={buying} t={t} />}
    </div>
  );
}

function Paid({ lang, close, t }: { lang: Lang; close(): void; t: AccountWords }) {
  const until = useAccount().user?.member.expiresAt;
  return (
    <div className="mt-6 flex flex-col items-center pb-2 text-center" role="status" data-testid="paid">
      <CircleCheckBig size={56} strokeWidth={1.5} className="text-primary" aria-hidden="true" />
      {until && <p className="mt-4 text-lg">{say(t.paidLead, { date: dayOf(until, lang) })}</p>}
      <button type="button" className="btn btn-primary btn-big mt-6" onClick={close} data-testid="paid-go">
        {t.paidGo}
      </button>
    </div>
  );
}

type PaymentProps = { lang: Lang; plan: MemberPackage; back(): void; close(): void };

function body({ lang, plan, close }: PaymentProps, buying: Buying, t: AccountWords): ReactNode {
  if (buying.paid) return <Paid lang={lang} close={close} t={t} />;
  if (buying.expired) return <Expired buying={buying} t={t} />;
  return <Ways plan={plan} buying={buying} t={t} />;
}

/** Paying for one package. It watches the order until it is paid or closed. */
export function Payment(props: PaymentProps) {
  const { lang, plan, back, close } = props;
  const t = accountWords[lang];
  const buying = usePayment(plan, t);
  return (
    <Dialog
      title={buying.paid ? t.paidTitle : t.payTitle}
      closeLabel={t.close}
      onClose={close}
      testid="payment-dialog"
      size={buying.paid ? 'small' : 'medium'}
    >
      {body(props, buying, t)}
      {!buying.paid && (
        <button type="button" className="btn btn-quiet mt-4 -ml-3 px-3" onClick={back} data-testid="pay-back">
          <ArrowLeft size={18} aria-hidden="true" />
          {t.back}
        </button>
      )}
    </Dialog>
  );
}
