import { useState } from 'react';
import type { Task, TaskInput } from '../../api/types';
import { linesAbout, needsLook } from '../receipt';
import type { Shown } from '../shown';
import type { Bench } from '../useWorkbench';
import { fill, type IslandWords } from '../words';
import { FileName } from './FileName';
import { Receipt } from './Receipt';
import { DownloadOne, LookAt, Sizes } from './Results';
import { panelWords } from './words';

type Line = { task: Task; input: TaskInput; place: number; results: Shown[] };

const MANY = 1;

export const isBatch = (tasks: Task[]): boolean =>
  tasks.reduce(
    (sum, { inputs, outputs }) => sum + (outputs.some(({ input }) => input !== null) ? inputs.length : 0),
    0,
  ) > MANY;

/** A line for each file; one that failed and was done again stands only where it succeeded. */
function linesOf(tasks: Task[], results: Shown[]): Line[] {
  return tasks.flatMap((task, nth) =>
    task.inputs
      .map((input, place) => ({
        task,
        input,
        place,
        results: results.filter(({ taskId, output }) => taskId === task.taskId && output.input === place),
      }))
      .filter(({ input }) => !input.error || nth === tasks.length - 1),
  );
}

const attention = ({ task, input, place }: Line): boolean =>
  input.error !== null || linesAbout(task, place).some(needsLook);

type BatchProps = {
  tasks: Task[];
  results: Shown[];
  chosen: Shown | undefined;
  onChoose(shown: Shown): void;
  bench: Bench;
  t: IslandWords;
};

/** One table for a batch, with a filter for what needs attention. */
export function Batch({ tasks, results, chosen, onChoose, bench, t }: BatchProps) {
  const [only, setOnly] = useState(false);
  const words = panelWords[bench.props.lang];
  const lines = linesOf(tasks, results);
  const needing = lines.filter(attention);
  const shown = only ? needing : lines;
  return (
    <div className="batch" data-testid="batch">
      {needing.length > 0 && (
        <fieldset className="flex gap-2 px-3 pt-3">
          <legend className="sr-only">{words.filterLabel}</legend>
          <Choice
            on={!only}
            onPress={() => setOnly(false)}
            label={fill(words.filterAll, { n: lines.length })}
          />
          <Choice
            on={only}
            onPress={() => setOnly(true)}
            label={fill(words.filterAttention, { n: needing.length })}
            testid="attention"
          />
        </fieldset>
      )}
      <table>
        <caption className="sr-only">{words.table}</caption>
        <colgroup>
          <col />
          <col />
          <col />
        </colgroup>
        <thead className="sr-only">
          <tr>
            <th scope="col">{words.file}</th>
            <th scope="col">{words.note}</th>
            <th scope="col">{words.result}</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((line) => (
            <BatchRow
              key={line.input.key}
              line={line}
              chosen={line.results.some((each) => each === chosen)}
              onChoose={onChoose}
              bench={bench}
              t={t}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

type ChoiceProps = { on: boolean; onPress(): void; label: string; testid?: string };

const Choice = ({ on, onPress, label, testid }: ChoiceProps) => (
  <button type="button" className="chip" aria-pressed={on} onClick={onPress} data-testid={testid}>
    {label}
  </button>
);

type RowProps = { line: Line; chosen: boolean } & Pick<BatchProps, 'onChoose' | 'bench' | 't'>;

function BatchRow({ line, chosen, onChoose, bench, t }: RowProps) {
  const { task, input, place, results } = line;
  return (
    <tr
      className="batch-row"
      data-testid="batch-row"
      data-shown={chosen || undefined}
      data-failed={input.error ? true : undefined}
    >
      <th scope="row">
        <FileName name={input.name} className="text-sm font-medium" />
        <span className="flex flex-wrap gap-x-2 text-xs font-normal text-ink-faint">
          {results.map(({ output }) => (
            <Sizes key={output.key} output={output} task={task} bench={bench} t={t} />
          ))}
        </span>
      </th>
      <td>
        {input.error ? (
          <p
            className="text-sm break-words text-danger"
            data-testid="file-problem"
            data-reason={input.error.reason}
          >
            {input.error.msg || fill(t.failedFile, { name: input.name })}
          </p>
        ) : (
          <Receipt lines={linesAbout(task, place)} lang={bench.props.lang} />
        )}
      </td>
      <td>
        <span className="flex justify-end">
          {results.map((shown) => (
            <span
              key={shown.output.key}
              className="flex"
              data-testid="result"
              data-name={shown.output.name}
              data-size={shown.output.size}
            >
              <LookAt shown={shown} onChoose={onChoose} bench={bench} />
              <DownloadOne shown={shown} bench={bench} t={t} />
            </span>
          ))}
        </span>
      </td>
    </tr>
  );
}
