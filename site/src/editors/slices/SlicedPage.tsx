import { type KeyboardEvent, type PointerEvent, useRef } from 'react';
import type { OpenPdf } from '../pdf/open';
import { PagePicture } from '../pdf/PagePicture';
import { type PageSize, roomFor } from '../pdf/render';
import { useViewport } from '../window';
import { type Axis, dragged, type Lines, type Share } from './slicing';
import type { SliceWords } from './words';

type Props = {
  pdf: OpenPdf;
  page: number;
  view: PageSize;
  lines: Lines;
  parts: readonly Share[];
  /** Lines that are only looked for later. */
  guessed: boolean;
  label: string;
  onLines(lines: Lines): void;
  words: SliceWords;
};

/** One page with its cuts, which can be dragged, and the number of each part. */
export function SlicedPage({ pdf, page, view, lines, parts, guessed, label, onLines, words }: Props) {
  const room = useRef<HTMLDivElement>(null);
  const { width, height } = useViewport(room);
  const box = roomFor(view, { width, height });
  return (
    <div className="sheet-room" ref={room}>
      {box && (
        <div
          className="sheet"
          data-testid="sliced-page"
          data-page={page}
          data-parts={parts.length}
          style={box}
        >
          <PagePicture pdf={pdf} page={page} box={box} label={label} />
          {parts.length > 1 &&
            parts.map((part, index) => <Part key={keyOf(part)} {...{ part, index, words }} />)}
          {(['columns', 'rows'] as const).flatMap((axis) =>
            lines[axis].map((at, index) => (
              <Cut
                // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place among the others
                key={`${axis}${index}`}
                {...{ axis, at, index, guessed, words }}
                onMove={(to) => onLines(dragged(lines, axis, index, to))}
              />
            )),
          )}
        </div>
      )}
    </div>
  );
}

const keyOf = ({ left, top }: Share) => `${left}/${top}`;
const percent = (value: number) => `${value * 100}%`;

function Part({ part, index, words }: { part: Share; index: number; words: SliceWords }) {
  const { left, top, right, bottom } = part;
  const at = { left: percent((left + right) / 2), top: percent((top + bottom) / 2) };
  return (
    <span className="slice-number" style={at} role="img" aria-label={words.part(index + 1)}>
      {index + 1}
    </span>
  );
}

type CutProps = {
  axis: Axis;
  at: number;
  index: number;
  guessed: boolean;
  onMove(to: number): void;
  words: SliceWords;
};

const STEPS: Record<Axis, Record<string, number>> = {
  columns: { ArrowLeft: -1, ArrowRight: 1 },
  rows: { ArrowUp: -1, ArrowDown: 1 },
};

/** A line across the page: dragged with a pointer, nudged with arrow keys. */
function Cut({ axis, at, index, guessed, onMove, words }: CutProps) {
  const held = useRef(false);
  const lift = (event: PointerEvent) => {
    event.currentTarget.setPointerCapture(event.pointerId);
    held.current = true;
  };
  const drag = (event: PointerEvent) => {
    const page = event.currentTarget.parentElement?.getBoundingClientRect();
    if (!held.current || !page) return;
    onMove(
      axis === 'columns'
        ? (event.clientX - page.left) / page.width
        : (event.clientY - page.top) / page.height,
    );
  };
  const drop = () => {
    held.current = false;
  };
  const nudge = (event: KeyboardEvent) => {
    const step = STEPS[axis][event.key];
    if (!step) return;
    event.preventDefault();
    onMove(at + step * (event.shiftKey ? 0.05 : 0.002));
  };
  return (
    <button
      type="button"
      className="slice-cut"
      data-axis={axis}
      data-guessed={guessed || undefined}
      aria-label={words.cut(axis, index + 1, `${(at * 100).toFixed(1)}%`)}
      style={axis === 'columns' ? { left: percent(at) } : { top: percent(at) }}
      onPointerDown={lift}
      onPointerMove={drag}
      onPointerUp={drop}
      onPointerCancel={drop}
      onKeyDown={nudge}
    />
  );
}
