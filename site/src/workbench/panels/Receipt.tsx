import type { ReceiptLine, Task } from '../../api/types';
import type { IslandWords } from '../words';
import { FileName } from './FileName';

const ORDER: ReceiptLine['kind'][] = ['lost', 'changed', 'kept', 'told'];
const MARKS = { lost: 'text-danger', changed: 'text-warn', kept: 'text-primary', told: 'text-ink-faint' };

function textOf({ text, what }: ReceiptLine, lang: 'zh' | 'en'): string {
  if (text && typeof text === 'object') return text[lang];
  return text || what || '';
}

function byFile(lines: ReceiptLine[]): [number | null, ReceiptLine[]][] {
  const groups = new Map<number | null, ReceiptLine[]>();
  for (const line of lines.toSorted((a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind))) {
    const about = line.input ?? null;
    groups.set(about, [...(groups.get(about) ?? []), line]);
  }
  return [...groups].toSorted(([a], [b]) => (a ?? -1) - (b ?? -1));
}

type ReceiptProps = { task: Task; lang: 'zh' | 'en'; t: IslandWords };

/** What was kept, changed and lost, before the download; file by file in a batch. */
export function Receipt({ task, lang, t }: ReceiptProps) {
  if (task.receipt.length === 0) return null;
  const groups = byFile(task.receipt);
  return (
    <div className="rounded-md bg-sunken p-4" data-testid="receipt">
      <h3 className="text-sm font-semibold">{t.receipt}</h3>
      {groups.map(([about, lines]) => (
        <div key={about} className="mt-2">
          {about !== null && task.inputs.length > 1 && (
            <FileName name={task.inputs[about]?.name ?? ''} className="text-sm text-ink-faint" />
          )}
          <ReceiptLines lines={lines} lang={lang} t={t} />
        </div>
      ))}
    </div>
  );
}

function ReceiptLines({ lines, lang, t }: Omit<ReceiptProps, 'task'> & { lines: ReceiptLine[] }) {
  return (
    <ul className="mt-1 grid gap-x-6 gap-y-1.5 text-sm sm:grid-cols-2">
      {lines.map((line) => (
        <li
          key={`${line.kind}:${textOf(line, lang)}`}
          className="flex gap-2"
          data-testid="receipt-line"
          data-kind={line.kind}
          data-what={line.what}
        >
          <span className={`shrink-0 font-medium ${MARKS[line.kind]}`}>{t[line.kind]}</span>
          <span className="min-w-0 break-words text-ink-soft">{textOf(line, lang)}</span>
        </li>
      ))}
    </ul>
  );
}
