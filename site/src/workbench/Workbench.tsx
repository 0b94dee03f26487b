import { useRef, useState } from 'react';
import { useInView } from './effects';
import { DonePanel } from './panels/DonePanel';
import { FailedPanel } from './panels/FailedPanel';
import { FilesPanel } from './panels/FilesPanel';
import { RunningPanel } from './panels/RunningPanel';
import { UpgradePanel } from './panels/UpgradePanel';
import { UploadArea } from './panels/UploadArea';
import { type Bench, useWorkbench, type WorkbenchProps } from './useWorkbench';
import { words } from './words';

/** The island of a tool page: one panel for each phase. */
export function Workbench(props: WorkbenchProps) {
  const bench = useWorkbench(props);
  const root = useRef<HTMLDivElement>(null);
  useInView(bench.state.phase, root);
  return (
    <div
      ref={root}
      className="mx-auto max-w-[68rem] scroll-mt-24"
      data-testid="workbench"
      data-phase={bench.state.phase}
      aria-busy={bench.state.phase === 'running' || bench.state.phase === 'starting'}
    >
      <Panel bench={bench} />
    </div>
  );
}

function Panel({ bench }: { bench: Bench }) {
  const [dragging, setDragging] = useState(false);
  const { state, props } = bench;
  const t = words[props.lang];
  switch (state.phase) {
    case 'choosing':
      return <UploadArea bench={bench} t={t} dragging={dragging} onDragging={setDragging} />;
    case 'uploading':
    case 'ready':
      return <FilesPanel bench={bench} work={state} t={t} dragging={dragging} onDragging={setDragging} />;
    case 'starting':
    case 'running':
      return <RunningPanel bench={bench} work={state} t={t} />;
    case 'done':
      return <DonePanel bench={bench} work={state} t={t} />;
    case 'failed':
      return <FailedPanel bench={bench} work={state} t={t} />;
    case 'unreachable':
      return <UpgradePanel t={t} />;
  }
}
