import { ScanText } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import type { Task, TaskOutput } from '../../api/types';
import type { Bench } from '../useWorkbench';
import type { IslandWords } from '../words';
import { loadCorrection } from '../later';

const Correction = lazy(() => loadCorrection());

type ProofreadProps = { output: TaskOutput; index: number; task: Task; bench: Bench; t: IslandWords };

/** Recognised text beside its picture. It is fetched when asked for, as that counts as a download. */
export function Proofread({ output, index, task, bench, t }: ProofreadProps) {
  const [open, setOpen] = useState(false);
  const key = output.input === null ? null : task.inputs[output.input]?.key;
  const picture = bench.rows.find((row) => row.key === key)?.blob ?? null;
  const load = async () => {
    const { url } = await bench.client.download(task.taskId, index);
    const answer = await fetch(url);
    if (!answer.ok) throw new Error(`result: ${answer.status}`);
    return answer.text();
  };
  if (!open) {
    return (
      <button
        type="button"
        className="btn btn-plain w-full"
        onClick={() => setOpen(true)}
        data-testid="proofread"
      >
        <ScanText size={18} aria-hidden="true" />
        {t.proofread}
      </button>
    );
  }
  return (
    <div className="w-full text-left" data-testid="correction">
      <Suspense fallback={<div className="skeleton h-64 w-full" />}>
        <Correction picture={picture} name={output.name} load={load} lang={bench.props.lang} />
      </Suspense>
    </div>
  );
}
