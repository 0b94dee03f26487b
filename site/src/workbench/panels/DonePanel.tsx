import { lazy, Suspense, useMemo, useState } from 'react';
import { CircleAlert, CircleCheck } from 'lucide-react';
import { loadPreviewer } from '../laterPreview';
import { type Shown, shownOf } from '../shown';
import { outcome, standing } from '../state';
import { fill } from '../words';
import { Batch, isBatch } from './Batch';
import type { DoneProps } from './done';
import { Failures } from './Failures';
import { Coming, Part } from './Lost';
import { NextSteps } from './NextSteps';
import { Receipt } from './Receipt';
import { Downloads, Headline, Parts } from './Results';
import { panelWords } from './words';
import { DataFiles } from './DataFiles';

const ResultStage = lazy(async () => ({ default: (await loadPreviewer()).ResultStage }));

const PICTURES = ['png', 'jpg', 'webp', 'tiff', 'gif', 'bmp'];
const isPicture = ({ output }: Shown) => PICTURES.includes(output.kind);

/** Results as they are, with what they kept, the download, and what can follow. */
export function DonePanel({ bench, work, t }: DoneProps) {
  const last = work.results.at(-1)!;
  const state = outcome(last);
  const tasks = standing(work.results);
  const { client, props } = bench;
  const results = useMemo(
    () => standing(work.results).flatMap((task) => shownOf(task, work, props.tool.key, client)),
    [work, props, client],
  );
  const [large, setLarge] = useState<string | null>(null);
  const chosen = results.find(({ id }) => id === large);
  const pictures = results.length > 1 && results.every(isPicture);
  const choose = (shown: Shown | null) => setLarge(shown?.id ?? null);
  const batch = isBatch(tasks);
  return (
    <section className="done" data-testid="done" data-state={state} data-task={last.taskId}>
      <div className="done-head">
        <Heading good={state === 'Success'} bench={bench} work={work} t={t} />
        <Failures task={last} bench={bench} work={work} t={t} />
        <Headline results={results} tasks={tasks} bench={bench} t={t} />
        <Downloads results={results} tasks={tasks} bench={bench} t={t} />
        {!batch && tasks.map((task) => <Receipt key={task.taskId} lines={task.receipt} lang={props.lang} />)}
      </div>
      <div className="done-stage">
        {batch && (
          <Batch
            tasks={tasks}
            results={results}
            chosen={chosen ?? results[0]}
            onChoose={choose}
            bench={bench}
            t={t}
          />
        )}
        <div className="done-view">
          {pictures && chosen && (
            <button
              type="button"
              className="btn btn-quiet m-1"
              onClick={() => choose(null)}
              data-testid="gallery-back"
            >
              {panelWords[props.lang].backToAll}
            </button>
          )}
          <Stage
            results={results}
            chosen={chosen}
            gallery={pictures && !chosen}
            onChoose={choose}
            write={() => bench.writeCorrections(tasks)}
            bench={bench}
            t={t}
          />
        </div>
      </div>
      <div className="done-more">
        {!batch && results.length > 1 && (
          <Parts
            results={results}
            chosen={chosen ?? (pictures ? undefined : results[0])}
            onChoose={choose}
            bench={bench}
            t={t}
          />
        )}
        {tasks.map((task) => (
          <DataFiles key={task.taskId} task={task} bench={bench} t={t} />
        ))}
        <NextSteps bench={bench} work={work} t={t} />
      </div>
    </section>
  );
}

function Heading({ good, bench, work, t }: DoneProps & { good: boolean }) {
  const Icon = good ? CircleCheck : CircleAlert;
  const count = standing(work.results).flatMap(({ outputs }) => outputs).length;
  const { doneMany } = panelWords[bench.props.lang];
  return (
    <div role="status" className="flex items-center gap-2.5">
      <Icon size={26} aria-hidden="true" className={`shrink-0 ${good ? 'text-primary' : 'text-warn'}`} />
      <h2 className="text-xl">
        {good ? t.done : t.donePartly}
        {count > 1 && <span className="sr-only">{fill(doneMany, { n: count })}</span>}
      </h2>
    </div>
  );
}

type StageProps = Pick<DoneProps, 'bench' | 't'> & {
  results: Shown[];
  chosen: Shown | undefined;
  gallery: boolean;
  onChoose(shown: Shown | null): void;
  write(): Promise<boolean>;
};

function Stage({ results, chosen, gallery, onChoose, write, bench, t }: StageProps) {
  const shown = chosen ?? results[0];
  const skeleton = (
    <Coming t={t}>
      <div className="skeleton size-full" />
    </Coming>
  );
  if (!shown) return null;
  return (
    <Part t={t}>
      <Suspense fallback={skeleton}>
        <ResultStage
          results={results}
          chosen={shown}
          gallery={gallery}
          onChoose={onChoose}
          lang={bench.props.lang}
          review={bench.props.tool.review}
          write={write}
        />
      </Suspense>
    </Part>
  );
}
