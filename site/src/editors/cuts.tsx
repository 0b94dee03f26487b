import { useMemo } from 'react';
import type { EditorProps, Json } from '../workbench/contract';
import { CutPage } from './CutPage';
import { type Cuts, cutsOf, partNumbers, partsOf, textOf, toggledCut, type Way } from './cutting';
import { PageGrid } from './PageGrid';
import { PdfStage } from './PdfStage';
import type { OpenPdf } from './pdf/open';
import { useStable } from './useStable';
import { type Words, wordsOf } from './words';
import '../fields/fields.css';
import './editors.css';
import './cuts.css';

type SplitOptions = { split: Way };

/** Pages with scissors between them; cuts and typed ranges are two views of the same option. */
export default function CutsEditor({ files, options, onChange, lang }: EditorProps) {
  const words = wordsOf(lang);
  const { split } = options as unknown as SplitOptions;
  return (
    <PdfStage files={files} label={words.pagesGrid} words={words}>
      {({ pdf }) => (
        <Pages
          pdf={pdf}
          way={split}
          words={words}
          onWay={(way) => onChange({ ...(options as object), split: way } as unknown as Json)}
        />
      )}
    </PdfStage>
  );
}

type PagesProps = { pdf: OpenPdf; way: Way; words: Words; onWay(way: Way): void };

function Pages({ pdf, way, words, onWay }: PagesProps) {
  const total = pdf.pages;
  const { parts, numbers } = useMemo(() => {
    const found = partsOf(way, total);
    return { parts: found, numbers: partNumbers(found, total) };
  }, [way, total]);
  const cuts = useMemo(() => cutsOf(parts, total), [parts, total]);
  const write = (next: Cuts) => {
    const joined = way.how === 'ranges' && way.joined;
    onWay({ how: 'ranges', ranges: textOf(next, total), joined });
  };
  const toggle = useStable((page: number) => write(toggledCut(cuts, page)));
  return (
    <>
      <div className="editor-bar-row">
        <span className="editor-count" role="status">
          {resultText(way, parts, words)}
        </span>
        {cuts.size > 0 && (
          <button type="button" className="field-chip" onClick={() => write(new Set())}>
            {words.clearCuts}
          </button>
        )}
        <p className="field-hint">{words.cutsHint}</p>
      </div>
      <PageGrid
        pages={total}
        reach={total - 1}
        label={words.pagesGrid}
        extraHeight={40}
        leastCell={176}
        cell={(page, size, focusable) => (
          <CutPage
            pdf={pdf}
            page={page}
            size={size}
            focusable={focusable}
            part={numbers[page] ?? 0}
            begins={numbers[page] !== numbers[page - 1]}
            alone={parts?.length === 1}
            cut={page === total ? null : numbers[page] !== numbers[page + 1]}
            words={words}
            onCut={toggle}
          />
        )}
      />
    </>
  );
}

function resultText(way: Way, parts: number[][] | null, words: Words): string {
  if (way.how === 'size' || way.how === 'bookmarks' || way.how === 'blanks') return words.cutsLater;
  if (!parts) return '';
  return words.parts(way.how === 'ranges' && way.joined ? 1 : parts.filter((part) => part.length > 0).length);
}
