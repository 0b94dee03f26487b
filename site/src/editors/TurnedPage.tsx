import { memo, useEffect, useState } from 'react';
import { Tick, TurnLeft, TurnRight } from './icons';
import type { OpenPdf } from './pdf/open';
import { PagePicture } from './pdf/PagePicture';
import { pageSize } from './pdf/render';
import type { Quarter } from './turns';
import type { Words } from './words';

type Props = {
  pdf: OpenPdf;
  page: number;
  size: number;
  focusable: boolean;
  selected: boolean;
  turn: Quarter | 0;
  only: string;
  words: Words;
  onSelect(page: number, withShift: boolean): void;
  onTurn(page: number, by: Quarter): void;
};

export const TurnedPage = memo(function TurnedPage({
  pdf,
  page,
  size,
  focusable,
  selected,
  turn,
  only,
  words,
  onSelect,
  onTurn,
}: Props) {
  const fits = useFits(pdf, page, only);
  const inner = size - 20;
  const tab = focusable ? 0 : -1;
  return (
    <div className="page-cell" data-turned={(fits && turn !== 0) || undefined}>
      <button
        type="button"
        className="page-face"
        data-page={page}
        tabIndex={tab}
        aria-pressed={selected}
        aria-label={words.select(page)}
        style={{ height: size }}
        onClick={(event) => onSelect(page, event.shiftKey)}
      >
        <span className="page-turn" style={{ rotate: `${fits ? nearest(turn) : 0}deg` }}>
          <PagePicture pdf={pdf} page={page} box={{ width: inner, height: inner }} label="" />
        </span>
        {selected && (
          <span className="page-tick">
            <Tick />
          </span>
        )}
      </button>
      <div className="page-foot">
        <button
          type="button"
          tabIndex={tab}
          aria-label={words.turnLeft(page)}
          onClick={() => onTurn(page, 270)}
        >
          <TurnLeft />
        </button>
        <span aria-hidden="true">{page}</span>
        <button
          type="button"
          tabIndex={tab}
          aria-label={words.turnRight(page)}
          onClick={() => onTurn(page, 90)}
        >
          <TurnRight />
        </button>
      </div>
    </div>
  );
});

/** A left turn goes the short way round. */
const nearest = (turn: number): number => (turn === 270 ? -90 : turn);

/** Whether the page has the orientation that the form asks for; unknown counts as no. */
function useFits(pdf: OpenPdf, page: number, only: string): boolean {
  const [wide, setWide] = useState<boolean | null>(null);
  useEffect(() => {
    if (only === 'any') return;
    let current = true;
    pageSize(pdf, page).then(
      ({ width, height }) => current && setWide(width > height),
      () => undefined,
    );
    return () => {
      current = false;
    };
  }, [pdf, page, only]);
  return only === 'any' || (wide !== null && wide === (only === 'landscape'));
}
