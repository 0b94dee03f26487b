import { useEffect, useState } from 'react';
import type { ChosenFile } from '../../workbench/contract';
import { type OpenPdf, PdfProblem } from './open';
import { borrow, giveBack } from './shared';

export type PdfState =
  | { at: 'opening' }
  | { at: 'open'; pdf: OpenPdf }
  | { at: 'absent' }
  | { at: 'failed'; reason: PdfProblem['reason'] };

/** The chosen file as an opened PDF. */
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
