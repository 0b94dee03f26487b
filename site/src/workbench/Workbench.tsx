import { lazy, Suspense, useRef, useState } from 'react';
import { useNotice, useTabTitle } from './announce';
import { useInView } from './effects';
import { useNextFocus } from './focus';
import { useIntake } from './intake';
import { loadWork } from './laterWork';
import { Coming, Part } from './panels/Lost';
import { UpgradePanel } from './panels/UpgradePanel';
import { UploadArea } from './panels/UploadArea';
import { type Bench, useWorkbench, type WorkbenchProps } from './useWorkbench';
import { words } from './words';

const Work = lazy(() => loadWork());

/** The island of a tool page: one panel for each phase. From the first file on it is the whole window. */
export function Workbench(props: WorkbenchProps) {
  const bench = useWorkbench(props);
  const root = useRef<HTMLDivElement>(null);
  const [dragging, setDragging] = useState(false);
  const { phase } = bench.state;
  useInView(phase, root);
  useNextFocus(phase, root);
  useIntake(bench, setDragging);
  useTabTitle(bench.state, words[props.lang].ended);
  useNotice(bench.state, words[props.lang].ended, bench.rows[0]?.name ?? '');
  return (
    <div
      ref={root}
      className="workbench"
      data-testid="workbench"
      data-phase={phase}
      aria-busy={phase === 'running' || phase === 'starting'}
    >
      {phase === 'choosing' ? (
        <UploadArea bench={bench} t={words[props.lang]} dragging={dragging} />
      ) : (
        <AtWork bench={bench} dragging={dragging} />
      )}
    </div>
  );
}

function AtWork({ bench, dragging }: { bench: Bench; dragging: boolean }) {
  const t = words[bench.props.lang];
  const skeleton = (
    <Coming t={t}>
      <div className="skeleton m-4 h-64" />
    </Coming>
  );
  if (bench.state.phase === 'unreachable') return <UpgradePanel t={t} title={bench.props.tool.title} />;
  return (
    <Part t={t}>
      <Suspense fallback={skeleton}>
        <Work bench={bench} dragging={dragging} />
      </Suspense>
    </Part>
  );
}
