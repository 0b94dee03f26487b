import { ChevronRight, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';

type NoticeProps = {
  icon: LucideIcon;
  title: string;
  lead: string;
  tone?: 'good' | 'plain';
  testid: string;
  children?: ReactNode;
};

/** One message that fills the page: an end, or something to do first. */
export function Notice({ icon: Icon, title, lead, tone = 'plain', testid, children }: NoticeProps) {
  return (
    <section className="flex flex-col items-center px-2 py-14 text-center" data-testid={testid}>
      <span
        className={`flex size-18 items-center justify-center rounded-full ${
          tone === 'good' ? 'bg-tint-strong text-primary-strong' : 'bg-sunken text-ink-soft'
        }`}
      >
        <Icon size={34} strokeWidth={1.6} aria-hidden="true" />
      </span>
      <h1 className="mt-6 text-2xl">{title}</h1>
      <p className="mt-2 max-w-sm text-ink-soft">{lead}</p>
      {children && <div className="mt-8 flex w-full max-w-sm flex-col gap-3">{children}</div>}
    </section>
  );
}

type RowProps = {
  icon: LucideIcon;
  name: string;
  hint?: string;
  danger?: boolean;
  /** Does it at once instead of leading somewhere. */
  atOnce?: boolean;
  testid: string;
  href?: string;
  onClick?(): void;
};

/** A line of the list that leads somewhere or does something. */
export function Row({ icon: Icon, name, hint, danger, atOnce, testid, href, onClick }: RowProps) {
  const inside = (
    <>
      <Icon size={22} strokeWidth={1.75} className={danger ? '' : 'text-primary'} aria-hidden="true" />
      <span className="min-w-0 flex-1 text-left">
        <span className="block font-medium">{name}</span>
        {hint && <span className="block text-sm text-ink-faint">{hint}</span>}
      </span>
      {!atOnce && <ChevronRight size={18} className="text-ink-faint" aria-hidden="true" />}
    </>
  );
  const look = `flex min-h-14 w-full items-center gap-4 px-4 py-2.5 hover:bg-tint ${danger ? 'text-danger' : ''}`;
  return (
    <li>
      {href ? (
        <a href={href} className={look} data-testid={testid}>
          {inside}
        </a>
      ) : (
        <button type="button" className={look} onClick={onClick} data-testid={testid}>
          {inside}
        </button>
      )}
    </li>
  );
}

export function Rows({ children }: { children: ReactNode }) {
  return <ul className="card divide-y divide-line overflow-hidden">{children}</ul>;
}

/** Stands where the page will be, as large as it. */
export function PageSkeleton() {
  return (
    <div className="grid gap-5 py-8" aria-hidden="true">
      <div className="flex items-center gap-4">
        <div className="skeleton size-16 rounded-full" />
        <div className="skeleton h-10 w-44" />
      </div>
      <div className="skeleton h-36 rounded-lg" />
      <div className="skeleton h-44 rounded-lg" />
    </div>
  );
}
