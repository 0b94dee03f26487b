import { FilePlus2, Plus, ShieldCheck } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import { areaState } from '../area';
import { acceptedList, fill, sizeText } from '../words';
import { type AreaProps, FileInput } from './intake';
import { Recent } from './Recent';
import { Refusals } from './Refusals';
import { Notice, Tile } from './parts';

const never = () => () => undefined;

/** Browsers sign uploads and keep the session only on https pages and on localhost. */
const useInsecure = () =>
  useSyncExternalStore(
    never,
    () => !window.isSecureContext,
    () => false,
  );

/** The area before a file is chosen; the whole of it is the label of the file input. */
export function UploadArea({ bench, t, dragging }: AreaProps) {
  const { state, props, rights } = bench;
  const refusals = state.phase === 'choosing' ? state.refusals : [];
  const insecure = useInsecure();
  return (
    <div className="mx-auto max-w-[52rem] space-y-4">
      {insecure && (
        <Notice tone="warn" testid="insecure">
          {t.insecure}
        </Notice>
      )}
      <label
        className="dash flex min-h-72 cursor-pointer flex-col items-center justify-center gap-3 px-6 py-10 text-center shadow-soft focus-within:border-primary sm:min-h-80"
        data-testid="upload-area"
        data-state={areaState([], dragging)}
      >
        <FileInput bench={bench} next />
        <Tile icon={FilePlus2} big />
        <span className="btn btn-primary btn-big mt-2" data-testid="choose">
          <Plus size={20} aria-hidden="true" />
          {t.choose}
        </span>
        <span className="text-ink-soft pointer-coarse:hidden">{dragging ? t.dropNow : t.dropHere}</span>
        <span className="text-sm text-ink-faint">
          {fill(t.accepts, { list: acceptedList(props.accept) })}
          {rights && ` · ${fill(t.limit, { size: sizeText(rights.maxFileSize) })}`}
        </span>
      </label>
      <Refusals refusals={refusals} bench={bench} t={t} />
      <Recent bench={bench} t={t} />
      <p className="text-balance text-center text-sm text-ink-faint">
        <ShieldCheck size={18} aria-hidden="true" className="mr-1.5 inline align-[-0.25em] text-primary" />
        {t.trust}
      </p>
    </div>
  );
}
