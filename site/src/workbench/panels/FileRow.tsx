import { FileText, Image, RotateCw, X } from 'lucide-react';
import type { ChangeEvent } from 'react';
import type { Row, UploadTrouble } from '../state';
import type { Bench } from '../useWorkbench';
import { fill, type IslandWords, percentText, sizeText } from '../words';
import { Bar } from './parts';
import { PasswordPrompt } from './PasswordPrompt';
import { loadNotify } from '../later';
import { FileName } from './FileName';
import { unlocks } from '../outcome';
import { panelWords } from './words';

type RowProps = { row: Row; bench: Bench; t: IslandWords };
/** `onShow`: pressing the file shows it large; `shown`: it is. */
type CardProps = RowProps & { shown: boolean; onShow: (() => void) | undefined };

export function Thumbnail({ row }: { row: Pick<Row, 'thumbnail' | 'kind'> }) {
  const Icon = ['jpg', 'png', 'webp', 'gif', 'bmp', 'tiff', 'heic'].includes(row.kind) ? Image : FileText;
  return (
    <span className="flex h-12 w-9 shrink-0 items-center justify-center overflow-hidden rounded-sm border border-line bg-sunken text-ink-faint">
      {row.thumbnail ? (
        <img src={row.thumbnail} alt="" className="size-full object-contain" data-testid="thumbnail" />
      ) : (
        <Icon size={22} strokeWidth={1.5} aria-hidden="true" />
      )}
    </span>
  );
}

/** One file of the strip: its picture, its upload, and what can be done about either. */
export function FileRow({ row, bench, t, shown, onShow }: CardProps) {
  const busy = row.upload.at === 'sending' || row.upload.at === 'waiting' || row.upload.at === 'paused';
  const label = fill(busy ? t.cancelUpload : t.removeFile, { name: row.name });
  return (
    <li
      className="file-card"
      data-testid="file-row"
      data-upload={row.upload.at}
      data-away={('away' in row.upload && row.upload.away) || undefined}
      data-name={row.name}
      data-shown={shown || undefined}
    >
      <div className="flex items-center gap-3">
        <Face row={row} t={t} bench={bench} shown={shown} onShow={onShow} />
        <RowDeed row={row} bench={bench} t={t} />
        <button
          type="button"
          className="btn btn-quiet btn-icon -mr-2"
          onClick={() => bench.remove(row.id)}
          aria-label={label}
          title={label}
          data-testid={busy ? 'cancel-upload' : 'remove'}
        >
          <X size={18} aria-hidden="true" />
        </button>
      </div>
      {(row.upload.at === 'sending' || row.upload.at === 'paused') && (
        <Bar value={row.upload.sent / row.size} label={row.name} testid="upload-progress" />
      )}
      {row.locked && <PasswordPrompt row={row} bench={bench} t={t} />}
      {row.problem && !row.locked && (
        <p
          className="mt-1 text-sm text-danger"
          role="alert"
          data-testid="problem"
          data-reason={row.problem.reason}
        >
          {row.problem.msg}
        </p>
      )}
    </li>
  );
}

/** Picture, name and facts; pressed, it shows the file large where there is a choice. */
function Face({ row, bench, t, shown, onShow }: CardProps) {
  const face = (
    <>
      <Thumbnail row={row} />
      <span className="min-w-0 flex-1 text-left">
        <FileName name={row.name} className="font-medium" />
        <span className="flex flex-wrap gap-x-2 text-xs text-ink-faint">
          <span>{sizeText(row.size)}</span>
          {row.pages !== null && <span data-testid="pages">{fill(t.pages, { n: row.pages })}</span>}
          <UploadLine row={row} t={t} />
          {unlocks(bench.props.tool.key) && row.protection && (
            <span
              className="font-medium text-primary-strong"
              data-testid="protection"
              data-kind={row.protection}
            >
              {panelWords[bench.props.lang].protection[row.protection]}
            </span>
          )}
        </span>
      </span>
    </>
  );
  if (!onShow) return <div className="flex min-w-0 flex-1 items-center gap-3">{face}</div>;
  return (
    <button
      type="button"
      className="flex min-w-0 flex-1 items-center gap-3 rounded-sm"
      onClick={onShow}
      aria-pressed={shown}
    >
      {face}
    </button>
  );
}

function UploadLine({ row: { upload, size }, t }: Omit<RowProps, 'bench'>) {
  switch (upload.at) {
    case 'waiting':
      return <span>{t.waiting}</span>;
    case 'sending':
      return <span>{fill(t.sending, { percent: percentText(upload.sent / size) })}</span>;
    case 'paused':
      return <span className="text-warn">{upload.away ? t.pausedAway : t.paused}</span>;
    case 'stored':
      return <span className="text-primary">{t.stored}</span>;
    case 'absent':
      return <span className="text-warn">{t.absent}</span>;
    case 'failed':
      return (
        <span className="text-danger" role="alert" data-testid="upload-error" data-error={upload.error}>
          {upload.msg || failureText(upload, t)}
        </span>
      );
  }
}

function failureText({ error, away }: UploadTrouble, t: IslandWords): string {
  if (away) return t.serviceAway;
  return error === 1 ? t.networkError : t.uploadFailed;
}

function RowDeed({ row, bench, t }: RowProps) {
  if (row.upload.at === 'failed') {
    const { error } = row.upload;
    return (
      <button
        type="button"
        className="btn btn-plain max-sm:px-3"
        onClick={() => bench.desk.retry(row, error)}
        data-testid="retry-upload"
      >
        <RotateCw size={16} aria-hidden="true" />
        <span className="max-sm:sr-only">{t.retry}</span>
      </button>
    );
  }
  return row.upload.at === 'absent' ? <ChooseAgain row={row} bench={bench} t={t} /> : null;
}

/** After a reload a very big file must be chosen again; what was sent stays sent. */
function ChooseAgain({ row, bench, t }: RowProps) {
  const take = (event: ChangeEvent<HTMLInputElement>) => {
    const [file] = event.target.files ?? [];
    if (!file) return;
    if (file.name === row.name && file.size === row.size) void bench.resume(row, file);
    else
      void loadNotify().then(({ notify }) =>
        notify(fill(t.otherFile, { name: row.name }), { type: 'warning' }),
      );
  };
  return (
    <label className="btn btn-plain cursor-pointer focus-within:border-primary">
      <input type="file" className="sr-only" onChange={take} data-testid="choose-again" />
      {t.chooseAgain}
    </label>
  );
}
