import type { Area, Piece } from '../pdf/text';
import { neat } from './acts';

/** A line of the page's own text that can be changed; its box before it is turned around its middle. */
export type Line = Pick<Piece, 'text' | 'box' | 'angle' | 'size' | 'family' | 'bold'> & {
  fonts?: readonly string[];
};

/** In heights of letters: from one word to the next of the same line, and from a line's baseline to its neighbour's. */
const WORDS = 1.2;
const OFF = 0.45;
/** Wider than this is a blank of its own. */
const BLANK = 0.18;

type Frame = { from: number; to: number; off: number };

/** A piece along and across the direction of its text. */
function frameOf({ box: [x, y, width, height], angle }: Piece): Frame {
  const turn = (-angle * Math.PI) / 180;
  const [mx, my] = [x + width / 2, y + height / 2];
  const along = mx * Math.cos(turn) + my * Math.sin(turn);
  return {
    from: along - width / 2,
    to: along + width / 2,
    off: my * Math.cos(turn) - mx * Math.sin(turn),
  };
}

/** The lines of a page: pieces that follow each other on one baseline; the cells of a table stay apart. */
export function linesOf(pieces: readonly Piece[]): Line[] {
  const groups: Piece[][] = [];
  let open: Piece[] = [];
  for (const piece of pieces.filter(({ text }) => text.trim() !== '')) {
    const last = open.at(-1);
    if (last && follows(last, piece)) open.push(piece);
    else {
      open = [piece];
      groups.push(open);
    }
  }
  return groups.map(lineOf).filter(({ box }) => box[2] > 0.5 && box[3] > 0.5);
}

function follows(last: Piece, next: Piece): boolean {
  if (Math.abs(last.angle - next.angle) > 0.5) return false;
  const size = Math.max(last.size, next.size);
  const [a, b] = [frameOf(last), frameOf(next)];
  const gap = b.from - a.to;
  return Math.abs(a.off - b.off) < OFF * size && gap < WORDS * size && gap > -0.5 * size;
}

function lineOf(pieces: Piece[]): Line {
  const [first] = pieces as [Piece, ...Piece[]];
  const frames = pieces.map(frameOf);
  const longest = pieces.reduce((a, b) => (b.text.length > a.text.length ? b : a));
  const from = Math.min(...frames.map((frame) => frame.from));
  const to = Math.max(...frames.map((frame) => frame.to));
  const size = Math.max(...pieces.map((piece) => piece.size));
  const off = frames.reduce((sum, frame) => sum + frame.off, 0) / frames.length;
  const { angle, family, bold } = { ...longest, angle: first.angle };
  return {
    text: textOf(pieces, frames),
    box: boxOf([from, to], off, size, angle),
    angle,
    size,
    family,
    bold,
    fonts: pieces.flatMap(({ font }) => font ?? []),
  };
}

function boxOf([from, to]: [number, number], off: number, size: number, angle: number): Area {
  const turn = (-angle * Math.PI) / 180;
  const along = (from + to) / 2;
  const x = along * Math.cos(turn) - off * Math.sin(turn);
  const y = along * Math.sin(turn) + off * Math.cos(turn);
  return neat([x - (to - from) / 2, y - size / 2, to - from, size]);
}

function textOf(pieces: Piece[], frames: Frame[]): string {
  let text = '';
  pieces.forEach((piece, at) => {
    const before = frames[at - 1];
    const gap = before ? (frames[at]?.from ?? 0) - before.to : 0;
    const blank = gap > BLANK * piece.size && !/\s$/.test(text) && !/^\s/.test(piece.text);
    text += (blank ? ' ' : '') + piece.text;
  });
  return text;
}

/** The upright box around a turned one. */
export function upright([x, y, width, height]: Area, angle: number): Area {
  if (angle === 0) return [x, y, width, height];
  const turn = (angle * Math.PI) / 180;
  const [cos, sin] = [Math.abs(Math.cos(turn)), Math.abs(Math.sin(turn))];
  const [w, h] = [width * cos + height * sin, width * sin + height * cos];
  return neat([x + width / 2 - w / 2, y + height / 2 - h / 2, w, h]);
}
