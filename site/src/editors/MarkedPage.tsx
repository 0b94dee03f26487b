import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react';
import { drawMarks } from './drawMark';
import { centresOf, cover, type Point, type View } from './marks';
import type { OpenPdf } from './pdf/open';
import { PagePicture } from './pdf/PagePicture';
import { pageSize } from './pdf/render';
import { type MarkOptions, useMark } from './useMark';
import { useViewport } from './window';
import type { Words } from './words';

type Props = {
  pdf: OpenPdf;
  page: number;
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

export function MarkedPage({ pdf, page, options, values, marked, onPoint, words }: Props) {
  const room = useRef<HTMLDivElement>(null);
  const { width, height } = useViewport(room);
  const view = usePageSize(pdf, page);
  const scale = view && width > 0 ? Math.min((width - 32) / view.width, (height - 32) / view.height) : 0;
  return (
    <div className="canvas-room" ref={room}>
      {view && scale > 0 && (
        <div
          className="canvas-page"
          data-layer={options.layer}
          style={{ width: view.width * scale, height: view.height * scale }}
        >
          <PagePicture
            pdf={pdf}
            page={page}
            box={{ width: view.width * scale, height: view.height * scale }}
            label={words.page(page)}
          />
          {marked && (
            <Marks
              view={view}
              scale={scale}
              options={options}
              values={values}
              onPoint={onPoint}
              words={words}
            />
          )}
        </div>
      )}
    </div>
  );
}

function usePageSize(pdf: OpenPdf, page: number): View | null {
  const [view, setView] = useState<View | null>(null);
  useEffect(() => {
    let current = true;
    pageSize(pdf, page).then(
      (size) => current && setView(size),
      () => current && setView(null),
    );
    return () => {
      current = false;
    };
  }, [pdf, page]);
  return view;
}

type MarksProps = Pick<Props, 'options' | 'values' | 'onPoint' | 'words'> & { view: View; scale: number };

function Marks({ view, scale, options, values, onPoint, words }: MarksProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const mark = useMark(options, view, values);
  const { angle, opacity, layout } = options;
  const centres = mark ? centresOf(layout, view, mark, angle) : [];
  useEffect(() => {
    const density = Math.min(globalThis.devicePixelRatio ?? 1, 2);
    if (canvas.current) drawMarks(canvas.current, view, scale * density, mark, { centres, angle, opacity });
  });
  const [centre] = centres;
  const box = mark && cover(mark, angle);
  return (
    <>
      <span className="canvas-marks" aria-hidden="true">
        <canvas ref={canvas} />
      </span>
      {box && centre && layout.how !== 'tiled' && (
        <Handle
          view={view}
          scale={scale}
          centre={centre}
          box={box}
          onPoint={onPoint}
          label={words.markLabel}
        />
      )}
    </>
  );
}

type HandleProps = {
  view: View;
  scale: number;
  centre: Point;
  box: View;
  onPoint: Props['onPoint'];
  label: string;
};

/** The frame around a single mark: dragged with a pointer, nudged with arrow keys. */
function Handle({ view, scale, centre, box, onPoint, label }: HandleProps) {
  const grip = useRef<Point | null>(null);
  const [x, y] = [centre.x / view.width, 1 - centre.y / view.height];
  const place = (left: number, top: number) => onPoint(fraction(left), fraction(top));
  const lift = (event: PointerEvent) => {
    event.currentTarget.setPointerCapture(event.pointerId);
    grip.current = { x: event.clientX - x * view.width * scale, y: event.clientY - y * view.height * scale };
  };
  const drag = (event: PointerEvent) => {
    if (!grip.current) return;
    place(
      (event.clientX - grip.current.x) / (view.width * scale),
      (event.clientY - grip.current.y) / (view.height * scale),
    );
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
        width: Math.max(box.width * scale, 24),
        height: Math.max(box.height * scale, 24),
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
