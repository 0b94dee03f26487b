import type { Bench } from '../useWorkbench';
import { words } from '../words';
import './bench.css';
import { DonePanel } from './DonePanel';
import { FailedPanel } from './FailedPanel';
import { FilesPanel } from './FilesPanel';
import { RunningPanel } from './RunningPanel';
import { WorkBar } from './WorkBar';

type WorkProps = { bench: Bench; dragging: boolean };

/** The window while there is work; it comes with the first file, as a page is read without it. */
export default function Work(props: WorkProps) {
  return (
    <>
      <WorkBar bench={props.bench} t={words[props.bench.props.lang]} />
      <Panel {...props} />
    </>
  );
}

function Panel({ bench, dragging }: WorkProps) {
  const { state, props } = bench;
  const t = words[props.lang];
  switch (state.phase) {
    case 'uploading':
    case 'ready':
      return <FilesPanel bench={bench} work={state} t={t} dragging={dragging} />;
    case 'starting':
    case 'running':
      return <RunningPanel bench={bench} work={state} t={t} />;
    case 'done':
      return <DonePanel bench={bench} work={state} t={t} />;
    case 'failed':
      return <FailedPanel bench={bench} work={state} t={t} />;
    default:
      return null;
  }
}
