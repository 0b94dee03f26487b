import { memo } from 'react';
import { Scissors } from './icons';
import type { OpenPdf } from './pdf/open';
import { PagePicture } from './pdf/PagePicture';
import type { Words } from './words';

type Props = {
  pdf: OpenPdf;
  page: number;
  size: number;
  focusable: boolean;
  /** From 1; 0 when the page is in no part. */
  part: number;
  begins: boolean;
  /** The document stays whole. */
  alone: boolean;
  /** Whether there is a cut after the page; null after the last. */
  cut: boolean | null;
  words: Words;
  onCut(page: number): void;
};

const STRIP = 44;

export const CutPage = memo(function CutPage(props: Props) {
  const { pdf, page, size, focusable, part, begins, alone, cut, words, onCut } = props;
  const room = { width: size - STRIP - 16, height: size - 16 };
  return (
    <div className="cut-cell" data-part={lookOf(part, alone)}>
      <div className="cut-page" style={{ height: size }}>
        <PagePicture pdf={pdf} page={page} box={room} label={words.page(page)} />
      </div>
      {cut !== null && (
        <button
          type="button"
          className="cut-mark"
          data-page={page}
          tabIndex={focusable ? 0 : -1}
          aria-pressed={cut}
          aria-label={words.cutAfter(page)}
          title={words.cutAfter(page)}
          onClick={() => onCut(page)}
        >
          <span>
            <Scissors />
          </span>
        </button>
      )}
      <p className="cut-foot">
        {page}
        {begins && part > 0 && !alone && <strong>{words.partOf(part)}</strong>}
      </p>
    </div>
  );
});

function lookOf(part: number, alone: boolean): string {
  if (part === 0) return 'none';
  if (alone) return 'whole';
  return part % 2 === 1 ? 'odd' : 'even';
}
