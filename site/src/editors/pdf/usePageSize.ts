import { useEffect, useState } from 'react';
import type { OpenPdf } from './open';
import { type PageSize, pageSize } from './render';

type Sized = { page: number; size: PageSize };

/** The page asked for once its size is known; until then the one that was asked for before. */
export function usePageSize(pdf: OpenPdf | null, page: number): Sized | null {
  const [shown, setShown] = useState<Sized | null>(null);
  useEffect(() => {
    if (!pdf) return setShown(null);
    let current = true;
    pageSize(pdf, page).then(
      (size) => current && setShown({ page, size }),
      () => current && setShown(null),
    );
    return () => {
      current = false;
    };
  }, [pdf, page]);
  return shown;
}
