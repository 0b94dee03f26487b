import { CircleCheckBig, RotateCw } from 'lucide-react';
import type { ReactNode } from 'react';
import { pictureOf } from '../format';
import type { QrPhase } from '../useQr';
import { useQr } from '../useQr';
import type { AccountWords } from '../words';

function Renew({ t, text, renew }: { t: AccountWords; text: string; renew(): void }) {
  return (
    <>
      <p className="font-semibold">{text}</p>
      <button type="button" className="btn btn-primary" onClick={renew} data-testid="qr-renew">
        <RotateCw size={18} aria-hidden="true" />
        {t.qrRefresh}
      </button>
    </>
  );
}

function veil(phase: QrPhase, t: AccountWords, renew: () => void): ReactNode {
  if (phase === 'expired') return <Renew t={t} text={t.qrExpired} renew={renew} />;
  if (phase === 'failed') return <Renew t={t} text={t.qrFailed} renew={renew} />;
  if (phase !== 'scanned') return null;
  return (
    <>
      <CircleCheckBig size={40} className="text-primary" aria-hidden="true" />
      <p className="font-semibold">{t.qrScanned}</p>
      <p className="text-sm text-ink-soft">{t.qrScannedLead}</p>
    </>
  );
}

/** A QR code, and over it what became of it. */
export function QrPanel({ t }: { t: AccountWords }) {
  const { code, phase, renew } = useQr();
  const cover = veil(phase, t, renew);
  return (
    <div
      className="flex flex-col items-center text-center"
      data-testid="qr-panel"
      data-phase={phase}
      data-url={code?.url}
    >
      <p className="font-semibold">{t.qrTitle}</p>
      <div className="qr-card mt-4 w-52">
        {code ? (
          <img src={pictureOf(code.svg)} alt={t.qrAlt} data-testid="qr" />
        ) : (
          <div className="skeleton aspect-square w-full" />
        )}
        <div role="status">{cover && <div className="qr-veil">{cover}</div>}</div>
      </div>
      <p className="mt-4 max-w-60 text-balance text-sm text-ink-soft">{t.qrLead}</p>
    </div>
  );
}
