import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useRef, useState } from 'react';
import { Curtain } from '../../ui/Curtain';
import { fill, sizeText } from '../words';
import { type OpenPdf, PagePicture, usePageSize, useViewport } from './pages';
import type { PreviewWords } from './words';
import { ACTUAL, fitIn, scaleOf, type Zoom } from './zoom';
import { ZoomBar } from './ZoomBar';

const MARGIN = 16;

type CompareProps = { before: OpenPdf; after: OpenPdf; sizes: [number, number]; t: PreviewWords };

/** The same page before and after, one over the other; a slider says how much of each is seen. */
export function Compare({ before, after, sizes, t }: CompareProps) {
  const room = useRef<HTMLDivElement>(null);
  const { width, height } = useViewport(room);
  const [zoom, setZoom] = useState<Zoom>('fit');
  const [wanted, setPage] = useState(1);
  const shown = usePageSize(after, wanted);
  const actual = shown && { width: shown.size.width * ACTUAL, height: shown.size.height * ACTUAL };
  const fit =
    actual && width > 0 ? fitIn(actual, { width: width - 2 * MARGIN, height: height - 2 * MARGIN }) : 1;
  const scale = scaleOf(zoom, fit);
  const box = actual && {
    width: Math.round(actual.width * scale),
    height: Math.round(actual.height * scale),
  };
  return (
    <div className="preview" data-testid="compare">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard */}
      <section className="preview-room preview-one" ref={room} aria-label={t.preview} tabIndex={0}>
        {box && shown && width > 0 && (
          <Both before={before} after={after} page={shown.page} box={box} sizes={sizes} t={t} />
        )}
      </section>
      <ZoomBar zoom={zoom} scale={scale} onZoom={setZoom} t={t}>
        <Pager page={wanted} pages={after.pages} onPage={setPage} t={t} />
      </ZoomBar>
    </div>
  );
}

type PagerProps = { page: number; pages: number; onPage(page: number): void; t: PreviewWords };

function Pager({ page, pages, onPage, t }: PagerProps) {
  return (
    <span className="preview-zoom">
      <button type="button" aria-label={t.previous} disabled={page <= 1} onClick={() => onPage(page - 1)}>
        <ChevronLeft size={18} aria-hidden="true" />
      </button>
      <span aria-live="polite">{fill(t.pageOf, { page, pages })}</span>
      <button type="button" aria-label={t.next} disabled={page >= pages} onClick={() => onPage(page + 1)}>
        <ChevronRight size={18} aria-hidden="true" />
      </button>
    </span>
  );
}

type BothProps = Omit<CompareProps, 'sizes'> & {
  page: number;
  box: { width: number; height: number };
  sizes: [number, number];
};

function Both({ before, after, page, box, sizes, t }: BothProps) {
  return (
    <Curtain
      before={{
        picture: <PagePicture pdf={before} page={page} box={box} label={t.before} />,
        tag: `${t.before} ${sizeText(sizes[0])}`,
      }}
      after={{
        picture: <PagePicture pdf={after} page={page} box={box} label={t.after} />,
        tag: `${t.after} ${sizeText(sizes[1])}`,
      }}
      box={box}
      label={t.compare}
    />
  );
}
