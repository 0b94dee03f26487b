import { type ReactNode, useState } from 'react';
import type { EditorProps, Json } from '../../workbench/contract';
import { PageSwitch } from '../PageSwitch';
import { PdfStage } from '../PdfStage';
import type { OpenPdf } from '../pdf/open';
import { usePageSize } from '../pdf/usePageSize';
import { wordsOf as commonWordsOf, type Words } from '../words';
import { SlicedPage } from './SlicedPage';
import {
  commonLines,
  DEFAULTS,
  type Lines,
  linesOf,
  ownLines,
  partsIn,
  type Place,
  type SliceOptions,
  sharesOf,
  withCommon,
  withOwn,
} from './slicing';
import { type SliceWords, wordsOf } from './words';
import '../../fields/fields.css';
import '../editors.css';
import './slices.css';

/** One page with the lines it is cut along: dragged for all pages, or for this one alone. */
export default function Slices({ files, options, onChange, lang }: EditorProps) {
  const [words, common] = [wordsOf(lang), commonWordsOf(lang)];
  const chosen = { ...DEFAULTS, ...(options as Partial<SliceOptions>) };
  const result = partsIn(chosen, files);
  return (
    <PdfStage files={files} label={words.label} words={common}>
      {({ pdf, index }) => (
        <Preview
          pdf={pdf}
          file={index}
          options={chosen}
          onOptions={(next) => onChange(next as unknown as Json)}
          words={words}
          common={common}
        >
          {result !== null && (
            <span className="editor-count" data-testid="slices-result" data-count={result}>
              {words.result(result)}
            </span>
          )}
        </Preview>
      )}
    </PdfStage>
  );
}

type PreviewProps = {
  pdf: OpenPdf;
  file: number;
  options: SliceOptions;
  onOptions(options: SliceOptions): void;
  words: SliceWords;
  common: Words;
  /** Told beside the hint. */
  children: ReactNode;
};

function Preview({ pdf, file, options, onOptions, words, common, children }: PreviewProps) {
  const [chosen, setPage] = useState(1);
  const [alone, setAlone] = useState(false);
  const shown = usePageSize(pdf, chosen);
  const page = shown?.page ?? chosen;
  const landscape = shown && shown.size.width > shown.size.height;
  const place: Place = { file, page, pages: pdf.pages, landscape };
  const own = ownLines(options, place);
  const lines = linesOf(options, place) ?? commonLines(options);
  const parts = sharesOf(lines, options.order);
  const guessed = options.way === 'gutter' && !own;
  const draw = (next: Lines) =>
    onOptions(own || alone || guessed ? withOwn(options, place, next) : withCommon(options, next));
  return (
    <>
      {shown ? (
        <SlicedPage
          pdf={pdf}
          page={page}
          view={shown.size}
          lines={lines}
          parts={parts}
          guessed={guessed}
          label={common.page(page)}
          onLines={draw}
          words={words}
        />
      ) : (
        <div className="sheet-room" />
      )}
      <div className="editor-bar-row editor-foot">
        <PageSwitch page={chosen} pages={pdf.pages} onPage={setPage} words={common} />
        <PageDeeds
          isOwn={own !== undefined}
          isCut={parts.length > 1}
          alone={alone}
          onAlone={options.way === 'grid' && pdf.pages > 1 ? setAlone : null}
          onLines={(next) => onOptions(withOwn(options, place, next))}
          words={words}
        />
      </div>
      <div className="editor-bar-row editor-foot">
        <p className="field-hint">{hintFor(guessed, own !== undefined, parts.length, words)}</p>
        {children}
      </div>
    </>
  );
}

function hintFor(guessed: boolean, isOwn: boolean, parts: number, words: SliceWords): string {
  if (parts < 2) return words.whole;
  if (isOwn) return words.own;
  return guessed ? words.gutter : words.hint;
}

type DeedsProps = {
  isOwn: boolean;
  isCut: boolean;
  alone: boolean;
  onAlone: ((alone: boolean) => void) | null;
  onLines(lines: Lines | null): void;
  words: SliceWords;
};

/** What can be done with this page alone. */
function PageDeeds({ isOwn, isCut, alone, onAlone, onLines, words }: DeedsProps) {
  return (
    <div className="slice-deeds">
      {isOwn ? (
        <button type="button" className="btn btn-plain" onClick={() => onLines(null)}>
          {words.reset}
        </button>
      ) : (
        onAlone && (
          <label className="slice-alone">
            <input type="checkbox" checked={alone} onChange={(event) => onAlone(event.target.checked)} />
            {words.alone}
          </label>
        )
      )}
      {isCut && (
        <button type="button" className="btn btn-quiet" onClick={() => onLines({ columns: [], rows: [] })}>
          {words.leave}
        </button>
      )}
    </div>
  );
}
