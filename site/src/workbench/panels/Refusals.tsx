import { X } from 'lucide-react';
import { useAccount } from '../../account/useAccount';
import type { Refusal } from '../state';
import type { Bench } from '../useWorkbench';
import { acceptedList, fill, type IslandWords, sizeText } from '../words';
import { Notice } from './parts';
import { FileInput } from './intake';

type Reason = Refusal['reason'];
type RefusalProps = { bench: Bench; t: IslandWords };

const ONE = {
  not_supported_type: 'refusedType',
  too_large: 'refusedSize',
  too_many_files: 'refusedCount',
  empty_file: 'refusedEmpty',
} as const satisfies Record<Reason, keyof IslandWords>;

const MANY = {
  not_supported_type: 'refusedTypes',
  too_large: 'refusedSizes',
  too_many_files: 'refusedCounts',
  empty_file: 'refusedEmpties',
} as const satisfies Record<Reason, keyof IslandWords>;

/** One sentence for all files that were refused for the same reason. */
function sentence(refused: Refusal[], accept: string, t: IslandWords): string {
  const { name, reason, limit = 0 } = refused[0]!;
  const words = refused.length === 1 ? t[ONE[reason]] : t[MANY[reason]];
  return fill(words, {
    name,
    n: refused.length,
    list: acceptedList(accept),
    limit: reason === 'too_large' ? sizeText(limit) : limit,
  });
}

/** The way to more documents at a time, and to larger ones, for who is not a member (any more). */
function Membership({ reason, t }: { reason: Reason; t: IslandWords }) {
  const expired = useAccount().user?.member.expired;
  const limit = reason === 'too_many_files' ? 1 : null;
  const detail = expired ? 3 : limit;
  return (
    <button
      type="button"
      className="min-h-9 text-left font-semibold underline underline-offset-4"
      onClick={() => document.dispatchEvent(new CustomEvent('papercrane:restriction', { detail }))}
      data-testid="more-documents"
    >
      {reason === 'too_large' ? t.moreBytes : t.moreDocuments}
    </button>
  );
}

function ChooseOthers({ bench, t }: RefusalProps) {
  return (
    <label
      className="inline-flex min-h-9 cursor-pointer items-center font-semibold underline underline-offset-4"
      data-testid="choose-others"
    >
      <FileInput bench={bench} />
      {t.chooseOthers}
    </label>
  );
}

/** What happened to the files refused for one reason, which they are, and what can be done. */
function Refused({ refused, bench, t }: RefusalProps & { refused: Refusal[] }) {
  const { reason } = refused[0]!;
  const lifting = reason === 'too_many_files' || reason === 'too_large';
  const lifted = useAccount().user?.member.active;
  return (
    <div data-testid="refused" data-reason={reason} data-count={refused.length}>
      <p className="break-words">{sentence(refused, bench.props.accept, t)}</p>
      {refused.length > 1 && (
        <details data-testid="refused-names">
          <summary className="cursor-pointer py-2">{t.refusedNames}</summary>
          <ul className="max-h-40 list-disc overflow-y-auto pl-5">
            {refused.map(({ name }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: names may repeat, and the list never changes
              <li key={index} className="break-words">
                {name}
              </li>
            ))}
          </ul>
        </details>
      )}
      {lifting && !lifted ? <Membership reason={reason} t={t} /> : <ChooseOthers bench={bench} t={t} />}
    </div>
  );
}

const byReason = (refusals: Refusal[]): Refusal[][] =>
  Object.keys(ONE)
    .map((reason) => refusals.filter((refusal) => refusal.reason === reason))
    .filter(({ length }) => length > 0);

/** The files that were not taken: a sentence for each reason, not for each file. */
export function Refusals({ refusals, bench, t }: RefusalProps & { refusals: Refusal[] }) {
  if (refusals.length === 0) return null;
  const close = (
    <button
      type="button"
      className="btn btn-icon -my-2 -mr-2 shrink-0 self-start"
      onClick={() => bench.dispatch({ do: 'dismissed' })}
      aria-label={t.dismiss}
    >
      <X size={18} aria-hidden="true" />
    </button>
  );
  return (
    <Notice tone="warn" testid="refusals" action={close}>
      {byReason(refusals).map((refused) => (
        <Refused key={refused[0]!.reason} refused={refused} bench={bench} t={t} />
      ))}
    </Notice>
  );
}
