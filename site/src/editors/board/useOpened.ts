import { useEffect, useRef, useState } from 'react';
import type { ChosenFile } from '../../workbench/contract';
import { type OpenPdf, PdfProblem } from '../pdf/open';
import { borrow, giveBack } from '../pdf/shared';

export type PdfState =
  | { at: 'opening' }
  | { at: 'open'; pdf: OpenPdf }
  | { at: 'failed'; reason: PdfProblem['reason'] };

/** By the file's id. */
export type Opened = ReadonlyMap<string, PdfState>;

type Lent = { file: ChosenFile; blob: File; password: string | undefined };

/** The files among these that are PDFs of this device, opened while they are asked for and closed some time after. */
export function useOpened(files: readonly ChosenFile[]): Opened {
  const [opened, setOpened] = useState<Opened>(new Map());
  const lent = useRef(new Map<string, Lent>());
  useEffect(() => {
    const wanted = new Map(files.flatMap((file) => (isShown(file) ? [[file.id, file]] : [])));
    for (const [id, one] of lent.current) {
      const file = wanted.get(id);
      if (file && file.blob === one.blob && file.password === one.password) continue;
      lent.current.delete(id);
      giveBack(one.blob, one.password);
    }
    for (const file of wanted.values()) {
      if (!lent.current.has(file.id)) lend(file, lent.current, setOpened);
    }
  }, [files]);
  useEffect(() => {
    const all = lent.current;
    return () => {
      for (const { blob, password } of all.values()) giveBack(blob, password);
      all.clear();
    };
  }, []);
  return opened;
}

const isShown = ({ blob, kind }: ChosenFile) => blob !== null && kind === 'pdf';

function lend(file: ChosenFile, lent: Map<string, Lent>, tell: (change: (old: Opened) => Opened) => void) {
  const one: Lent = { file, blob: file.blob as File, password: file.password };
  lent.set(file.id, one);
  const put = (state: PdfState) => {
    if (lent.get(file.id) === one) tell((old) => new Map(old).set(file.id, state));
  };
  put({ at: 'opening' });
  borrow(one.blob, one.password).then(
    (pdf) => put({ at: 'open', pdf }),
    (error) => put({ at: 'failed', reason: error instanceof PdfProblem ? error.reason : 'damaged_file' }),
  );
}
