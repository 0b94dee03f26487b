import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';

type TileProps = { icon: LucideIcon; big?: boolean; tone?: 'warn' };

export function Tile({ icon: Icon, big = false, tone }: TileProps) {
  const colours = tone === 'warn' ? 'bg-warn-tint text-warn' : '';
  return (
    <span className={`tile ${colours} ${big ? 'size-16 rounded-lg' : ''}`}>
      <Icon size={big ? 30 : 22} strokeWidth={1.75} aria-hidden="true" />
    </span>
  );
}

type NoticeProps = {
  tone: 'danger' | 'warn';
  children: ReactNode;
  testid: string;
  action?: ReactNode;
};

/** A sentence about trouble, where it happened. */
export function Notice({ tone, children, testid, action }: NoticeProps) {
  const colours = tone === 'danger' ? 'bg-danger-tint text-danger' : 'bg-warn-tint text-warn';
  return (
    <div
      role="alert"
      data-testid={testid}
      className={`flex items-center justify-between gap-3 rounded-md px-4 py-3 text-left text-sm ${colours}`}
    >
      <div className="min-w-0 space-y-1">{children}</div>
      {action}
    </div>
  );
}

type BarProps = { value: number | null; label: string; testid?: string };

/** Progress of 0..1, or an unknown one. */
export function Bar({ value, label, testid = 'progress' }: BarProps) {
  const known = value === null ? {} : { value: Math.min(1, Math.max(0, value)) };
  return <progress className="bar" max={1} aria-label={label} data-testid={testid} {...known} />;
}
