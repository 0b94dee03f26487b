import { type KeyboardEvent, type PointerEvent, useEffect, useRef } from 'react';
import { drawMarks } from './drawMark';
import { type Box, centresOf, cover, type Point, type View } from './marks';
import type { OpenPdf } from './pdf/open';
import { PagePicture } from './pdf/PagePicture';
import { densityNow } from './pdf/render';
import { type MarkOptions, useMark } from './useMark';
import { useViewport } from './window';
import type { Words } from './words';

type Props = {
  pdf: OpenPdf;
  page: number;
  view: View;
  options: MarkOptions;
  values: Record<string, string>;
  /** Whether the page is in the chosen range. */
  marked: boolean;
  onPoint(x: number, y: number): void;
  words: Words;
};

const STEPS: Record<string, [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

export function MarkedPage({ pdf, page, view, options, values, marked, onPoint, words }: Props) {
  const room = useRef<HTMLDivElement>(null);
  const { width, height } = useViewport(room);
  const box = boxFor(view, { width: width - 32, height: height - 32 });
  return (
    <div className="canvas-room" ref={room}>
      {box && (
        <div
          className="canvas-page"
          data-testid="marked-page"
          data-page={page}
          data-layer={options.layer}
          style={box}
        >
          <PagePicture pdf={pdf} page={page} box={box} label={words.page(page)} />
          {marked && (
            <Marks view={view} box={box} options={options} values={values} onPoint={onPoint} words={words} />
          )}
        </div>
      )}
    </div>
  );
}

/** Whole pixels: page and marks are drawn for this box, and nothing is stretched by part of a pixel. */
export function boxFor(view: View, room: Box): Box | null {
  const scale = Math.min(room.width / view.width, room.height / view.height);
  if (!(scale > 0)) return null;
  return {
    width: Math.max(1, Math.round(view.width * scale)),
    height: Math.max(1, Math.round(view.height * scale)),
  };
}

type MarksProps = Pick<Props, 'view' | 'options' | 'values' | 'onPoint' | 'words'> & { box: Box };

function Marks({ view, box, options, values, onPoint, words }: MarksProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const mark = useMark(options, view, values);
  const { angle, opacity, layout } = options;
  const centres = mark ? centresOf(layout, view, mark, angle) : [];
  useEffect(() => {
    const density = densityNow();
    const pixels = { width: box.width * density, height: box.height * density };
    if (canvas.current) drawMarks(canvas.current, view, pixels, mark, { centres, angle, opacity });
  });
  const [centre] = centres;
  const covered = mark && cover(mark, angle);
  return (
    <>
      <span className="canvas-marks" aria-hidden="true">
        <canvas ref={canvas} />
      </span>
      {covered && centre && layout.how !== 'tiled' && (
        <Handle
          view={view}
          box={box}
          centre={centre}
          covered={covered}
          onPoint={onPoint}
          label={words.markLabel}
        />
      )}
    </>
  );
}

type HandleProps = {
  view: View;
  box: Box;
  centre: Point;
  covered: Box;
  onPoint: Props['onPoint'];
  label: string;
};

/** The frame around a single mark: dragged with a pointer, nudged with arrow keys. */
function Handle({ view, box, centre, covered, onPoint, label }: HandleProps) {
  const grip = useRef<Point | null>(null);
  const [x, y] = [centre.x / view.width, 1 - centre.y / view.height];
  const place = (left: number, top: number) => onPoint(fraction(left), fraction(top));
  const lift = (event: PointerEvent) => {
    event.currentTarget.setPointerCapture(event.pointerId);
    grip.current = { x: event.clientX - x * box.width, y: event.clientY - y * box.height };
  };
  const drag = (event: PointerEvent) => {
    if (!grip.current) return;
    place((event.clientX - grip.current.x) / box.width, (event.clientY - grip.current.y) / box.height);
  };
  const nudge = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    if (!step) return;
    event.preventDefault();
    const by = event.shiftKey ? 0.05 : 0.005;
    place(x + step[0] * by, y + step[1] * by);
  };
  const drop = () => {
    grip.current = null;
  };
  return (
    <button
      type="button"
      className="canvas-handle"
      aria-label={`${label} (${Math.round(x * 100)}%, ${Math.round(y * 100)}%)`}
      style={{
        width: Math.max((covered.width / view.width) * box.width, 24),
        height: Math.max((covered.height / view.height) * box.height, 24),
        left: `${x * 100}%`,
        top: `${y * 100}%`,
      }}
      onPointerDown={lift}
      onPointerMove={drag}
      onPointerUp={drop}
      onPointerCancel={drop}
      onKeyDown={nudge}
    />
  );
}

export const fraction = (value: number): number =>
  Math.round(Math.min(1, Math.max(0, value)) * 10_000) / 10_000;
