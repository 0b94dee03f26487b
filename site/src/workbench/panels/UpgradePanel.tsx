import { CloudOff, RotateCw, WifiOff } from 'lucide-react';
import { useOnline } from '../../ui/useOnline';
import type { IslandWords } from '../words';
import { Tile } from './parts';

/**
 * The API does not answer, or the device is offline: never a blank, and nothing the visitor did is lost. It goes on by
 * itself; a reload without a network would only show the browser's own page.
 */
export function UpgradePanel({ t, title }: { t: IslandWords; title: string }) {
  const online = useOnline();
  return (
    <div
      className="mx-auto flex max-w-[36rem] flex-col items-center px-6 py-16 text-center"
      data-testid="upgrade"
      data-offline={!online || undefined}
    >
      <h1 className="sr-only">{title}</h1>
      <Tile icon={online ? CloudOff : WifiOff} big />
      <h2 className="mt-5 text-xl">{online ? t.upgradeTitle : t.offlineTitle}</h2>
      <p className="mt-2 text-ink-soft">{online ? t.upgradeLead : t.offlineLead}</p>
      {online && (
        <button
          type="button"
          className="btn btn-primary mt-6"
          onClick={() => location.reload()}
          data-testid="retry"
        >
          <RotateCw size={18} aria-hidden="true" />
          {t.upgradeButton}
        </button>
      )}
    </div>
  );
}
