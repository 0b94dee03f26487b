import { useEffect, useState } from 'react';
import type { Widget } from '../edit/fields';
import type { OpenPdf } from '../pdf/open';
import type { Pair } from '../edit/acts';

/**
 * A signature field of the document: its page, its box as seen, measured from the lower left corner, and how large that
 * page is. What is signed shows something; what waits shows nothing yet.
 */
export type SignField = {
  name: string;
  page: number;
  x: number;
  y: number;
  width: number;
  height: number;
  signed: boolean;
  sheet: { width: number; height: number };
};

type Signable = Widget & { hasAppearance?: boolean };

async function fieldsOn(pdf: OpenPdf, number: number): Promise<SignField[]> {
  const page = await pdf.page(number);
  const viewport = page.getViewport({ scale: 1 });
  const widgets = (await page.getAnnotations({ intent: 'display' })) as Signable[];
  return widgets.flatMap(({ fieldType, fieldName: name, hidden, hasAppearance: signed = false, rect }) => {
    const [left = 0, bottom = 0, right = 0, top = 0] = rect;
    const [x1, y1] = viewport.convertToViewportPoint(left, bottom) as Pair;
    const [x2, y2] = viewport.convertToViewportPoint(right, top) as Pair;
    const [width, height] = [Math.abs(x2 - x1), Math.abs(y2 - y1)];
    if (fieldType !== 'Sig' || !name || hidden || width < 1 || height < 1) return [];
    const [x, y] = [(x1 + x2) / 2, viewport.height - (y1 + y2) / 2];
    const sheet = { width: viewport.width, height: viewport.height };
    return [{ name, page: number, x, y, width, height, signed, sheet }];
  });
}

/** The fields for signatures that are seen; none until they are known. */
export function useSignFields(pdf: OpenPdf): readonly SignField[] {
  const [fields, setFields] = useState<readonly SignField[]>([]);
  useEffect(() => {
    let left = false;
    const read = async () => {
      const found: SignField[] = [];
      for (const page of await pdf.signable()) found.push(...(await fieldsOn(pdf, page)));
      if (!left) setFields(found);
    };
    read().catch(() => undefined); // a document whose fields cannot be read has none to offer
    return () => {
      left = true;
    };
  }, [pdf]);
  return fields;
}
