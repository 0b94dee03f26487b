import { type CSSProperties, useEffect, useRef, useState } from 'react';
import type { OpenPdf } from './open';
import { type PageSize, type Picture, pagePicture } from './render';

type Props = {
  pdf: OpenPdf;
  page: number;
  /** The most room it may take, in CSS pixels. */
  box: PageSize;
  label: string;
};

type Known = { of: string; phase: 'drawn' | 'failed'; size?: CSSProperties };

/** As variables, so that a style sheet decides whether the picture has its own size or fills its room. */
const sizeIn = ({ width, height }: Picture): CSSProperties =>
  ({ '--picture-width': `${width}px`, '--picture-height': `${height}px` }) as CSSProperties;

/** One page, drawn when it comes into the component tree and not before. */
export function PagePicture({ pdf, page, box, label }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const { width, height } = box;
  const wanted = `${page}/${width}x${height}`;
  const [known, setKnown] = useState<Known | null>(null);
  const phase = known?.of === wanted ? known.phase : 'waiting';
  useEffect(() => {
    const stop = new AbortController();
    pagePicture(pdf, page, { width, height }, stop.signal).then(
      (picture) => {
        if (stop.signal.aborted || !canvas.current) return;
        copyTo(canvas.current, picture);
        setKnown({ of: wanted, phase: 'drawn', size: sizeIn(picture) });
      },
      () => !stop.signal.aborted && setKnown({ of: wanted, phase: 'failed' }),
    );
    return () => stop.abort();
  }, [pdf, page, width, height, wanted]);
  return (
    <span className="page-picture" data-phase={phase} style={known?.size}>
      <canvas ref={canvas} {...(label ? { role: 'img', 'aria-label': label } : { 'aria-hidden': true })} />
    </span>
  );
}

function copyTo(canvas: HTMLCanvasElement, { canvas: picture }: Picture): void {
  canvas.width = picture.width;
  canvas.height = picture.height;
  canvas.getContext('2d')?.drawImage(picture, 0, 0);
}
