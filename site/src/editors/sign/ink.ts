import type { Drawable } from '../place/drawMark';
import type { DrawnLook } from './types';

/**
 * Strokes as cluster/engines/marks/ink.py states them: x, y, then for each curve width, x1, y1, x2, y2, x, y; a dot is
 * x, y and its diameter. y downwards.
 */
export type Ink = Pick<DrawnLook, 'strokes' | 'width' | 'height'>;

const CURVE = 7;
const NUMBERS = /-?\d+(?:\.\d+)?/g;
const tenth = (value: number) => Math.round(value * 10) / 10;

/** The curves of a picture that signature_pad writes, one row a stroke, cut to the ink; null where there is none. */
export function inkOf(svg: string): Ink | null {
  const found = new DOMParser().parseFromString(svg, 'image/svg+xml');
  const strokes: number[][] = [];
  for (const node of found.querySelectorAll('path, circle')) {
    if (node.nodeName === 'circle') strokes.push(dotOf(node));
    else addCurve(strokes, node);
  }
  return strokes.length > 0 ? cropped(strokes) : null;
}

const numberOf = (node: Element, name: string) => Number(node.getAttribute(name));

const dotOf = (node: Element) => [numberOf(node, 'cx'), numberOf(node, 'cy'), 2 * numberOf(node, 'r')];

/** A curve that begins where the last one ended goes on with its stroke. */
function addCurve(strokes: number[][], node: Element): void {
  const [x = 0, y = 0, ...curve] = (node.getAttribute('d')?.match(NUMBERS) ?? []).map(Number);
  if (curve.length !== CURVE - 1) return;
  const row = [numberOf(node, 'stroke-width'), ...curve];
  const last = strokes.at(-1);
  const joins = last && last.length > 3 && last.at(-2) === x && last.at(-1) === y;
  if (joins) last.push(...row);
  else strokes.push([x, y, ...row]);
}

/** Which numbers of a row are widths; the others are x and y by turns. */
const isWidth = (at: number, length: number) => (length === 3 ? at === 2 : at > 1 && (at - 2) % CURVE === 0);
const isAcross = (at: number) => (at < 2 ? at === 0 : ((at - 2) % CURVE) % 2 === 1);

function cropped(strokes: number[][]): Ink {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const row of strokes) {
    const half = Math.max(...row.filter((_, at) => isWidth(at, row.length))) / 2;
    row.forEach((value, at) => {
      if (isWidth(at, row.length)) return;
      if (isAcross(at)) [left, right] = [Math.min(left, value - half), Math.max(right, value + half)];
      else [top, bottom] = [Math.min(top, value - half), Math.max(bottom, value + half)];
    });
  }
  const move = (value: number, at: number, row: number[]) =>
    isWidth(at, row.length) ? value : value - (isAcross(at) ? left : top);
  return {
    strokes: strokes.map((row) => row.map((value, at) => tenth(move(value, at, row)))),
    width: tenth(Math.max(right - left, 1)),
    height: tenth(Math.max(bottom - top, 1)),
  };
}

/** The strokes so high on the page. */
export function inkMark({ strokes, width, height, colour }: DrawnLook, high: number): Drawable {
  const scale = high / height;
  return {
    width: width * scale,
    height: high,
    draw: (target) => {
      target.scale(scale, scale);
      target.strokeStyle = colour;
      target.lineCap = 'round';
      for (const row of strokes) drawStroke(target, row);
    },
  };
}

function drawStroke(target: CanvasRenderingContext2D, row: number[]): void {
  let [x = 0, y = 0, width = 1] = row;
  const line = (path: () => void) => {
    target.lineWidth = width;
    target.beginPath();
    target.moveTo(x, y);
    path();
    target.stroke();
  };
  if (row.length === 3) line(() => target.lineTo(x, y));
  for (let at = 2; at + CURVE <= row.length; at += CURVE) {
    const [thick = 1, a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = row.slice(at, at + CURVE);
    width = thick;
    line(() => target.bezierCurveTo(a, b, c, d, e, f));
    [x, y] = [e, f];
  }
}
