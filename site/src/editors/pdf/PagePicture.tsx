import { type CSSProperties, useLayoutEffect, useRef, useState } from 'react';
import type { OpenPdf } from './open';
import { drawnBefore, fitted, type PageSize, type Picture, pagePicture } from './render';
import { useDensity } from './useDensity';

type Props = {
  pdf: OpenPdf;
  page: number;
  /** The most room it may take, in CSS pixels. */
  box: PageSize;
  label: string;
};

/** What the canvas holds: this page, drawn for this room at this density. */
type Held = { page: string; wanted: string; phase: 'drawn' | 'failed'; size: PageSize };

/** As variables, so that a style sheet decides whether the picture has its own size or fills its room. */
const sizeIn = ({ width, height }: PageSize): CSSProperties =>
  ({ '--picture-width': `${width}px`, '--picture-height': `${height}px` }) as CSSProperties;

/**
 * One page, drawn when it comes into the component tree and not before. For another room or density it is drawn anew;
 * until then the same page stands there stretched.
 */
export function PagePicture({ pdf, page, box, label }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const density = useDensity();
  const { width, height } = box;
  const wanted = `${page}/${width}x${height}@${density}`;
  const [held, setHeld] = useState<Held | null>(null);
  const mine = held?.page === `${page}` ? held : null;
  useLayoutEffect(() => {
    const stop = new AbortController();
    const show = (picture: Picture) => {
      if (stop.signal.aborted || !canvas.current) return;
      copyTo(canvas.current, picture);
      setHeld({ page: `${page}`, wanted, phase: 'drawn', size: picture });
    };
    const fail = () =>
      !stop.signal.aborted &&
      setHeld({ page: `${page}`, wanted, phase: 'failed', size: { width: 72, height: 100 } });
    const known = drawnBefore(pdf, page, { width, height });
    if (known) show(known);
    else pagePicture(pdf, page, { width, height }, stop.signal).then(show, fail);
    return () => stop.abort();
  }, [pdf, page, width, height, wanted]);
  const phase = mine?.wanted === wanted ? mine.phase : 'waiting';
  return (
    <span
      className="page-picture"
      data-phase={phase}
      data-stale={(phase === 'waiting' && mine?.phase === 'drawn') || undefined}
      style={
        mine?.phase === 'drawn' ? sizeIn(phase === 'drawn' ? mine.size : fitted(mine.size, box)) : undefined
      }
    >
      <canvas ref={canvas} {...(label ? { role: 'img', 'aria-label': label } : { 'aria-hidden': true })} />
    </span>
  );
}

function copyTo(canvas: HTMLCanvasElement, { canvas: picture }: Picture): void {
  canvas.width = picture.width;
  canvas.height = picture.height;
  canvas.getContext('2d')?.drawImage(picture, 0, 0);
}
