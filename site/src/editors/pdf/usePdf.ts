import { useEffect, useState } from 'react';
import type { ChosenFile } from '../../workbench/contract';
import { type OpenPdf, openPdf, PdfProblem } from './open';

export type PdfState =
  | { at: 'opening' }
  | { at: 'open'; pdf: OpenPdf }
  | { at: 'absent' }
  | { at: 'failed'; reason: PdfProblem['reason'] };

type Shared = { opening: Promise<OpenPdf>; users: number };

const shared = new WeakMap<Blob, Map<string, Shared>>();

/** The chosen file as an opened PDF. Components that show the same file share one; the last one closes it. */
export function usePdf(file: ChosenFile | undefined): PdfState {
  const [state, setState] = useState<PdfState>({ at: 'opening' });
  const blob = file?.blob ?? null;
  const password = file?.password;
  useEffect(() => {
    if (!blob) return setState({ at: 'absent' });
    let current = true;
    setState({ at: 'opening' });
    borrow(blob, password).then(
      (pdf) => current && setState({ at: 'open', pdf }),
      (error) => current && setState({ at: 'failed', reason: reasonOf(error) }),
    );
    return () => {
      current = false;
      giveBack(blob, password);
    };
  }, [blob, password]);
  return state;
}

const reasonOf = (error: unknown) => (error instanceof PdfProblem ? error.reason : 'damaged_file');

function borrow(blob: Blob, password = ''): Promise<OpenPdf> {
  const byPassword = shared.get(blob) ?? new Map<string, Shared>();
  shared.set(blob, byPassword);
  const one = byPassword.get(password) ?? { opening: openPdf(blob, password || undefined), users: 0 };
  one.users += 1;
  byPassword.set(password, one);
  return one.opening;
}

function giveBack(blob: Blob, password = ''): void {
  const byPassword = shared.get(blob);
  const one = byPassword?.get(password);
  if (!byPassword || !one) return;
  one.users -= 1;
  if (one.users > 0) return;
  byPassword.delete(password);
  void one.opening.then((pdf) => pdf.close()).catch(() => undefined);
}
