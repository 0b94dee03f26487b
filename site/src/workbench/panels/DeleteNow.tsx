import { Trash2 } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { Lang } from '../../lib/lang';
import { spanText } from '../left';
import { fill } from '../words';
import type { DoneProps } from './done';

const HOUR = 3_600_000;
const MINUTE = 60_000;

const leftText = (ms: number, lang: Lang) =>
  ms >= HOUR
    ? spanText(Math.round(ms / HOUR), 'hour', lang)
    : spanText(Math.max(1, Math.round(ms / MINUTE)), 'minute', lang);

function useNow(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), MINUTE);
    return () => clearInterval(timer);
  }, []);
  return now;
}

/** When the files go by themselves, and the button that makes them go now. */
export function DeleteNow({ bench, work, t }: DoneProps) {
  const [asking, setAsking] = useState(false);
  const now = useNow();
  const expires = work.results.at(-1)?.expiresAt;
  return (
    <div className="mt-6 flex flex-wrap items-center justify-between gap-3 border-t border-line pt-4 text-sm text-ink-faint">
      <span data-testid="expires">
        {expires ? fill(t.expiresIn, { time: leftText(expires - now, bench.props.lang) }) : ''}
      </span>
      {asking ? (
        <span className="flex flex-wrap items-center gap-2">
          {t.deleteAsk}
          <button
            type="button"
            className="btn btn-danger"
            onClick={() => bench.deleteAll(work.results.map(({ taskId }) => taskId))}
            data-testid="delete-confirm"
          >
            {t.deleteYes}
          </button>
          <button type="button" className="btn btn-quiet" onClick={() => setAsking(false)}>
            {t.cancel}
          </button>
        </span>
      ) : (
        <button
          type="button"
          className="btn btn-danger -mx-4.5"
          onClick={() => setAsking(true)}
          data-testid="delete"
        >
          <Trash2 size={18} aria-hidden="true" />
          {t.deleteNow}
        </button>
      )}
    </div>
  );
}
