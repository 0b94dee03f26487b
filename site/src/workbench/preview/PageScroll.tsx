import { useEffect, useRef, useState } from 'react';
import { fill } from '../words';
import { type OpenPdf, PagePicture, usePageSize, useViewport } from './pages';
import type { PreviewWords } from './words';
import { ACTUAL, fitIn, scaleOf, type Size, type Zoom } from './zoom';
import { ZoomBar } from './ZoomBar';

const GAP = 16;
/** Pages drawn before and after those in sight. */
const BEYOND = 1;

/** The pages of a PDF one below the other. Every page gets the room of the first, so that none moves another. */
export function PageScroll({ pdf, t }: { pdf: OpenPdf; t: PreviewWords }) {
  const room = useRef<HTMLDivElement>(null);
  const { width, height, scroll } = useViewport(room);
  const [zoom, setZoom] = useState<Zoom>('fit');
  const first = usePageSize(pdf, 1);
  const page = first && { width: first.size.width * ACTUAL, height: first.size.height * ACTUAL };
  const scale = page && width > 0 ? scaleOf(zoom, fitIn(page, inner(width, height))) : 1;
  const box =
    page && width > 0
      ? { width: Math.round(page.width * scale), height: Math.round(page.height * scale) }
      : null;
  const step = (box?.height ?? 1) + GAP;
  const current = Math.min(pdf.pages, Math.floor((scroll + height / 2) / step) + 1);
  useKeptPlace(room, step);
  return (
    <div className="preview" data-testid="preview">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard */}
      <section className="preview-room" ref={room} aria-label={t.preview} tabIndex={0}>
        {box && <Slots pdf={pdf} box={box} step={step} seen={[scroll, scroll + height]} t={t} />}
      </section>
      <ZoomBar zoom={zoom} scale={scale} onZoom={setZoom} t={t}>
        {fill(t.pageOf, { page: current, pages: pdf.pages })}
      </ZoomBar>
    </div>
  );
}

const inner = (width: number, height: number): Size => ({
  width: Math.max(1, width - 2 * GAP),
  height: Math.max(1, height - 2 * GAP),
});

/** Zooming keeps the page that is in sight. */
function useKeptPlace(room: React.RefObject<HTMLElement | null>, step: number): void {
  const before = useRef(step);
  useEffect(() => {
    const target = room.current;
    if (target && before.current > 1) target.scrollTop = (target.scrollTop / before.current) * step;
    before.current = step;
  }, [room, step]);
}

type SlotsProps = { pdf: OpenPdf; box: Size; step: number; seen: [number, number]; t: PreviewWords };

function Slots({ pdf, box, step, seen: [from, to], t }: SlotsProps) {
  const begin = Math.max(0, Math.floor(from / step) - BEYOND);
  const end = Math.min(pdf.pages, Math.ceil(to / step) + BEYOND);
  const numbers = Array.from({ length: Math.max(0, end - begin) }, (_, index) => begin + index + 1);
  return (
    <ol className="preview-pages" style={{ height: pdf.pages * step + GAP, minWidth: box.width + 2 * GAP }}>
      {numbers.map((number) => (
        <li key={number} style={{ top: GAP + (number - 1) * step, width: box.width, height: box.height }}>
          <PagePicture
            pdf={pdf}
            page={number}
            box={box}
            label={fill(t.pageOf, { page: number, pages: pdf.pages })}
          />
        </li>
      ))}
    </ol>
  );
}
