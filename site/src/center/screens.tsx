import { ChevronLeft, ChevronRight, CloudOff, LogIn, type LucideIcon, RotateCw, WifiOff } from 'lucide-react';
import type { ReactNode } from 'react';
import { useOnline } from '../ui/useOnline';
import { Tile } from '../workbench/panels/parts';
import { fill } from '../workbench/words';
import type { CenterWords } from './words';

type ScreenProps = {
  icon?: LucideIcon;
  title: string;
  lead: string;
  testid: string;
  children?: ReactNode;
};

/** A whole-page message: one picture, one sentence, what to do. */
export function Screen({ icon, title, lead, testid, children }: ScreenProps) {
  return (
    <div
      className="card mx-auto flex max-w-[40rem] flex-col items-center px-6 py-12 text-center sm:px-12 sm:py-16"
      data-testid={testid}
    >
      {icon ? <Tile icon={icon} big /> : <Crane />}
      <h2 className="mt-6 text-xl">{title}</h2>
      <p className="mt-2 max-w-[30rem] text-ink-soft">{lead}</p>
      {children && <div className="mt-8 flex flex-wrap justify-center gap-3 max-sm:w-full">{children}</div>}
    </div>
  );
}

/** The folded bird of the empty pages. */
export function Crane() {
  return (
    <svg width="150" height="110" viewBox="0 0 180 132" aria-hidden="true">
      <path d="M6 44 68 62 52 88z" fill="var(--color-green-200)" />
      <path d="M68 62 92 4 124 74z" fill="var(--color-green-400)" />
      <path d="M52 88 68 62 124 74 88 124z" fill="var(--color-green-500)" />
      <path d="M124 74 146 28 174 46 156 46z" fill="var(--color-green-300)" />
      <path d="M88 124 124 74 112 130z" fill="var(--color-green-300)" />
    </svg>
  );
}

type SignedOutProps = { title: string; lead: string; t: CenterWords; onSignIn(): void };

/** What the page is, for whom it is, and the way in. */
export function SignedOut({ title, lead, t, onSignIn }: SignedOutProps) {
  return (
    <Screen icon={LogIn} title={title} lead={lead} testid="signed-out">
      <button
        type="button"
        className="btn btn-primary btn-big max-sm:w-full"
        onClick={onSignIn}
        data-testid="centre-sign-in"
      >
        {t.signIn}
      </button>
    </Screen>
  );
}

/** The API does not answer; the page looks again by itself. */
export function Unreachable({ t, onRetry }: { t: CenterWords; onRetry(): void }) {
  const [icon, title, lead] = useOnline()
    ? [CloudOff, t.upgradeTitle, t.upgradeLead]
    : [WifiOff, t.offlineTitle, t.offlineLead];
  return (
    <Screen icon={icon} title={title} lead={lead} testid="upgrade">
      <button type="button" className="btn btn-primary" onClick={onRetry} data-testid="retry">
        <RotateCw size={18} aria-hidden="true" />
        {t.retry}
      </button>
    </Screen>
  );
}

/** The list's place before the first answer. */
export function Skeleton({ t, rows }: { t: CenterWords; rows: number }) {
  return (
    <div data-testid="skeleton">
      <p className="sr-only" role="status">
        {t.loading}
      </p>
      <div aria-hidden="true" className="space-y-4">
        <div className="skeleton mb-6 h-11 w-full rounded-md sm:w-2/3" />
        {Array.from({ length: rows }, (_, row) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity
          <div key={row} className="card p-5">
            <div className="flex items-center gap-4">
              <div className="skeleton size-11 shrink-0 rounded-md" />
              <div className="flex-1 space-y-2">
                <div className="skeleton h-5 w-3/5" />
                <div className="skeleton h-4 w-2/5" />
              </div>
            </div>
            <div className="skeleton mt-5 h-9 w-full" />
          </div>
        ))}
      </div>
    </div>
  );
}

type PagerProps = { page: number; pages: number; t: CenterWords; onPage(page: number): void };

export function Pager({ page, pages, t, onPage }: PagerProps) {
  if (pages <= 1) return null;
  return (
    <nav className="mt-8 flex items-center justify-center gap-3" aria-label={t.pages} data-testid="pager">
      <button
        type="button"
        className="btn btn-plain"
        disabled={page <= 1}
        onClick={() => onPage(page - 1)}
        data-testid="previous-page"
      >
        <ChevronLeft size={18} aria-hidden="true" />
        {t.previous}
      </button>
      <span className="text-sm text-ink-soft" aria-live="polite" data-testid="page">
        {fill(t.pageOf, { page, pages })}
      </span>
      <button
        type="button"
        className="btn btn-plain"
        disabled={page >= pages}
        onClick={() => onPage(page + 1)}
        data-testid="next-page"
      >
        {t.next}
        <ChevronRight size={18} aria-hidden="true" />
      </button>
    </nav>
  );
}
