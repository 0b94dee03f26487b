import { advance, type Family } from './advances';
import { HANDS, isHand } from './hands';
import { ASCENT, type Box, LEADING, type Point, type View } from './marks';

export type TextLook = { lines: string[]; size: number; family: Family; bold: boolean; colour: string };

/** A mark that can be drawn with its lower left corner at 0,0 (canvas axes: y downwards from its top). */
export type Drawable = Box & { draw(context: CanvasRenderingContext2D): void };

export const STACKS = {
  sans: '"Noto Sans CJK SC", "Noto Sans SC", "PingFang SC", "Source Han Sans SC", "Microsoft YaHei", sans-serif',
  serif: '"Noto Serif CJK SC", "Noto Serif SC", "Songti SC", "Source Han Serif SC", SimSun, serif',
  mono: '"Noto Sans Mono CJK SC", "Liberation Mono", Menlo, Consolas, monospace',
};

const stackOf = (family: Family): string =>
  isHand(family) ? `${HANDS[family]}, ${STACKS.sans}` : STACKS[family];

let ruler: CanvasRenderingContext2D | null | undefined;
export function measuring(): CanvasRenderingContext2D | null {
  if (ruler === undefined) ruler = document.createElement('canvas').getContext('2d');
  return ruler;
}

export function textMark(look: TextLook, context = measuring()): Drawable {
  const font = `${look.bold ? 'bold ' : ''}100px ${stackOf(look.family)}`;
  const lines = look.lines.map((line) => placedLetters(line.replaceAll('\t', '    '), look, font, context));
  const width = Math.max(0, ...lines.map((line) => line.width)) * look.size;
  return {
    width,
    height: lines.length * LEADING * look.size,
    draw: (target) => drawLines(target, lines, { ...look, font, width }),
  };
}

export type Line = { width: number; letters: { letter: string; x: number; squeeze: number }[] };

/** Each letter where the server puts it, whatever widths the fonts of this machine have. */
export function placedLetters(
  text: string,
  look: Pick<TextLook, 'family' | 'bold'>,
  font: string,
  context: CanvasRenderingContext2D | null,
): Line {
  let x = 0;
  if (context) context.font = font;
  const letters = [...text].map((letter) => {
    const own = (context?.measureText(letter).width ?? 50) / 100;
    const width = advance(letter, look.family, look.bold) ?? own;
    const placed = { letter, x, squeeze: own > 0 ? width / own : 1 };
    x += width;
    return placed;
  });
  return { width: x, letters };
}

type Style = { size: number; colour: string; font: string; width: number };

function drawLines(
  target: CanvasRenderingContext2D,
  lines: Line[],
  { size, colour, font, width }: Style,
): void {
  target.fillStyle = colour;
  target.font = font;
  target.textBaseline = 'alphabetic';
  lines.forEach((line, index) => {
    target.save();
    target.translate((width - line.width * size) / 2, (LEADING * index + ASCENT) * size);
    drawLetters(target, line, size);
    target.restore();
  });
}

/** A line whose baseline begins at 0,0. */
export function drawLetters(target: CanvasRenderingContext2D, { letters }: Line, size: number): void {
  target.scale(size / 100, size / 100);
  for (const { letter, x, squeeze } of letters) {
    target.save();
    target.translate(x * 100, 0);
    target.scale(squeeze, 1);
    target.fillText(letter, 0, 0);
    target.restore();
  }
}

type Picture = CanvasImageSource & Box;

/** A picture `width` points wide. */
export function wideMark(image: Picture, width: number): Drawable {
  const height = (width * image.height) / image.width;
  return { width, height, draw: (target) => target.drawImage(image, 0, 0, width, height) };
}

/** A picture as wide as its share of the page, in percent. */
export const pictureMark = (image: Picture, share: number, view: View): Drawable =>
  wideMark(image, (view.width * share) / 100);

export type Frame = 'none' | 'box' | 'round' | 'double';

/** Words in a frame, as cluster/engines/marks/stamp.py states it. */
export function framedMark(text: Drawable, frame: Frame, size: number, colour: string): Drawable {
  if (frame === 'none') return text;
  const [width, height] = [text.width + size, text.height + 0.4 * size];
  const line = (thick: number, inward: number) => {
    const edge = inward + thick / 2;
    return [thick, edge, edge, width - 2 * edge, height - 2 * edge] as const;
  };
  return {
    width,
    height,
    draw: (target) => {
      target.strokeStyle = colour;
      const lines = [line(0.08 * size, 0), ...(frame === 'double' ? [line(0.04 * size, 0.14 * size)] : [])];
      for (const [thick, ...box] of lines) {
        target.lineWidth = thick;
        target.beginPath();
        target.roundRect(...box, frame === 'round' ? 0.3 * size : 0);
        target.stroke();
      }
      target.translate(0.5 * size, 0.2 * size);
      text.draw(target);
    },
  };
}

/** A mark at each of its centres, or what a box (left, bottom, right, top; visible points) shows of it. */
export type Layer = {
  mark: Drawable;
  centres: Point[];
  angle: number;
  opacity: number;
  clip?: [number, number, number, number];
};

/** Draws the layers on a canvas of `pixels` that shows the whole page, its last pixel included. */
export function drawLayers(
  canvas: HTMLCanvasElement,
  view: View,
  pixels: Box,
  layers: readonly Layer[],
): void {
  canvas.width = Math.round(pixels.width);
  canvas.height = Math.round(pixels.height);
  const context = canvas.getContext('2d');
  if (!context) return;
  const scale: [number, number] = [canvas.width / view.width, canvas.height / view.height];
  for (const layer of layers) drawLayer(context, view, scale, layer);
}

function drawLayer(
  context: CanvasRenderingContext2D,
  view: View,
  [across, down]: [number, number],
  { mark, centres, angle, opacity, clip }: Layer,
): void {
  context.save();
  if (clip) {
    const [left, bottom, right, top] = clip;
    context.setTransform(across, 0, 0, down, 0, 0);
    context.beginPath();
    context.rect(left, view.height - top, right - left, top - bottom);
    context.clip();
  }
  context.globalAlpha = opacity / 100;
  for (const { x, y } of centres) {
    context.save();
    context.setTransform(across, 0, 0, down, x * across, (view.height - y) * down);
    context.rotate((-angle * Math.PI) / 180);
    context.translate(-mark.width / 2, -mark.height / 2);
    mark.draw(context);
    context.restore();
  }
  context.restore();
}
