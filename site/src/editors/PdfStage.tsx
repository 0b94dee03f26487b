import { type ReactNode, useState } from 'react';
import type { ChosenFile } from '../workbench/contract';
import { FileSwitch } from './FileSwitch';
import type { OpenPdf } from './pdf/open';
import { usePdf } from './pdf/usePdf';
import type { Words } from './words';

export type Opened = { pdf: OpenPdf; file: ChosenFile; index: number };
type StageProps = { files: ChosenFile[]; label: string; words: Words; children(opened: Opened): ReactNode };

/** An editor of one of the files; a switch chooses which. */
export function PdfStage({ files, label, words, children }: StageProps) {
  const [chosen, setChosen] = useState(0);
  const index = Math.min(chosen, files.length - 1);
  const file = files[index];
  return (
    <section className="editor" aria-label={label}>
      <FileSwitch files={files} chosen={index} onChoose={setChosen} words={words} />
      {file && (
        <OpenedPdf key={file.id} file={file} words={words}>
          {(pdf) => children({ pdf, file, index })}
        </OpenedPdf>
      )}
    </section>
  );
}

type Props = { file: ChosenFile; words: Words; children(pdf: OpenPdf): ReactNode };

/** The opened file, or a sentence that says why there is nothing to see. */
function OpenedPdf({ file, words, children }: Props) {
  const state = usePdf(file);
  switch (state.at) {
    case 'open':
      return children(state.pdf);
    case 'opening':
      return (
        <div className="editor-empty" role="status">
          <span className="spinner" aria-hidden="true" />
          {words.opening}
        </div>
      );
    case 'absent':
      return <p className="editor-empty">{words.absent}</p>;
    case 'failed':
      return <p className="editor-empty">{words.failed[state.reason]}</p>;
  }
}
