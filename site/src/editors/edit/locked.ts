import { useEffect, useState } from 'react';
import type { OpenPdf } from '../pdf/open';
import type { Line } from './lines';

/** Why a line cannot be changed, as the server would say it. */
export type Locked = 'text_pictured' | 'text_drawn' | 'text_unknown';

/** What is known of a page's text: whether all of it lies unseen below a picture, and which fonts are drawings. */
export type Ground = { unseen: boolean; drawings: ReadonlySet<string> };

const UNSEEN = new Set([3, 7]);
/** Letters that mean nothing: pdf.js puts them where a font does not say what it shows. */
const MEANINGLESS = /(?!\s)\p{Cc}|\ufffd/u;

export function lockedBy({ text, fonts = [] }: Pick<Line, 'text' | 'fonts'>, ground: Ground): Locked | null {
  if (ground.unseen) return 'text_pictured';
  if (fonts.some((font) => ground.drawings.has(font))) return 'text_drawn';
  return MEANINGLESS.test(text) ? 'text_unknown' : null;
}

async function groundOf(pdf: OpenPdf, number: number, fonts: readonly string[]): Promise<Ground> {
  const [page, { OPS }] = await Promise.all([pdf.page(number), import('pdfjs-dist')]);
  const { fnArray, argsArray } = await page.getOperatorList();
  const drawings = fonts.filter((font) => {
    const known: unknown = page.commonObjs.has(font) && page.commonObjs.get(font);
    return known && typeof known === 'object' && 'isType3Font' in known && known.isType3Font === true;
  });
  return { unseen: isUnseen(fnArray, argsArray, OPS), drawings: new Set(drawings) };
}

type Codes = { save: number; restore: number; setTextRenderingMode: number; showText: number };

/** Whether a page shows text, and none of it can be seen. */
export function isUnseen(codes: readonly number[], args: readonly unknown[], ops: Codes): boolean {
  let [mode, shown, seen] = [0, 0, 0];
  const held: number[] = [];
  codes.forEach((code, at) => {
    if (code === ops.save) held.push(mode);
    else if (code === ops.restore) mode = held.pop() ?? mode;
    else if (code === ops.setTextRenderingMode) mode = Number((args[at] as unknown[] | null)?.[0] ?? 0);
    else if (code === ops.showText) {
      shown += 1;
      seen += UNSEEN.has(mode) ? 0 : 1;
    }
  });
  return shown > 0 && seen === 0;
}

const NOTHING: Ground = { unseen: false, drawings: new Set() };

/** Why each line of a page cannot be changed; what only the server can know it says afterwards. */
export function useLocked(pdf: OpenPdf, page: number, lines: readonly Line[]) {
  const [ground, setGround] = useState(NOTHING);
  useEffect(() => {
    let current = true;
    if (lines.length > 0)
      groundOf(pdf, page, [...new Set(lines.flatMap(({ fonts }) => fonts ?? []))]).then(
        (found) => current && setGround(found),
        () => undefined, // a page that cannot be read has no lines to lock
      );
    return () => {
      current = false;
    };
  }, [pdf, page, lines]);
  return (line: Line) => lockedBy(line, ground);
}
