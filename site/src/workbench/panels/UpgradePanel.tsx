import { CloudOff, RotateCw } from 'lucide-react';
import type { IslandWords } from '../words';
import { Tile } from './parts';

/** The API does not answer: never a blank, and nothing the visitor did is lost. */
export function UpgradePanel({ t }: { t: IslandWords }) {
  return (
    <div
      className="card mx-auto flex max-w-[44rem] flex-col items-center p-10 text-center"
      data-testid="upgrade"
    >
      <Tile icon={CloudOff} big />
      <h2 className="mt-5 text-xl">{t.upgradeTitle}</h2>
      <p className="mt-2 text-ink-soft">{t.upgradeLead}</p>
      <button
        type="button"
        className="btn btn-primary mt-6"
        onClick={() => location.reload()}
        data-testid="retry"
      >
        <RotateCw size={18} aria-hidden="true" />
        {t.upgradeButton}
      </button>
    </div>
  );
}
