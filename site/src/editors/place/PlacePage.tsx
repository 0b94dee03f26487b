import { useEffect, useRef } from 'react';
import type { OpenPdf } from '../pdf/open';
import { PagePicture } from '../pdf/PagePicture';
import { useDensity } from '../pdf/useDensity';
import { drawLayers } from './drawMark';
import { Frame, type Hold } from './Frame';
import type { Box, View } from './marks';
import type { Scene } from './scene';
import type { Guide } from './snap';
import type { PlaceWords } from './words';

export type Hands = {
  chosen: string | null;
  onChoose(id: string): void;
  onDrag(hold: Hold, guides: Guide[]): void;
  onDrop(hold: Hold): void;
  onCancel(): void;
  onRemove?: ((id: string) => void) | undefined;
};

type Props = {
  pdf: OpenPdf;
  page: number;
  view: View;
  box: Box;
  scene: Scene;
  guides: readonly Guide[];
  hands: Hands;
  label: string;
  words: PlaceWords;
};

/** A page, what stands on it, and the frames to take hold of that. */
export function PlacePage({ pdf, page, view, box, scene, guides, hands, label, words }: Props) {
  const scale = box.width / view.width;
  return (
    <div
      className="canvas-page"
      data-testid="marked-page"
      data-page={page}
      data-multiply={scene.multiply || undefined}
      style={box}
    >
      <PagePicture pdf={pdf} page={page} box={box} label={label} />
      <Marks scene={scene} view={view} box={box} />
      {guides.map(({ axis, at }) => (
        <span
          key={`${axis}${at}`}
          className="canvas-guide"
          data-axis={axis}
          aria-hidden="true"
          style={axis === 'x' ? { left: at * scale } : { bottom: at * scale }}
        />
      ))}
      {scene.things.map((thing) => (
        <Frame
          key={thing.id}
          thing={thing}
          view={view}
          scale={scale}
          others={scene.things.filter(({ id }) => id !== thing.id).map(({ spot }) => spot)}
          chosen={hands.chosen === thing.id}
          onChoose={() => hands.onChoose(thing.id)}
          onDrag={hands.onDrag}
          onDrop={hands.onDrop}
          onCancel={hands.onCancel}
          onRemove={hands.onRemove && (() => hands.onRemove?.(thing.id))}
          words={words}
        />
      ))}
    </div>
  );
}

/** Pixels that a canvas of marks may have: a page at 400 % on a fine screen is drawn a little coarser. */
const MOST_PIXELS = 16_000_000;

function Marks({ scene, view, box }: { scene: Scene; view: View; box: Box }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const wanted = Math.min(useDensity(), Math.sqrt(MOST_PIXELS / (box.width * box.height)));
  useEffect(() => {
    const pixels = { width: box.width * wanted, height: box.height * wanted };
    if (canvas.current) drawLayers(canvas.current, view, pixels, scene.layers);
  });
  return (
    <span className="canvas-marks" aria-hidden="true">
      <canvas ref={canvas} />
    </span>
  );
}
