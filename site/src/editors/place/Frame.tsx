import { type CSSProperties, type KeyboardEvent, type PointerEvent, useRef } from 'react';
import type { Point, View } from './marks';
import type { Gesture, Thing } from './scene';
import { type Guide, snapped } from './snap';
import { CORNERS, moved, normal, type Spot, scaledFrom, sized, stretched, turned } from './spot';
import type { PlaceWords } from './words';

/** CSS pixels within which things hold on to lines, and the least a frame measures. */
const REACH = 6;
const LEAST = 24;
/** A hand that goes less far than this stayed in place. */
const STILL = 3;

export type Hold = { thing: Thing; spot: Spot; was: Spot; gesture: Gesture };

type Props = {
  thing: Thing;
  view: View;
  /** CSS pixels for a point. */
  scale: number;
  others: readonly Spot[];
  chosen: boolean;
  onChoose(): void;
  /** While it is dragged, and when it is let go. */
  onDrag(hold: Hold, guides: Guide[]): void;
  onDrop(hold: Hold): void;
  onCancel(): void;
  onRemove?: (() => void) | undefined;
  /** It was chosen and is pressed again. */
  onOpen?: (() => void) | undefined;
  words: PlaceWords;
};

type Grip = {
  gesture: Gesture;
  corner: number;
  from: Point;
  was: Spot;
  last: Hold | null;
  again: boolean;
};

/** The frame around a thing: dragged, sized at its corners, turned by its grip; the keyboard does all of it, too. */
export function Frame(props: Props) {
  const { thing, view, scale, chosen, words } = props;
  const { spot } = thing;
  const grip = useRef<Grip | null>(null);
  const pointOf = (event: PointerEvent) => pointAt(event, view);
  const lift = (event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0) return;
    const held = (event.target as HTMLElement).dataset;
    event.currentTarget.setPointerCapture(event.pointerId);
    const gesture = (held.gesture as Gesture | undefined) ?? 'move';
    const from = pointOf(event);
    grip.current = { gesture, corner: Number(held.corner ?? 0), from, was: spot, last: null, again: chosen };
    props.onChoose();
  };
  const drag = (event: PointerEvent) => {
    const held = grip.current;
    if (!held) return;
    const to = pointOf(event);
    if (!held.last && Math.hypot(to.x - held.from.x, to.y - held.from.y) * scale < STILL) return;
    const found = reached(held, to, event, props);
    held.last = { thing, spot: found.spot, was: held.was, gesture: held.gesture };
    props.onDrag(held.last, found.guides);
  };
  const drop = () => {
    const held = grip.current;
    grip.current = null;
    if (held?.last) props.onDrop(held.last);
    else if (held?.again && held.gesture === 'move') props.onOpen?.();
  };
  const cancel = () => {
    grip.current = null;
    props.onCancel();
  };
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && grip.current) return cancel();
    if ((event.key === 'Delete' || event.key === 'Backspace') && props.onRemove) return props.onRemove();
    if (event.key === 'Enter' && props.onOpen) {
      event.preventDefault();
      return props.onOpen();
    }
    const put = keyed(spot, event, thing, view);
    if (!put) return;
    event.preventDefault();
    props.onDrop({ thing, was: spot, ...put });
  };
  return (
    <button
      type="button"
      className="canvas-handle"
      data-chosen={chosen || undefined}
      data-testid="thing"
      data-thing={thing.id}
      aria-label={words.thingAt(
        thing.label,
        percent(spot.x, view.width),
        percent(view.height - spot.y, view.height),
      )}
      aria-keyshortcuts="ArrowLeft ArrowRight ArrowUp ArrowDown + - [ ]"
      style={styleOf(spot, view, scale)}
      onPointerDown={lift}
      onPointerMove={drag}
      onPointerUp={drop}
      onPointerCancel={cancel}
      onFocus={props.onChoose}
      onKeyDown={press}
    >
      {chosen &&
        thing.sizes &&
        CORNERS.map((corner, at) => <SizeGrip key={String(corner)} corner={corner} at={at} />)}
      {chosen && thing.turns && <span className="canvas-turn" data-gesture="turn" aria-hidden="true" />}
    </button>
  );
}

const SizeGrip = ({ corner: [across, up], at }: { corner: [number, number]; at: number }) => (
  <span
    className="canvas-grip"
    data-gesture="size"
    data-corner={at}
    aria-hidden="true"
    data-across={across}
    data-up={up}
  />
);

const percent = (part: number, whole: number) => Math.round((part / whole) * 100);

/** Where the pointer is on the page, in visible points. */
function pointAt({ currentTarget, clientX, clientY }: PointerEvent, view: View): Point {
  const box = currentTarget.closest('.canvas-page')!.getBoundingClientRect();
  return {
    x: ((clientX - box.left) / box.width) * view.width,
    y: view.height - ((clientY - box.top) / box.height) * view.height,
  };
}

type Keys = { altKey: boolean; shiftKey: boolean };

function reached(held: Grip, to: Point, { altKey: free, shiftKey }: Keys, props: Props) {
  const { thing, view, others, scale } = props;
  const { was, from, gesture } = held;
  if (gesture === 'turn') return { spot: turned(was, to, free), guides: [] };
  if (gesture === 'size') {
    const reach = thing.sizes === 'both' && !shiftKey ? stretched : sized;
    return { spot: reach(was, CORNERS[held.corner]!, to), guides: [] };
  }
  const spot = moved(was, { x: to.x - from.x, y: to.y - from.y }, view);
  return free ? { spot, guides: [] } : snapped(spot, view, others, REACH / scale);
}

const ARROWS: Record<string, [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
};

/** What a key does to a thing; with shift it does more. */
function keyed(
  spot: Spot,
  { key, shiftKey }: KeyboardEvent,
  thing: Thing,
  view: View,
): { spot: Spot; gesture: Gesture } | null {
  const arrow = ARROWS[key];
  if (arrow) {
    const by = shiftKey ? 10 : 1;
    return { spot: moved(spot, { x: arrow[0] * by, y: arrow[1] * by }, view), gesture: 'move' };
  }
  const larger = { '+': 1.05, '=': 1.05, '-': 1 / 1.05, _: 1 / 1.05 }[key];
  if (larger && thing.sizes) return { spot: scaledFrom(spot, spot, larger), gesture: 'size' };
  const turn = { '[': 1, '{': 15, ']': -1, '}': -15 }[key];
  if (turn && thing.turns) return { spot: { ...spot, angle: normal(spot.angle + turn) }, gesture: 'turn' };
  return null;
}

const styleOf = (spot: Spot, view: View, scale: number): CSSProperties => ({
  width: Math.max(spot.width * scale, LEAST),
  height: Math.max(spot.height * scale, LEAST),
  left: `${(spot.x / view.width) * 100}%`,
  top: `${(1 - spot.y / view.height) * 100}%`,
  rotate: `${-spot.angle}deg`,
});
