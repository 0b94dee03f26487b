import { Component, type ReactNode, useSyncExternalStore } from 'react';
import { RotateCw } from 'lucide-react';
import { partLost } from '../later';
import type { IslandWords } from '../words';
import { Notice } from './parts';

/** A part of the workbench that did not come: what the visitor did is kept over the reload that brings it. */
export function Lost({ t }: { t: IslandWords }) {
  const again = (
    <button
      type="button"
      className="btn btn-plain shrink-0"
      onClick={() => location.reload()}
      data-testid="retry-part"
    >
      <RotateCw size={16} aria-hidden="true" />
      {t.retry}
    </button>
  );
  return (
    <Notice tone="warn" testid="part-lost" action={again}>
      {t.partLost}
    </Notice>
  );
}

type PartProps = { t: IslandWords; children: ReactNode };

/** Shows `children`; when their code did not come, says so instead of taking the whole workbench away. */
export class Part extends Component<PartProps, { lost: boolean }> {
  override state = { lost: false };

  static getDerivedStateFromError() {
    return { lost: true };
  }

  override render() {
    return this.state.lost ? <Lost t={this.props.t} /> : this.props.children;
  }
}

/** The skeleton of what is still coming, as long as it may come. */
export function Coming({ t, children }: PartProps) {
  const lost = useSyncExternalStore(partLost.subscribe, partLost.get, () => false);
  return lost ? <Lost t={t} /> : children;
}
