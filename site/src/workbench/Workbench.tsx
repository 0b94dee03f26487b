import { type ComponentProps, lazy, Suspense, useRef, useState } from 'react';
import { useNotice, useTabTitle } from './announce';
import { useInView } from './effects';
import { useNextFocus } from './focus';
import { useIntake } from './intake';
import { loadPanels } from './laterPanels';
import { Coming, Part } from './panels/Lost';
import { UpgradePanel } from './panels/UpgradePanel';
import { UploadArea } from './panels/UploadArea';
import { type Bench, useWorkbench, type WorkbenchProps } from './useWorkbench';
import { words } from './words';

type Panels = Awaited<ReturnType<typeof loadPanels>>;

const panel = <Name extends keyof Panels>(name: Name) =>
  lazy(async () => ({ default: (await loadPanels())[name] }) as { default: Panels[Name] });

const FilesPanel = panel('FilesPanel');
const RunningPanel = panel('RunningPanel');
const DonePanel = panel('DonePanel');
const FailedPanel = panel('FailedPanel');
const WorkBar = panel('WorkBar');

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
        <Work bench={bench} dragging={dragging} />
      )}
    </div>
  );
}

type WorkProps = { bench: Bench; dragging: boolean };

function Work({ bench, dragging }: WorkProps) {
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
        <WorkBar bench={bench} t={t} />
        <Panel bench={bench} dragging={dragging} />
      </Suspense>
    </Part>
  );
}

function Panel({ bench, dragging }: WorkProps) {
  const { state, props } = bench;
  const shared: Pick<ComponentProps<typeof WorkBar>, 'bench' | 't'> = { bench, t: words[props.lang] };
  switch (state.phase) {
    case 'uploading':
    case 'ready':
      return <FilesPanel {...shared} work={state} dragging={dragging} />;
    case 'starting':
    case 'running':
      return <RunningPanel {...shared} work={state} />;
    case 'done':
      return <DonePanel {...shared} work={state} />;
    case 'failed':
      return <FailedPanel {...shared} work={state} />;
    default:
      return null;
  }
}
