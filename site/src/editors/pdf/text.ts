import type { PDFPageProxy } from 'pdfjs-dist';
import type { OpenPdf } from './open';

/** Left, top, width and height in visible points, from the page's upper left corner. */
export type Area = [x: number, y: number, width: number, height: number];

/** A run of the page's own text as it is seen: its box before it is turned around the middle, counter-clockwise. */
export type Piece = {
  text: string;
  box: Area;
  angle: number;
  /** Height of its letters in visible points. */
  size: number;
  family: 'sans' | 'serif' | 'mono';
  bold: boolean;
  /** The font, as pdf.js calls it on this page. */
  font?: string;
  /** The document breaks the line after it. */
  ends: boolean;
};

type Item = {
  str: string;
  transform: number[];
  width: number;
  height: number;
  fontName: string;
  hasEOL: boolean;
};
type Style = { ascent: number; descent: number; fontFamily: string; vertical: boolean };
type Matrix = readonly number[];

const pages = new WeakMap<OpenPdf, Map<number, Promise<Piece[]>>>();

/** The text of a page, read once. */
export function textOf(pdf: OpenPdf, number: number): Promise<Piece[]> {
  const known = pages.get(pdf) ?? new Map<number, Promise<Piece[]>>();
  pages.set(pdf, known);
  const found = known.get(number) ?? read(pdf, number);
  known.set(number, found);
  return found;
}

async function read(pdf: OpenPdf, number: number): Promise<Piece[]> {
  const page = await pdf.page(number);
  const content = await page.getTextContent({ disableNormalization: true });
  const matrix = page.getViewport({ scale: 1 }).transform;
  const items = content.items.filter((item): item is Item & typeof item => 'str' in item);
  return items.flatMap((item) => {
    const style = content.styles[item.fontName] as Style | undefined;
    if (item.str === '') return [];
    return [pieceOf(item, style, matrix, nameOf(page, item.fontName))];
  });
}

/** What the font calls itself, where the page was drawn already. */
function nameOf(page: PDFPageProxy, font: string): string {
  if (!page.commonObjs.has(font)) return '';
  const known: unknown = page.commonObjs.get(font);
  return known && typeof known === 'object' && 'name' in known ? String(known.name) : '';
}

const times = (a: Matrix, b: Matrix): number[] => {
  const [a0 = 1, a1 = 0, a2 = 0, a3 = 1, a4 = 0, a5 = 0] = a;
  const [b0 = 1, b1 = 0, b2 = 0, b3 = 1, b4 = 0, b5 = 0] = b;
  return [
    a0 * b0 + a2 * b1,
    a1 * b0 + a3 * b1,
    a0 * b2 + a2 * b3,
    a1 * b2 + a3 * b3,
    a0 * b4 + a2 * b5 + a4,
    a1 * b4 + a3 * b5 + a5,
  ];
};

/** `matrix` leads from the page's own space to visible points with y downwards. */
export function pieceOf(item: Item, style: Style | undefined, matrix: Matrix, name = ''): Piece {
  const [a = 1, b = 0, c = 0, d = 1, x = 0, y = 0] = times(matrix, item.transform);
  const unit = Math.hypot(matrix[0] ?? 1, matrix[1] ?? 0);
  const size = Math.hypot(c, d);
  const down = Math.atan2(b, a) + (style?.vertical ? Math.PI / 2 : 0);
  const ascent = ascentOf(style);
  const width = (style?.vertical ? item.height : item.width) * unit;
  // From the baseline's begin to the middle: along the line, and off it.
  const [along, off] = style?.vertical ? [width / 2, 0] : [width / 2, size * (0.5 - ascent)];
  const middle = {
    x: x + along * Math.cos(down) - off * Math.sin(down),
    y: y + along * Math.sin(down) + off * Math.cos(down),
  };
  return {
    text: item.str,
    box: [middle.x - width / 2, middle.y - size / 2, width, size],
    angle: Math.round((-down * 18000) / Math.PI) / 100 || 0,
    size,
    family: familyOf(style?.fontFamily ?? '', name),
    bold: /bold|black|heavy|hei(?!ght)/i.test(name) && !/simhei/i.test(name),
    font: item.fontName,
    ends: item.hasEOL,
  };
}

/** The baseline's depth below a letter box's top; what fonts say of it is often nonsense. */
function ascentOf(style: Style | undefined): number {
  const { ascent, descent } = style ?? { ascent: 0, descent: 0 };
  if (Number.isFinite(ascent) && Number.isFinite(descent) && ascent > 0.5 && ascent - descent > 0.5)
    return Math.min(1, ascent / (ascent - descent));
  return 0.85;
}

function familyOf(family: string, name: string): Piece['family'] {
  if (/mono|courier|consol/i.test(family + name)) return 'mono';
  if (/song|sun|ming|serif(?! *sans)|times|georgia|kai|fang/i.test(name) && !/sans/i.test(name))
    return 'serif';
  return family === 'serif' && name === '' ? 'serif' : 'sans';
}
