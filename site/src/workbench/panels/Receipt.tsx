import { ChevronDown, CircleAlert, ShieldCheck } from 'lucide-react';
import type { ReceiptLine, Task } from '../../api/types';
import { FileName } from './FileName';
import { lineText, needsLook, trustOf } from '../receipt';
import { fill } from '../words';
import { panelWords } from './words';

const ORDER: ReceiptLine['kind'][] = ['lost', 'changed', 'kept', 'told'];
const MARKS = { lost: 'text-danger', changed: 'text-warn', kept: 'text-primary', told: 'text-ink-faint' };

type ReceiptProps = { lines: ReceiptLine[]; lang: 'zh' | 'en' };

/** One line of trust that opens to the facts it is made of. */
export function Receipt({ lines, lang }: ReceiptProps) {
  const t = panelWords[lang];
  const { worried, text } = trustOf(lines, lang, t, fill);
  const Icon = worried ? CircleAlert : ShieldCheck;
  const tone = worried ? 'bg-warn-tint text-warn' : 'bg-tint text-primary-strong';
  const face = (
    <>
      <Icon size={18} aria-hidden="true" className="mt-0.5 shrink-0" />
      <span className="min-w-0 flex-1 break-words" data-testid="trust" data-worried={worried}>
        {text}
      </span>
    </>
  );
  if (lines.length === 0) {
    return (
      <p className={`flex gap-2 rounded-md px-3 py-2.5 text-sm ${tone}`} data-testid="receipt">
        {face}
      </p>
    );
  }
  return (
    <details className="group/receipt text-left text-sm" data-testid="receipt">
      <summary className={`flex min-h-11 list-none gap-2 rounded-md px-3 py-2.5 ${tone}`}>
        {face}
        <ChevronDown
          size={18}
          aria-hidden="true"
          className="mt-0.5 shrink-0 transition-transform group-open/receipt:rotate-180"
        />
      </summary>
      <ReceiptLines lines={lines} lang={lang} />
    </details>
  );
}

/** A task's facts open to the eye, file by file; for the task centre. */
export function ReceiptFacts({ task, lang }: { task: Task; lang: 'zh' | 'en' }) {
  const about = [...new Set(task.receipt.map(({ input }) => input ?? null))];
  return (
    <div className="rounded-md bg-sunken p-2" data-testid="receipt">
      {about.map((input) => (
        <div key={input}>
          {input !== null && task.inputs.length > 1 && (
            <FileName name={task.inputs[input]?.name ?? ''} className="px-3 pt-2 text-sm text-ink-faint" />
          )}
          <ReceiptLines lines={task.receipt.filter((line) => (line.input ?? null) === input)} lang={lang} />
        </div>
      ))}
    </div>
  );
}

function ReceiptLines({ lines, lang }: ReceiptProps) {
  const t = panelWords[lang];
  const sorted = lines.toSorted((a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind));
  return (
    <ul className="mt-1 grid gap-1.5 px-3 py-2">
      {sorted.map((line) => (
        <li
          key={`${line.kind}:${lineText(line, lang)}`}
          className="flex gap-2"
          data-testid="receipt-line"
          data-kind={line.kind}
          data-what={line.what}
        >
          <span
            className={`shrink-0 font-medium ${MARKS[needsLook(line) && line.kind !== 'lost' ? 'changed' : line.kind]}`}
          >
            {t.kinds[line.kind]}
          </span>
          <span className="min-w-0 break-words text-ink-soft">{lineText(line, lang)}</span>
        </li>
      ))}
    </ul>
  );
}
