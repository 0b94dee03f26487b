import { type MouseEvent, useEffect, useRef } from 'react';
import { around, type Box, type Cell, cellAt, cellsIn, isDoubtful, isPlaced, type Sheet } from './model';
import type { TableSheet } from './useTable';
import { cornersOf, drawCrop, type Original, sheetAt, type Upright } from './upright';
import type { TableWords } from './words';

type PictureProps = {
  seen: Original;
  desk: TableSheet;
  words: TableWords;
};

/** The page that the chosen cell stands on, with its doubtful cells; a press chooses the cell there. */
export function Picture({ seen, desk, words }: PictureProps) {
  if (seen === 'opening') return <div className="skeleton table-picture" />;
  if (typeof seen === 'string')
    return <p className="editor-empty">{seen === 'absent' ? words.absent : words.noPicture}</p>;
  const { sheet } = seen;
  const { table, cell, choice } = desk;
  const last = choice.still ? cell : cellAt(table, choice.focus.row, choice.focus.column);
  const chosen = cellsIn(table, desk.range).filter((each) => each.page === sheet.page && isPlaced(each));
  const own = table.cells.filter(({ page }) => page === sheet.page);
  const choose = (event: MouseEvent<HTMLElement>) => {
    const page = event.currentTarget.getBoundingClientRect();
    const scale = sheet.width / page.width;
    const [x, y] = sheetAt(sheet, (event.clientX - page.left) * scale, (event.clientY - page.top) * scale);
    const found = own.find(({ box }) => box[0] <= x && x <= box[2] && box[1] <= y && y <= box[3]);
    if (found) desk.go({ row: found.row, column: found.column });
  };
  return (
    <section
      className="table-picture"
      data-testid="table-picture"
      data-page={sheet.page}
      aria-label={words.page(sheet.page)}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard
      tabIndex={0}
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a shorter way to a cell that the keys of the grid reach */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: a shorter way to a cell that the keys of the grid reach */}
      <div className="table-page" onClick={choose}>
        <Drawn seen={seen} label={words.page(sheet.page)} />
        <svg viewBox={`0 0 ${sheet.width} ${sheet.height}`} aria-hidden="true">
          {own.filter(isDoubtful).map((each) => (
            <polygon
              key={`${each.row},${each.column}`}
              className="table-doubt"
              points={cornersOf(sheet, each.box).join(' ')}
            />
          ))}
          {chosen.length > 1 && (
            <polygon className="table-range" points={cornersOf(sheet, around(chosen)).join(' ')} />
          )}
          {cell.page === sheet.page && (
            <polygon className="table-here" points={cornersOf(sheet, cell.box).join(' ')} />
          )}
          {last.page === sheet.page && (
            <Towards sheet={sheet} cell={last} key={`${last.row},${last.column}`} />
          )}
        </svg>
      </div>
    </section>
  );
}

/** Where the choice goes to is what is brought into sight. */
const Towards = ({ sheet, cell }: { sheet: Sheet; cell: Cell }) => (
  <Here className="table-towards" points={cornersOf(sheet, cell.box).join(' ')} />
);

/** The chosen place, brought into sight. */
export function Here({ points, className = 'table-here' }: { points: string; className?: string }) {
  const shape = useRef<SVGPolygonElement>(null);
  useEffect(() => {
    const it = shape.current;
    const room = it?.closest('.table-picture');
    if (!it || !room) return;
    const [own, seen] = [it.getBoundingClientRect(), room.getBoundingClientRect()];
    if (own.top < seen.top || own.bottom > seen.bottom)
      room.scrollTop += own.top - seen.top - (seen.height - own.height) / 2;
    if (own.left < seen.left || own.right > seen.right)
      room.scrollLeft += own.left - seen.left - (seen.width - own.width) / 2;
  }, []);
  return <polygon ref={shape} className={className} points={points} />;
}

export function Drawn({ seen, label }: { seen: Upright; label: string }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const it = canvas.current;
    if (!it) return;
    // As large as it is shown: a canvas that a browser shrinks loses thin strokes.
    const shown = Math.min(1, (it.clientWidth * (devicePixelRatio || 1)) / seen.canvas.width || 1);
    it.width = Math.round(seen.canvas.width * shown);
    it.height = Math.round(seen.canvas.height * shown);
    const pen = it.getContext('2d')!;
    pen.imageSmoothingQuality = 'high';
    pen.drawImage(seen.canvas, 0, 0, it.width, it.height);
  }, [seen]);
  return <canvas ref={canvas} role="img" aria-label={label} />;
}

type CropProps = { seen: Original; box: Box; page: number | null; label: string };

/** The chosen cell as the page has it, enlarged. */
export function Crop({ seen, box, page, label }: CropProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const upright = typeof seen === 'string' || seen.sheet.page !== page || !isPlaced({ box }) ? null : seen;
  useEffect(() => {
    if (canvas.current && upright) drawCrop(canvas.current, upright, box, [360, 64]);
  }, [upright, box]);
  if (typeof seen === 'string') return null;
  // As high for a flat cell: what stands below does not jump from cell to cell.
  return (
    <span className="table-cropped">
      {upright && (
        <canvas ref={canvas} className="table-crop" role="img" aria-label={label} data-testid="table-crop" />
      )}
    </span>
  );
}
