import { localPath } from '../../lib/lang';
import type { CenterWords } from '../words';
import type { PartProps } from './asked';
import { Facts, Home, Notice } from './parts';
import { useAgain } from './again';

const sentenceOf = (reason: string | null, t: CenterWords): string =>
  ({
    declined: t.errorDeclined,
    cancelled: t.errorCancelled,
    expired: t.errorExpired,
  })[reason ?? ''] ?? t.errorDefault;

/** A payment that did not come about: what happened, what to do, and the way to try again. */
export function Failure({ lang, asked, t }: PartProps) {
  const { orderNo, reason } = asked;
  const again = useAgain(asked, lang);
  return (
    <Notice tone="bad" title={t.errorTitle} lead={sentenceOf(reason, t)} testid="pay-error">
      <div className="rounded-md bg-sunken px-4 py-3 text-left text-sm">
        <h2 className="font-semibold">{t.errorDo}</h2>
        <p className="mt-1 text-ink-soft">{t.errorDoDefault}</p>
      </div>
      {orderNo && (
        <Facts
          rows={[
            [
              t.orderNo,
              <span key="number" className="font-mono text-xs">
                {orderNo}
              </span>,
            ],
          ]}
        />
      )}
      <a
        href={again ?? localPath(lang, '/Orders')}
        className="btn btn-primary btn-big w-full"
        data-testid="pay-again"
      >
        {again ? t.tryAgain : t.toOrders}
      </a>
      <Home lang={lang} t={t} />
    </Notice>
  );
}
