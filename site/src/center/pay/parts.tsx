import { CircleAlert, CircleCheckBig, Clock3, LoaderCircle, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';

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
