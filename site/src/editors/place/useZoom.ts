import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { Zoom } from '../../workbench/preview/zoom';

const LEAST = 0.5;
const MOST = 4;

export const bounded = (scale: number): number => Math.min(MOST, Math.max(LEAST, scale));

type Point = { x: number; y: number };

/**
 * Zoom of what scrolls in `room`, also by pinching and by wheel with ctrl; what is under the fingers stays there.
 * `scaleOf` and `stepAt` say how large pages are at a zoom, and how far from one to the next in CSS pixels.
 */
export function useZoom(
  room: RefObject<HTMLElement | null>,
  scaleOf: (zoom: Zoom) => number,
  stepAt: (zoom: Zoom) => number,
) {
  const [zoom, setZoom] = useState<Zoom>('fit');
  const step = stepAt(zoom);
  const shown = useRef({ scale: 1 });
  shown.current.scale = scaleOf(zoom);
  const anchor = useRef<Point | null>(null);
  usePinch(room, (factor, at) => {
    anchor.current = at;
    setZoom(bounded(shown.current.scale * factor));
  });
  const before = useRef({ step, zoom });
  useLayoutEffect(() => {
    const target = room.current;
    const old = before.current;
    before.current = { step, zoom };
    // A page that turned out to be larger than those before moves nothing that is in sight.
    const still = zoom === old.zoom ? { x: 0, y: 0 } : null;
    if (target && old.step !== step) keep(target, step / old.step, still ?? anchor.current);
    anchor.current = null;
  }, [room, step, zoom]);
  return { zoom, setZoom, step };
}

/** Scrolls so that the same part of the document is at the anchor, or in the middle. */
function keep(target: HTMLElement, grown: number, anchor: Point | null): void {
  const { x, y } = anchor ?? { x: target.clientWidth / 2, y: target.clientHeight / 2 };
  target.scrollTop = (target.scrollTop + y) * grown - y;
  target.scrollLeft = (target.scrollLeft + x) * grown - x;
}

function usePinch(room: RefObject<HTMLElement | null>, grow: (factor: number, at: Point) => void): void {
  const act = useRef(grow);
  act.current = grow;
  useEffect(() => {
    const target = room.current;
    if (!target) return;
    const inRoom = (x: number, y: number): Point => {
      const box = target.getBoundingClientRect();
      return { x: x - box.left, y: y - box.top };
    };
    const wheel = (event: WheelEvent) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      act.current(Math.exp(-event.deltaY / 200), inRoom(event.clientX, event.clientY));
    };
    let apart = 0;
    const pinch = (event: TouchEvent) => {
      const [one, two] = event.touches;
      if (!one || !two) {
        apart = 0;
        return;
      }
      event.preventDefault();
      const now = Math.hypot(one.clientX - two.clientX, one.clientY - two.clientY);
      const middle = inRoom((one.clientX + two.clientX) / 2, (one.clientY + two.clientY) / 2);
      if (apart > 0) act.current(now / apart, middle);
      apart = now;
    };
    const stop = () => {
      apart = 0;
    };
    // Not passive: the browser's own zoom would take the page with it.
    target.addEventListener('wheel', wheel, { passive: false });
    target.addEventListener('touchmove', pinch, { passive: false });
    target.addEventListener('touchend', stop);
    return () => {
      target.removeEventListener('wheel', wheel);
      target.removeEventListener('touchmove', pinch);
      target.removeEventListener('touchend', stop);
    };
  }, [room]);
}
