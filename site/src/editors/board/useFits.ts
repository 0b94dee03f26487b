import { useEffect, useState } from 'react';
import type { OpenPdf } from '../pdf/open';
import { pageSize } from '../pdf/render';

type Shape = 'any' | 'landscape' | 'portrait';

export const shapeOf = ({ width, height }: { width: number; height: number }) =>
  width > height ? 'landscape' : 'portrait';

/** Whether the page has the shape asked for; unknown counts as no. */
export function useFits(pdf: OpenPdf | null, page: number | null, shape: Shape): boolean {
  const [found, setFound] = useState<Shape | null>(null);
  useEffect(() => {
    if (shape === 'any' || !pdf || page === null) return;
    let current = true;
    pageSize(pdf, page).then(
      (size) => current && setFound(shapeOf(size)),
      () => undefined,
    );
    return () => {
      current = false;
    };
  }, [pdf, page, shape]);
  return shape === 'any' || found === shape;
}
