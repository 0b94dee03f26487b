import { X } from 'lucide-react';
import { useAccount } from '../../account/useAccount';
import type { Refusal } from '../state';
import type { Bench } from '../useWorkbench';
import { fill, type IslandWords, sizeText } from '../words';
import { Notice } from './parts';

function sentence({ name, reason, limit = 0 }: Refusal, accept: string, t: IslandWords): string {
  switch (reason) {
    case 'not_supported_type':
      return fill(t.refusedType, { name, list: accept.replaceAll(',', ' ') });
    case 'too_large':
      return fill(t.refusedSize, { name, limit: sizeText(limit) });
    case 'too_many_files':
      return fill(t.refusedCount, { name, limit });
    case 'empty_file':
      return fill(t.refusedEmpty, { name });
  }
}

/** The way to more documents at a time, for who is not a member (any more). */
function MoreDocuments({ t }: { t: IslandWords }) {
  const member = useAccount().user?.member;
  if (member?.active) return null;
  const detail = member?.expired ? 3 : 1;
  return (
    <button
      type="button"
      className="mt-1 min-h-9 font-semibold underline underline-offset-4"
      onClick={() => document.dispatchEvent(new CustomEvent('papercrane:restriction', { detail }))}
      data-testid="more-documents"
    >
      {t.moreDocuments}
    </button>
  );
}

/** The files that were not taken, each with its reason. */
export function Refusals({ refusals, bench, t }: { refusals: Refusal[]; bench: Bench; t: IslandWords }) {
  if (refusals.length === 0) return null;
  const close = (
    <button
      type="button"
      className="btn btn-icon -my-2 -mr-2 shrink-0"
      onClick={() => bench.dispatch({ do: 'dismissed' })}
      aria-label={t.remove}
    >
      <X size={18} aria-hidden="true" />
    </button>
  );
  return (
    <Notice tone="warn" testid="refusals" action={close}>
      {refusals.map((refusal) => (
        <p key={`${refusal.name}:${refusal.reason}`} data-reason={refusal.reason} className="break-words">
          {sentence(refusal, bench.props.accept, t)}
        </p>
      ))}
      {refusals.some(({ reason }) => reason === 'too_many_files') && <MoreDocuments t={t} />}
    </Notice>
  );
}
