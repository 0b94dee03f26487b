import { useEffect, useRef } from 'react';
import { useDensity } from '../pdf/useDensity';
import type { Drawable } from './drawMark';
import type { Box } from './marks';
import { cutsOf } from './seam';
import type { SeamOptions } from './stampPlan';

/** CSS pixels: of the seal, and of the pages around it. */
const SEAL = 84;
const ROOM = 12;

type Props = { mark: Drawable; pages: number; seam: SeamOptions; opacity: number; caption: string };

/** The pages' edges as they lie when they are fanned out: their slices make the seal again. */
export function Fan({ mark, pages, seam, opacity, caption }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const density = useDensity();
  const scale = SEAL / Math.max(mark.width, mark.height);
  const width = Math.round(mark.width * scale + 2 * ROOM);
  const height = Math.round(mark.height * scale + 2 * ROOM);
  useEffect(() => {
    const target = canvas.current;
    const context = target?.getContext('2d');
    if (!target || !context) return;
    target.width = width * density;
    target.height = height * density;
    context.scale(density, density);
    context.translate(ROOM, ROOM);
    drawFan(context, { mark, pages, seam, opacity, scale });
  });
  return (
    <figure className="fan" data-testid="fan">
      <canvas ref={canvas} style={{ width, height }} role="img" aria-label={caption} />
      <figcaption>{caption}</figcaption>
    </figure>
  );
}

type Drawn = Omit<Props, 'caption'> & { scale: number };

/** From the last page, which lies lowest, to the first; each shows its slice, and its edge as a hairline. */
function drawFan(context: CanvasRenderingContext2D, { mark, pages, seam, opacity, scale }: Drawn): void {
  const { edge, uneven, seed } = seam;
  const level = edge === 'right' || edge === 'left';
  const cuts = cutsOf(pages, level ? mark.width : mark.height, uneven, seed);
  const size = { width: mark.width * scale, height: mark.height * scale };
  const length = level ? size.width : size.height;
  for (let page = pages - 1; page >= 0; page -= 1) {
    const [begin, end] = [(cuts[page] ?? 0) * length, (cuts[page + 1] ?? 1) * length];
    paper(context, edge, { end, ...size });
    context.save();
    context.beginPath();
    context.rect(...sliceIn(edge, [begin, end], size));
    context.clip();
    context.globalAlpha = opacity / 100;
    context.scale(scale, scale);
    mark.draw(context);
    context.restore();
  }
}

type Rectangle = [left: number, top: number, width: number, height: number];

/** The part of the whole seal that is so far from its inner side. */
function sliceIn(
  edge: SeamOptions['edge'],
  [begin, end]: [number, number],
  { width, height }: Box,
): Rectangle {
  switch (edge) {
    case 'right':
      return [begin, 0, end - begin, height];
    case 'left':
      return [width - end, 0, end - begin, height];
    case 'bottom':
      return [0, begin, width, end - begin];
    case 'top':
      return [0, height - end, width, end - begin];
  }
}

/** A page's sheet up to its edge. */
function paper(
  context: CanvasRenderingContext2D,
  edge: SeamOptions['edge'],
  { end, width, height }: { end: number; width: number; height: number },
): void {
  const sheet: Record<SeamOptions['edge'], Rectangle> = {
    right: [-ROOM / 2, -ROOM / 2, end + ROOM / 2, height + ROOM],
    left: [width - end, -ROOM / 2, end + ROOM / 2, height + ROOM],
    bottom: [-ROOM / 2, -ROOM / 2, width + ROOM, end + ROOM / 2],
    top: [-ROOM / 2, height - end, width + ROOM, end + ROOM / 2],
  };
  context.fillStyle = '#fff';
  // Opaque: where the sheets lie over each other their lines must not grow dark.
  context.strokeStyle = '#c3cec8';
  context.lineWidth = 0.5;
  context.fillRect(...sheet[edge]);
  context.strokeRect(...sheet[edge]);
}
