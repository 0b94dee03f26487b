import { fill } from '../../workbench/words';
import { leftText } from '../time';
import type { CardProps } from './card';

/** How long the files are still here. */
export function Countdown({ task, centre: { now, t } }: CardProps) {
  if (!task.expiresAt) return null;
  return (
    <span className="text-sm text-ink-faint" data-testid="expires">
      {fill(t.deletedIn, { time: leftText(task.expiresAt - now, t) })}
    </span>
  );
}
