import { CircleAlert, CircleCheckBig, Clock3, LoaderCircle, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { useAccount } from '../../account';
import { priceOf } from '../../account/format';
import type { Paid as PaidOrder } from '../../account/types';
import { type Lang, localPath } from '../../lib/lang';
import { fill } from '../../workbench/words';
import { momentText } from '../time';
import type { CenterWords } from '../words';

const TONES: Record<'good' | 'bad' | 'wait', [LucideIcon, string]> = {
  good: [CircleCheckBig, 'bg-tint text-primary'],
  bad: [CircleAlert, 'bg-danger-tint text-danger'],
  wait: [Clock3, 'bg-warn-tint text-warn'],
};

type NoticeProps = {
  tone: keyof typeof TONES;
  title: string;
  lead: string;
  testid: string;
  children?: ReactNode;
};

/** How it stands, in one glance, and what to do next. */
export function Notice({ tone, title, lead, testid, children }: NoticeProps) {
  const [Icon, colours] = TONES[tone];
  return (
    <section className="card px-6 py-10 text-center" data-testid={testid}>
      <span className={`inline-flex size-20 items-center justify-center rounded-full ${colours}`}>
        <Icon size={40} strokeWidth={1.75} aria-hidden="true" />
      </span>
      <div role="status">
        <h1 className="mt-5 text-2xl">{title}</h1>
        <p className="mt-2 text-ink-soft">{lead}</p>
      </div>
      {children && <div className="mt-7 space-y-3">{children}</div>}
    </section>
  );
}

/** Something is on its way. */
export function Wait({ text, lead }: { text: string; lead?: string }) {
  return (
    <section className="px-6 py-10 text-center" data-testid="pay-wait">
      <LoaderCircle
        size={44}
        strokeWidth={1.75}
        className="mx-auto text-primary motion-safe:animate-spin"
        aria-hidden="true"
      />
      <div role="status">
        <h1 className="mt-5 text-xl">{text}</h1>
        {lead && <p className="mt-2 text-ink-soft">{lead}</p>}
      </div>
    </section>
  );
}

/** Name and value, one line each. */
export function Facts({ rows }: { rows: [string, ReactNode][] }) {
  return (
    <dl className="rounded-md bg-sunken px-4 py-3 text-left text-sm">
      {rows.map(([name, value]) => (
        <div key={name} className="flex justify-between gap-4 py-1.5">
          <dt className="shrink-0 text-ink-faint">{name}</dt>
          <dd className="min-w-0 break-all text-right text-ink">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

type PaidProps = { order: PaidOrder; lang: Lang; t: CenterWords };

/** The money has come: what was bought, and the way on. */
export function Paid({ order, lang, t }: PaidProps) {
  const { state } = useAccount();
  return (
    <Notice
      tone="good"
      title={t.paidTitle}
      lead={fill(t.paidLead, { package: order.packageName })}
      testid="pay-paid"
    >
      <Facts
        rows={[
          [t.package, order.packageName],
          [t.amount, <strong key="amount">{priceOf(order.amount)}</strong>],
          ...(order.paidAt ? ([[t.paidAt, momentText(order.paidAt, lang, t)]] as [string, string][]) : []),
          [
            t.orderNo,
            <span key="number" className="font-mono text-xs">
              {order.orderNo}
            </span>,
          ],
        ]}
      />
      {state === 'user' ? (
        <>
          <a href={localPath(lang, '/')} className="btn btn-primary btn-big w-full" data-testid="pay-home">
            {t.startUsing}
          </a>
          <a href={localPath(lang, '/Orders')} className="btn btn-plain w-full" data-testid="to-orders">
            {t.toOrders}
          </a>
        </>
      ) : (
        <p className="text-sm text-ink-soft" data-testid="paid-elsewhere">
          {t.paidElsewhere}
        </p>
      )}
    </Notice>
  );
}

export function Home({ lang, t }: { lang: Lang; t: CenterWords }) {
  return (
    <a href={localPath(lang, '/')} className="btn btn-plain w-full" data-testid="pay-home">
      {t.backHome}
    </a>
  );
}
