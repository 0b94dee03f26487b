import { useEffect, useRef } from 'react';
import type { OpenPdf } from '../pdf/open';
import { PagePicture } from '../pdf/PagePicture';
import { useViewport } from '../window';
import type { Words } from '../words';

/** A page's room in the list, in CSS pixels. */
const STEP = 132;
const BOX = { width: 80, height: 100 };
const BEYOND = 3;

type Props = {
  pdf: OpenPdf;
  current: number;
  onPage(page: number): void;
  /** Pages on which something was done. */
  touched: ReadonlySet<number>;
  words: Words;
};

/** All pages as a list to go by; only those in sight are drawn. */
export function Rail({ pdf, current, onPage, touched, words }: Props) {
  const room = useRef<HTMLElement>(null);
  const { height, scroll } = useViewport(room);
  const first = Math.max(1, Math.floor(scroll / STEP) - BEYOND);
  const last = Math.min(pdf.pages, Math.ceil((scroll + height) / STEP) + BEYOND);
  useEffect(() => {
    const target = room.current;
    if (!target) return;
    const top = (current - 1) * STEP;
    if (top < target.scrollTop || top + STEP > target.scrollTop + target.clientHeight)
      target.scrollTop = top - (target.clientHeight - STEP) / 2;
  }, [current]);
  return (
    <nav className="rail" ref={room} aria-label={words.pagesGrid}>
      <ol style={{ height: pdf.pages * STEP }}>
        {Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => first + at).map((page) => (
          <li key={page} style={{ top: (page - 1) * STEP, height: STEP }}>
            <button
              type="button"
              className="rail-page"
              aria-label={words.page(page)}
              aria-current={page === current ? 'page' : undefined}
              data-touched={touched.has(page) || undefined}
              onClick={() => onPage(page)}
            >
              <PagePicture pdf={pdf} page={page} box={BOX} label="" />
              <span aria-hidden="true">{page}</span>
            </button>
          </li>
        ))}
      </ol>
    </nav>
  );
}
