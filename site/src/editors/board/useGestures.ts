import { type PointerEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { useStable } from '../useStable';
import { type Choice, extended } from './choice';
import { gapAt, itemAt, itemsIn, type Layout, placeOf, type Rect } from './layout';
import type { Ids, Leaf } from './model';

/** What a hand is doing: drawing a rectangle, carrying leaves, or (on touch) choosing what it strokes. */
export type Gesture =
  | { at: 'frame'; rect: Rect }
  | { at: 'carry'; ids: Ids; x: number; y: number; gap: number; mark: { left: number; top: number } }
  | { at: 'stroke' };

type World = {
  scroller: RefObject<HTMLElement | null>;
  layout: Layout;
  leaves: readonly Leaf[];
  choice: Choice | null;
  /** Around the pages, inside the scroller. */
  edge: number;
  onChoice(choice: Choice): void;
  onMove: ((ids: Ids, to: number) => void) | undefined;
};

/** A press in progress: where it began, and what was chosen then. */
type Hold = {
  start: Point;
  last: Point;
  item: number | null;
  touch: boolean;
  chosen: Choice;
  begun: boolean;
};
/** Of the window. */
type Point = { x: number; y: number };

const SLIP = { mouse: 5, touch: 10 };
const LONG_PRESS = 380;
const EDGE = 56;

/** The hand on the board; pages are found by where they lie, so those out of sight count too. */
export function useGestures(world: World) {
  const [gesture, setGesture] = useState<Gesture | null>(null);
  const hold = useRef<Hold | null>(null);
  const origin = useRef<Point>({ x: 0, y: 0 });
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const clickIsOver = useRef(false);

  const inside = ({ x, y }: Point): Point => {
    const target = world.scroller.current as HTMLElement;
    const box = target.getBoundingClientRect();
    return {
      x: x - box.left - target.clientLeft - world.edge,
      y: y - box.top - target.clientTop + target.scrollTop - world.edge,
    };
  };

  const begin = () => {
    const now = hold.current;
    if (!now || now.begun || !world.choice) return;
    now.begun = true;
    const leaf = now.item === null ? undefined : world.leaves[now.item];
    if (now.touch && leaf) {
      now.chosen = { ids: new Set([...now.chosen.ids, leaf.id]), anchor: leaf.id };
      world.onChoice(now.chosen);
      navigator.vibrate?.(10);
    }
    update();
  };

  const update = () => {
    const now = hold.current;
    if (!now?.begun) return;
    const leaf = now.item === null ? undefined : world.leaves[now.item];
    if (leaf && world.onMove) return carry(now, leaf);
    if (now.touch) return stroke(now, leaf);
    frame(now);
  };

  const carry = (now: Hold, leaf: Leaf) => {
    const ids = now.chosen.ids.has(leaf.id) ? now.chosen.ids : new Set([leaf.id]);
    const at = inside(now.last);
    const gap = gapAt(world.layout, at.x, at.y);
    setGesture({ at: 'carry', ids, ...now.last, gap, mark: markOf(world.layout, gap, at.y) });
  };

  const stroke = (now: Hold, leaf: Leaf | undefined) => {
    const at = inside(now.last);
    const under = itemAt(world.layout, at.x, at.y);
    setGesture({ at: 'stroke' });
    if (!leaf || under === null) return;
    const to = world.leaves[under];
    if (to) world.onChoice(extended({ ...now.chosen, anchor: leaf.id }, world.leaves, to.id));
  };

  const frame = (now: Hold) => {
    const [from, to] = [origin.current, inside(now.last)];
    const rect = {
      left: Math.min(from.x, to.x),
      right: Math.max(from.x, to.x),
      top: Math.min(from.y, to.y),
      bottom: Math.max(from.y, to.y),
    };
    setGesture({ at: 'frame', rect });
    const hit = itemsIn(world.layout, rect).flatMap((item) => world.leaves[item]?.id ?? []);
    world.onChoice({ ids: new Set([...now.chosen.ids, ...hit]), anchor: hit.at(-1) ?? now.chosen.anchor });
  };

  const end = useStable((done: boolean) => {
    clearTimeout(timer.current);
    const now = hold.current;
    hold.current = null;
    setGesture(null);
    if (!now?.begun) return;
    clickIsOver.current = true;
    setTimeout(() => {
      clickIsOver.current = false;
    }, 50);
    if (done && gesture?.at === 'carry') world.onMove?.(gesture.ids, gesture.gap);
    if (!done && gesture?.at === 'frame') world.onChoice(now.chosen);
  });

  const move = useStable((event: globalThis.PointerEvent) => {
    const now = hold.current;
    if (!now) return;
    now.last = { x: event.clientX, y: event.clientY };
    const far = Math.hypot(now.last.x - now.start.x, now.last.y - now.start.y);
    if (now.begun) update();
    else if (now.touch && far > SLIP.touch) end(false);
    else if (!now.touch && far > SLIP.mouse) begin();
  });

  const scrollAtEdge = useStable(() => {
    const target = world.scroller.current;
    if (!hold.current?.begun || !target) return;
    const { top, bottom } = target.getBoundingClientRect();
    const { y } = hold.current.last;
    const by = y < top + EDGE ? y - top - EDGE : y > bottom - EDGE ? y - bottom + EDGE : 0;
    if (by === 0) return;
    target.scrollTop += Math.max(-EDGE, Math.min(EDGE, by)) / 3;
    update();
  });

  useListening(hold, gesture !== null, { move, end, scrollAtEdge, scroller: world.scroller });

  const onPointerDown = (event: PointerEvent) => {
    if (event.button !== 0 || !event.isPrimary || !world.choice || isOther(event.target)) return;
    const point = { x: event.clientX, y: event.clientY };
    // On the scroll bar it is no press on the board.
    const { scroller } = world;
    if (event.target === scroller.current && event.nativeEvent.offsetX > scroller.current.clientWidth) return;
    const at = inside(point);
    const touch = event.pointerType === 'touch';
    origin.current = at;
    hold.current = {
      start: point,
      last: point,
      item: itemAt(world.layout, at.x, at.y),
      touch,
      chosen: world.choice,
      begun: false,
    };
    if (touch) timer.current = setTimeout(begin, LONG_PRESS);
  };
  const onClickCapture = (event: { stopPropagation(): void; preventDefault(): void }) => {
    if (!clickIsOver.current) return;
    event.stopPropagation();
    event.preventDefault();
  };
  return { gesture, onPointerDown, onClickCapture };
}

/** Buttons other than the page itself are not for dragging. */
const isOther = (target: EventTarget) =>
  target instanceof Element &&
  target.closest('button, input, form, .board-head') !== null &&
  target.closest('.leaf-face') === null;

/** Where the line stands that shows a gap: before its leaf, or after the one at the end of the row. */
function markOf(layout: Layout, gap: number, y: number): { left: number; top: number } {
  const { cell, gap: space, row } = layout;
  const before = gap > 0 ? placeOf(layout, gap - 1) : null;
  const here = gap < layout.count ? placeOf(layout, gap) : null;
  const atEnd = before && (!here || (here.top !== before.top && y < before.top + row));
  if (atEnd) return { left: before.left + cell + space / 2, top: before.top };
  return { left: (here?.left ?? 0) - space / 2, top: here?.top ?? 0 };
}

type Listening = {
  move(event: globalThis.PointerEvent): void;
  end(done: boolean): void;
  scrollAtEdge(): void;
  scroller: RefObject<HTMLElement | null>;
};

function useListening(hold: RefObject<Hold | null>, active: boolean, listening: Listening): void {
  const { move, end, scrollAtEdge, scroller } = listening;
  useEffect(() => {
    const up = () => end(true);
    const cancel = () => end(false);
    const escapes = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || !hold.current?.begun) return;
      event.stopPropagation();
      end(false);
    };
    const target = scroller.current;
    // A finger that carries or strokes does not scroll; the browser asks at its first move.
    const still = (event: TouchEvent) => hold.current?.begun && event.cancelable && event.preventDefault();
    const noMenu = (event: Event) => hold.current?.touch && event.preventDefault();
    addEventListener('pointermove', move);
    addEventListener('pointerup', up);
    addEventListener('pointercancel', cancel);
    addEventListener('keydown', escapes, true);
    target?.addEventListener('touchmove', still, { passive: false });
    target?.addEventListener('contextmenu', noMenu);
    return () => {
      removeEventListener('pointermove', move);
      removeEventListener('pointerup', up);
      removeEventListener('pointercancel', cancel);
      removeEventListener('keydown', escapes, true);
      target?.removeEventListener('touchmove', still);
      target?.removeEventListener('contextmenu', noMenu);
    };
  }, [hold, move, end, scroller]);
  useEffect(() => {
    if (!active) return;
    let frame = requestAnimationFrame(function tick() {
      scrollAtEdge();
      frame = requestAnimationFrame(tick);
    });
    return () => cancelAnimationFrame(frame);
  }, [active, scrollAtEdge]);
}
