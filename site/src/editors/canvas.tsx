import { useState } from 'react';
import { parsePages } from '../ranges';
import type { ChosenFile, EditorProps, Json } from '../workbench/contract';
import { MarkedPage } from './MarkedPage';
import { PageSwitch } from './PageSwitch';
import { PdfStage } from './PdfStage';
import type { OpenPdf } from './pdf/open';
import { usePageSize } from './pdf/usePageSize';
import type { MarkOptions } from './useMark';
import { type Words, wordsOf } from './words';
import '../fields/fields.css';
import './editors.css';
import './canvas.css';

/** One page with the watermark on it, just as the server will draw it; the mark can be dragged. */
export default function Canvas({ files, options, onChange, lang }: EditorProps) {
  const words = wordsOf(lang);
  return (
    <PdfStage files={files} label={words.previewLabel} words={words}>
      {({ pdf, file }) => (
        <Preview
          pdf={pdf}
          file={file}
          options={options as unknown as MarkOptions}
          onPoint={(x, y) => onChange({ ...(options as object), layout: { how: 'point', x, y } } as Json)}
          words={words}
        />
      )}
    </PdfStage>
  );
}

type PreviewProps = {
  pdf: OpenPdf;
  file: ChosenFile;
  options: MarkOptions;
  onPoint(x: number, y: number): void;
  words: Words;
};

function Preview({ pdf, file, options, onPoint, words }: PreviewProps) {
  const [chosen, setPage] = useState(1);
  const shown = usePageSize(pdf, chosen);
  const page = shown?.page ?? chosen;
  const found = parsePages(options.pages, pdf.pages);
  const marked = found.ok && found.pages.includes(page);
  const values = {
    date: localDate(),
    file: file.name.replace(/\.[^.]+$/, ''),
    page: String(page),
    pages: String(pdf.pages),
  };
  return (
    <>
      {shown ? (
        <MarkedPage
          pdf={pdf}
          page={page}
          view={shown.size}
          options={options}
          values={values}
          marked={marked}
          onPoint={onPoint}
          words={words}
        />
      ) : (
        <div className="canvas-room" />
      )}
      <div className="editor-bar-row canvas-foot">
        <PageSwitch page={chosen} pages={pdf.pages} onPage={setPage} words={words} />
        <p className="field-hint">{hintFor(marked, options, words)}</p>
      </div>
    </>
  );
}

function hintFor(marked: boolean, { layout }: MarkOptions, words: Words): string {
  if (!marked) return words.notMarked;
  return layout.how === 'tiled' ? words.tiledHint : words.canvasHint;
}

/** As the server writes it: 2026-01-31, of this time zone. */
function localDate(): string {
  const now = new Date();
  return new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 10);
}
