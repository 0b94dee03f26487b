import type { ReactNode } from 'react';
import type { ChosenFile } from '../workbench/contract';
import type { OpenPdf } from './pdf/open';
import { usePdf } from './pdf/usePdf';
import type { Words } from './words';

type Props = { file: ChosenFile | undefined; words: Words; children(pdf: OpenPdf): ReactNode };

/** The opened file, or a sentence that says why there is nothing to see. */
export function PdfStage({ file, words, children }: Props) {
  const state = usePdf(file);
  switch (state.at) {
    case 'open':
      return children(state.pdf);
    case 'opening':
      return (
        <div className="editor-empty" role="status">
          <span className="editor-opening" aria-hidden="true" />
          {words.opening}
        </div>
      );
    case 'absent':
      return <p className="editor-empty">{words.absent}</p>;
    case 'failed':
      return <p className="editor-empty">{words.failed[state.reason]}</p>;
  }
}
