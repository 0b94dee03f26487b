import { advance, type Family } from './advances';
import { ASCENT, type Box, LEADING, type Point, type View } from './marks';

export type TextLook = { lines: string[]; size: number; family: Family; bold: boolean; colour: string };

/** A mark that can be drawn with its lower left corner at 0,0 (canvas axes: y downwards from its top). */
export type Drawable = Box & { draw(context: CanvasRenderingContext2D): void };

const STACKS: Record<Family, string> = {
  sans: '"Noto Sans CJK SC", "Noto Sans SC", "PingFang SC", "Source Han Sans SC", "Microsoft YaHei", sans-serif',
  serif: '"Noto Serif CJK SC", "Noto Serif SC", "Songti SC", "Source Han Serif SC", SimSun, serif',
  mono: '"Noto Sans Mono CJK SC", "Liberation Mono", Menlo, Consolas, monospace',
};

const measuring = () => document.createElement('canvas').getContext('2d');

export function textMark(look: TextLook, context = measuring()): Drawable {
  const font = `${look.bold ? 'bold ' : ''}100px ${STACKS[look.family]}`;
  const lines = look.lines.map((line) => placedLetters(line.replaceAll('\t', '    '), look, font, context));
  const width = Math.max(0, ...lines.map((line) => line.width)) * look.size;
  return {
    width,
    height: lines.length * LEADING * look.size,
    draw: (target) => drawLines(target, lines, { ...look, font, width }),
  };
}

type Line = { width: number; letters: { letter: string; x: number; squeeze: number }[] };

/** Each letter where the server puts it, whatever widths the fonts of this machine have. */
function placedLetters(
  text: string,
  look: TextLook,
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
    target.scale(size / 100, size / 100);
    for (const { letter, x, squeeze } of line.letters) {
      target.save();
      target.translate(x * 100, 0);
      target.scale(squeeze, 1);
      target.fillText(letter, 0, 0);
      target.restore();
    }
    target.restore();
  });
}

export function pictureMark(image: ImageBitmap, share: number, view: View): Drawable {
  const width = (view.width * share) / 100;
  const height = (width * image.height) / image.width;
  return { width, height, draw: (target) => target.drawImage(image, 0, 0, width, height) };
}

export type Placement = { centres: Point[]; angle: number; opacity: number };

/** Draws the mark at each centre on a canvas of `pixels` that shows the whole page, its last pixel included. */
export function drawMarks(
  canvas: HTMLCanvasElement,
  view: View,
  pixels: Box,
  mark: Drawable | null,
  { centres, angle, opacity }: Placement,
): void {
  canvas.width = Math.round(pixels.width);
  canvas.height = Math.round(pixels.height);
  const context = canvas.getContext('2d');
  if (!context || !mark) return;
  const [across, down] = [canvas.width / view.width, canvas.height / view.height];
  context.globalAlpha = opacity / 100;
  for (const { x, y } of centres) {
    context.setTransform(across, 0, 0, down, x * across, (view.height - y) * down);
    context.rotate((-angle * Math.PI) / 180);
    context.translate(-mark.width / 2, -mark.height / 2);
    mark.draw(context);
  }
}
