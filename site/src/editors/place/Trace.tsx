import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react';
import type { Point, View } from './marks';
import type { Way } from './scene';

/** CSS pixels of a hand's way that count as staying in place, and between two points of a free line. */
const STILL = 4;
const APART = 2;

type Props = {
  way: Way;
  view: View;
  /** CSS pixels for a point. */
  scale: number;
  label: string;
  onDraw(points: readonly Point[]): void;
  /** One point where the hand stayed in place, two for a box or a line, and any number for a free line. */
  onDone(points: readonly Point[]): void;
  onCancel(): void;
};

/** Lies over a page and takes what a hand draws on it, in visible points. The keyboard puts a thing in the middle. */
export function Trace({ way, view, scale, label, onDraw, onDone, onCancel }: Props) {
  const points = useRef<Point[]>([]);
  const [band, setBand] = useState<[Point, Point] | null>(null);
  const begin = (event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0 || !event.isPrimary) return;
    event.preventDefault();
    event.currentTarget.focus({ preventScroll: true });
    event.currentTarget.setPointerCapture(event.pointerId);
    points.current = [pointIn(event, view)];
  };
  const go = (event: PointerEvent<HTMLElement>) => {
    const [first] = points.current;
    if (!first || !event.isPrimary) return;
    points.current = longer(points.current, pointIn(event, view), way, { event, apart: APART / scale });
    const last = points.current.at(-1) ?? first;
    if (way === 'box') setBand([first, last]);
    if (way !== 'point' && far(first, last, STILL / scale)) onDraw(points.current);
  };
  const end = () => {
    const drawn = settled(points.current, way, STILL / scale);
    points.current = [];
    setBand(null);
    if (drawn.length > 0) onDone(drawn);
  };
  const cancel = () => {
    points.current = [];
    setBand(null);
    onCancel();
  };
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Escape') cancel();
    if (event.key !== 'Enter' || event.target !== event.currentTarget) return;
    event.preventDefault();
    onDone([{ x: view.width / 2, y: view.height / 2 }]);
  };
  return (
    <button
      type="button"
      className="canvas-trace"
      data-testid="trace"
      data-way={way}
      aria-label={label}
      onPointerDown={begin}
      onPointerMove={go}
      onPointerUp={end}
      onPointerCancel={cancel}
      onKeyDown={press}
    >
      {band && <Band band={band} view={view} scale={scale} />}
    </button>
  );
}

function Band({ band: [a, b], view, scale }: { band: [Point, Point]; view: View; scale: number }) {
  return (
    <span
      className="canvas-band"
      style={{
        left: Math.min(a.x, b.x) * scale,
        top: (view.height - Math.max(a.y, b.y)) * scale,
        width: Math.abs(a.x - b.x) * scale,
        height: Math.abs(a.y - b.y) * scale,
      }}
    />
  );
}

const far = (a: Point, b: Point, apart: number) => Math.hypot(a.x - b.x, a.y - b.y) >= apart;

/** The points with the newest; with shift a line goes straight and a box is a square. */
function longer(
  points: Point[],
  next: Point,
  way: Way,
  { event, apart }: { event: PointerEvent; apart: number },
): Point[] {
  const [first] = points;
  const last = points.at(-1);
  if (!first || !last) return points;
  if (way !== 'free') return [first, event.shiftKey ? straightened(first, next, way) : next];
  return far(last, next, apart) ? [...points, next] : points;
}

export function straightened(from: Point, to: Point, way: Way): Point {
  const [x, y] = [to.x - from.x, to.y - from.y];
  if (way === 'box') {
    const side = Math.max(Math.abs(x), Math.abs(y));
    return { x: from.x + Math.sign(x || 1) * side, y: from.y + Math.sign(y || 1) * side };
  }
  const step = Math.PI / 4;
  const angle = Math.round(Math.atan2(y, x) / step) * step;
  const length = Math.hypot(x, y);
  return { x: from.x + Math.cos(angle) * length, y: from.y + Math.sin(angle) * length };
}

/** What was meant: a hand that trembled in place drew nothing but a point. */
function settled(points: Point[], way: Way, still: number): Point[] {
  const [first] = points;
  if (!first) return [];
  if (way === 'point' || !points.some((point) => far(first, point, still))) return [first];
  return points;
}

function pointIn(event: PointerEvent<HTMLElement>, view: View): Point {
  const box = event.currentTarget.getBoundingClientRect();
  const within = (share: number) => Math.min(1, Math.max(0, share));
  return {
    x: within((event.clientX - box.left) / box.width) * view.width,
    y: (1 - within((event.clientY - box.top) / box.height)) * view.height,
  };
}
