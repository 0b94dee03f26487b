import { FileText } from 'lucide-react';
import type { ReactNode } from 'react';
import type { ChosenFile } from '../contract';
import { type OpenPdf, usePdf } from './pages';
import type { PreviewWords } from './words';

export const asFile = (blob: Blob | null, name: string, password?: string): ChosenFile => ({
  id: name,
  name,
  size: blob?.size ?? 0,
  kind: 'pdf',
  blob: blob as File | null,
  key: null,
  pages: null,
  ...(password ? { password } : {}),
});

type OpenedProps = { file: ChosenFile; t: PreviewWords; locked?: string; children(pdf: OpenPdf): ReactNode };

/** The opened PDF, or a sentence that says why there is nothing to see. */
export function Opened({ file, t, locked, children }: OpenedProps) {
  const state = usePdf(file);
  switch (state.at) {
    case 'open':
      return children(state.pdf);
    case 'opening':
      return <Empty busy>{t.opening}</Empty>;
    case 'absent':
      return <Empty>{t.absent}</Empty>;
    case 'failed':
      return <Empty>{state.reason !== 'damaged_file' && locked ? locked : t[state.reason]}</Empty>;
  }
}

export function Empty({ busy = false, children }: { busy?: boolean; children: ReactNode }) {
  return (
    <div className="preview-empty" role="status" data-testid="preview-empty">
      {busy ? (
        <span className="spinner" aria-hidden="true" />
      ) : (
        <FileText size={40} strokeWidth={1.25} aria-hidden="true" />
      )}
      {children}
    </div>
  );
}
