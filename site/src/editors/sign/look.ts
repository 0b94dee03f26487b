import { type Drawable, textMark, wideMark } from '../place/drawMark';
import { LEADING } from '../place/marks';
import { localDate } from '../place/scene';
import { dated } from '../place/stampLook';
import type { Art } from '../place/useArt';
import { inkMark } from './ink';
import type { Look } from './types';

/** The words of a look that is text. */
export const wordsIn = (look: Look): string =>
  look.kind === 'typed'
    ? look.text.trim()
    : look.kind === 'dated'
      ? dated(look.day || localDate(), look.format)
      : '';

/** A look so high on the page, or null while there is nothing to draw; `art` is the picture of one that has one. */
export function lookMark(look: Look, height: number, art: Art | null): Drawable | null {
  if (!(height > 0)) return null;
  if (look.kind === 'drawn') return inkMark(look, height);
  if (look.kind === 'picture') return art && wideMark(art, (height * art.width) / art.height);
  const text = wordsIn(look);
  if (text === '') return null;
  const { face: family, colour } = look;
  return textMark({ lines: [text], size: height / LEADING, family, bold: false, colour });
}
