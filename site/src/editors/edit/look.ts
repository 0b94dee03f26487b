import { advance } from '../place/advances';
import { type Drawable, drawLetters, type Layer, measuring, placedLetters, STACKS } from '../place/drawMark';
import { ASCENT, LEADING, type View } from '../place/marks';
import type { Area } from '../pdf/text';
import type { Art } from '../place/useArt';
import {
  type ChangeAct,
  type InkAct,
  type MarkAct,
  neat,
  type NoteAct,
  type Pair,
  type PlacedAct,
  type RedactAct,
  type ShapeAct,
  type TextAct,
} from './acts';
import { around, SIGN, spotOf, spotOfArea } from './spots';
import { wrapped } from './wrap';

/** The slant of letters that have no italic of their own. */
export const SLANT = Math.tan((12 * Math.PI) / 180);
/** An arrow's head: the length of its sides in widths of the line, and how far they stand off it. */
const HEAD = { length: 4.5, half: 0.5 };
/** Lines of marks: how high above a box's foot, and how thick, as shares of its height. */
const LINES = { underline: 0.08, strike: 0.42, thick: 0.06 };

type Letters = Pick<TextAct, 'font' | 'size' | 'bold'>;

export function linesOfText(text: string, width: number, { font, size, bold }: Letters): string[] {
  const context = measuring();
  const fallback = (letter: string) => {
    if (!context) return 0.5;
    context.font = `${bold ? 'bold ' : ''}100px ${STACKS[font]}`;
    return context.measureText(letter).width / 100;
  };
  return wrapped(text, width / size, (letter) => advance(letter, font, bold) ?? fallback(letter));
}

/** How tall the box has to be for its lines. */
export const heightOf = (
  act: Pick<TextAct, 'text' | 'font' | 'size' | 'bold' | 'line'>,
  width: number,
): number => Math.round(linesOfText(act.text, width, act).length * act.line * act.size * 100) / 100;

export function textDrawable(act: TextAct): Drawable {
  const [, , width, height] = act.box;
  const font = `${act.bold ? 'bold ' : ''}100px ${STACKS[act.font]}`;
  const lines = linesOfText(act.text, width, act).map((line) =>
    placedLetters(line, { family: act.font, bold: act.bold }, font, measuring()),
  );
  const share = { left: 0, center: 0.5, right: 1 }[act.align];
  const drop = ASCENT + (act.line - LEADING) / 2;
  return {
    width,
    height,
    draw(target) {
      target.fillStyle = act.colour;
      target.font = font;
      target.textBaseline = 'alphabetic';
      lines.forEach((line, at) => {
        target.save();
        target.translate((width - line.width * act.size) * share, (at * act.line + drop) * act.size);
        if (act.italic) target.transform(1, 0, -SLANT, 1, 0, 0);
        drawLetters(target, line, act.size);
        target.restore();
      });
    },
  };
}

/** Drawn in the page's own points, y downwards: a mark as large as the page. */
function onPage(view: View, opacity: number, draw: (target: CanvasRenderingContext2D) => void): Layer {
  const { width, height } = view;
  return {
    mark: { width, height, draw },
    centres: [{ x: width / 2, y: height / 2 }],
    angle: 0,
    opacity,
  };
}

const inBox = (mark: Drawable, area: Area, angle: number, opacity: number, view: View): Layer => {
  const { x, y } = spotOfArea(area, angle, view);
  return { mark, centres: [{ x, y }], angle, opacity };
};

function drawShape(target: CanvasRenderingContext2D, { shape, begin, end, colour, width, fill }: ShapeAct) {
  target.strokeStyle = colour;
  target.lineWidth = width;
  if (shape === 'line' || shape === 'arrow') [target.lineCap, target.lineJoin] = ['round', 'round'];
  target.beginPath();
  const [x, y, wide, tall] = around([begin, end]);
  if (shape === 'rectangle') target.rect(x, y, wide, tall);
  else if (shape === 'ellipse')
    target.ellipse(x + wide / 2, y + tall / 2, wide / 2, tall / 2, 0, 0, 2 * Math.PI);
  else {
    target.moveTo(...begin);
    target.lineTo(...end);
  }
  if (fill && shape !== 'line' && shape !== 'arrow') {
    target.fillStyle = fill;
    target.fill();
  }
  target.stroke();
  if (shape === 'arrow') drawHead(target, begin, end, width);
}

function drawHead(target: CanvasRenderingContext2D, begin: Pair, end: Pair, width: number): void {
  const back = Math.atan2(begin[1] - end[1], begin[0] - end[0]);
  const length = HEAD.length * width;
  const at = (turn: number): Pair => [
    end[0] + length * Math.cos(back + turn),
    end[1] + length * Math.sin(back + turn),
  ];
  target.beginPath();
  target.moveTo(...at(HEAD.half));
  target.lineTo(...end);
  target.lineTo(...at(-HEAD.half));
  target.stroke();
}

function drawInk(target: CanvasRenderingContext2D, { paths, colour, width }: InkAct): void {
  target.strokeStyle = colour;
  target.fillStyle = colour;
  target.lineWidth = width;
  target.lineCap = 'round';
  target.lineJoin = 'round';
  for (const path of paths) {
    const [first, ...rest] = path;
    if (!first) continue;
    target.beginPath();
    if (rest.length === 0) {
      target.arc(...first, width / 2, 0, 2 * Math.PI);
      target.fill();
      continue;
    }
    target.moveTo(...first);
    for (const point of rest) target.lineTo(...point);
    target.stroke();
  }
}

function markDrawable({ style, colour }: MarkAct, [, , width, height]: Area): Drawable {
  const thick = Math.max(0.5, height * LINES.thick);
  return {
    width,
    height,
    draw(target) {
      target.fillStyle = colour;
      if (style === 'highlight') target.fillRect(0, 0, width, height);
      else target.fillRect(0, height * (1 - LINES[style]) - thick / 2, width, thick);
    },
  };
}

function drawNote(target: CanvasRenderingContext2D, { at: [x, y], colour }: NoteAct): void {
  target.fillStyle = colour;
  target.strokeStyle = '#3f3f46';
  target.lineWidth = 1;
  target.beginPath();
  target.roundRect(x + 1, y + 1, SIGN - 2, SIGN - 2, 3);
  target.fill();
  target.stroke();
  target.beginPath();
  for (const line of [6, 10, 14]) {
    target.moveTo(x + 5, y + line);
    target.lineTo(x + SIGN - (line === 14 ? 9 : 5), y + line);
  }
  target.stroke();
}

/** How large a label fits in its box. */
export function labelSize(label: string, [, , width, height]: Area): number {
  const wide = [...label].reduce((sum, letter) => sum + (advance(letter, 'sans', false) ?? 0.5), 0);
  return Math.max(1, Math.min(height * 0.8, (width * 0.95) / Math.max(0.5, wide)));
}

function drawCovers(
  target: CanvasRenderingContext2D,
  { boxes, look, label }: Pick<RedactAct, 'boxes' | 'look' | 'label'>,
) {
  for (const box of boxes) {
    const [x, y, width, height] = box;
    if (look === 'none') {
      target.strokeStyle = '#b3261e';
      target.setLineDash([3, 2]);
      target.strokeRect(x, y, width, height);
      continue;
    }
    target.fillStyle = look === 'black' ? '#000000' : '#ffffff';
    target.fillRect(x, y, width, height);
    if (label.trim()) drawLabel(target, label, box, look === 'black' ? '#ffffff' : '#000000');
  }
}

function drawLabel(target: CanvasRenderingContext2D, label: string, box: Area, colour: string): void {
  const [x, y, width, height] = box;
  target.fillStyle = colour;
  target.font = `${labelSize(label, box)}px ${STACKS.sans}`;
  target.textAlign = 'center';
  target.textBaseline = 'middle';
  target.fillText(label, x + width / 2, y + height / 2, width);
  target.textAlign = 'left';
}

/** What the page editor knows of a changed line's look; the file keeps font, size and colour. */
export type LineLook = { ink: string; paper: string; font: TextAct['font']; bold: boolean };
export const PLAIN: LineLook = { ink: '#000000', paper: '#ffffff', font: 'sans', bold: false };

function changeDrawable({ box: [, , width, height], text }: ChangeAct, look: LineLook): Drawable {
  const font = `${look.bold ? 'bold ' : ''}100px ${STACKS[look.font]}`;
  const line = placedLetters(text, { family: look.font, bold: look.bold }, font, measuring());
  return {
    width,
    height,
    draw(target) {
      target.fillStyle = look.paper;
      target.fillRect(-0.5, -0.5, width + 1, height + 1);
      target.fillStyle = look.ink;
      target.font = font;
      target.textBaseline = 'alphabetic';
      target.translate(0, height * 0.85);
      drawLetters(target, line, height);
    },
  };
}

export type About = {
  view: View;
  artOf(file: string): Art | null;
  lookOf(act: ChangeAct): LineLook;
};

/** How an act looks on its page; null while it cannot be drawn yet. */
export function layerOf(act: PlacedAct, { view, artOf, lookOf }: About): Layer | null {
  switch (act.kind) {
    case 'text':
      return inBox(textDrawable(act), act.box, act.angle, act.opacity, view);
    case 'picture':
      return pictureLayer(act, artOf(act.file), view);
    case 'shape':
      return onPage(view, act.opacity, (target) => drawShape(target, act));
    case 'ink':
      return onPage(view, act.opacity, (target) => drawInk(target, act));
    case 'note':
      return onPage(view, 100, (target) => drawNote(target, act));
    case 'redact':
      return onPage(view, 100, (target) => drawCovers(target, act));
    case 'change':
      return inBox(changeDrawable(act, lookOf(act)), act.box, act.angle, 100, view);
    case 'mark':
      return null;
  }
}

/** Marks let what lies below show through: one layer a line. */
export const markLayers = (act: MarkAct, view: View): Layer[] =>
  act.boxes.map((box) => inBox(markDrawable(act, box), box, act.angle, act.opacity, view));

/** What is found and will be removed. */
export const coverLayer = (act: Pick<RedactAct, 'boxes' | 'look' | 'label'>, view: View): Layer =>
  onPage(view, 100, (target) => drawCovers(target, act));

function pictureLayer(
  act: Extract<PlacedAct, { kind: 'picture' }>,
  art: Art | null,
  view: View,
): Layer | null {
  if (!art) return null;
  const [, , width, height] = neat(act.box);
  const mark: Drawable = { width, height, draw: (target) => target.drawImage(art, 0, 0, width, height) };
  const { x, y } = spotOf(act, view);
  return { mark, centres: [{ x, y }], angle: act.angle, opacity: act.opacity };
}
