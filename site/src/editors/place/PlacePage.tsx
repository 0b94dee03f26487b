import { type ReactNode, useEffect, useRef } from 'react';
import type { OpenPdf } from '../pdf/open';
import { PagePicture } from '../pdf/PagePicture';
import { useDensity } from '../pdf/useDensity';
import { drawLayers, type Layer } from './drawMark';
import { Frame, type Hold } from './Frame';
import type { Box, Point, View } from './marks';
import type { Scene, Way } from './scene';
import type { Guide } from './snap';
import { Trace } from './Trace';
import type { PlaceWords } from './words';

export type Hands = {
  chosen: string | null;
  onChoose(id: string): void;
  onDrag(hold: Hold, guides: Guide[]): void;
  onDrop(hold: Hold): void;
  onCancel(): void;
  onRemove?: ((id: string) => void) | undefined;
  onOpen?: ((id: string) => void) | undefined;
};

/** A press on the page draws. */
export type Tracing = {
  way: Way;
  onDraw(points: readonly Point[]): void;
  onDone(points: readonly Point[]): void;
  onCancel(): void;
};

type Props = {
  pdf: OpenPdf;
  page: number;
  view: View;
  box: Box;
  scene: Scene;
  guides: readonly Guide[];
  hands: Hands;
  tracing?: Tracing | null;
  over?: ReactNode;
  still?: boolean;
  label: string;
  words: PlaceWords;
};

/** A page, what stands on it, and the frames to take hold of that. */
export function PlacePage(props: Props) {
  const { pdf, page, view, box, scene, guides, hands, tracing, over, still, label, words } = props;
  const scale = box.width / view.width;
  return (
    <div
      className="canvas-page"
      data-testid="marked-page"
      data-page={page}
      data-multiply={scene.multiply || undefined}
      data-still={still || Boolean(tracing) || undefined}
      style={box}
    >
      <PagePicture pdf={pdf} page={page} box={box} label={label} />
      {scene.ink && scene.ink.length > 0 && <Marks layers={scene.ink} view={view} box={box} ink />}
      <Marks layers={scene.layers} view={view} box={box} />
      {over}
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
          onOpen={hands.onOpen && (() => hands.onOpen?.(thing.id))}
          words={words}
        />
      ))}
      {tracing && <Trace {...tracing} view={view} scale={scale} label={words.draw(label)} />}
    </div>
  );
}

/** Pixels that a canvas of marks may have: a page at 400 % on a fine screen is drawn a little coarser. */
const MOST_PIXELS = 16_000_000;

type MarksProps = { layers: readonly Layer[]; view: View; box: Box; ink?: boolean };

function Marks({ layers, view, box, ink }: MarksProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const wanted = Math.min(useDensity(), Math.sqrt(MOST_PIXELS / (box.width * box.height)));
  useEffect(() => {
    const pixels = { width: box.width * wanted, height: box.height * wanted };
    if (canvas.current) drawLayers(canvas.current, view, pixels, layers);
  });
  return (
    <span className="canvas-marks" data-ink={ink} aria-hidden="true">
      <canvas ref={canvas} />
    </span>
  );
}
