import { type CSSProperties, type KeyboardEvent, useEffect, useRef } from 'react';
import type { Area, Piece } from '../pdf/text';
import { useStable } from '../useStable';
import type { View } from './marks';

export type { Area };

type Props = {
  pieces: readonly Piece[];
  view: View;
  /** CSS pixels for a point. */
  scale: number;
  label: string;
  /** Text was selected and the hand is off: where it stands, line by line, and what it says. */
  onSelect(areas: Area[], text: string): void;
  /** While it is being selected, also by fingers and keys that never let go; null once nothing is. */
  onPending?(areas: Area[] | null, text: string): void;
};

/** The page's own text, unseen and to be selected. */
export function TextLayer({ pieces, view, scale, label, onSelect, onPending }: Props) {
  const layer = useRef<HTMLDivElement>(null);
  const tell = () => {
    const found = layer.current && selectedIn(layer.current, view);
    if (found) onSelect(found.areas, found.text);
  };
  const pend = useStable(() => {
    const found = layer.current && selectedIn(layer.current, view);
    if (found) onPending?.(found.areas, found.text);
    else if (globalThis.getSelection()?.isCollapsed) onPending?.(null, '');
  });
  useEffect(() => {
    document.addEventListener('selectionchange', pend);
    return () => document.removeEventListener('selectionchange', pend);
  }, [pend]);
  const byKeys = ({ key }: KeyboardEvent) => key === 'Shift' && tell();
  return (
    // biome-ignore lint/a11y/useSemanticElements: it is the page's text, not a group of fields
    <div
      ref={layer}
      className="text-layer"
      role="group"
      aria-label={label}
      data-testid="text-layer"
      data-count={pieces.length}
      onPointerUp={tell}
      onKeyUp={byKeys}
    >
      {pieces.map((piece, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a page's text stays as it is
        <span key={at}>
          <span className="text-piece" style={styleOf(piece, scale)}>
            {piece.text}
          </span>
          {piece.ends && <br />}
        </span>
      ))}
    </div>
  );
}

const GENERIC = { sans: 'sans-serif', serif: 'serif', mono: 'monospace' };

let ruler: CanvasRenderingContext2D | null | undefined;

/** The letters of this machine, stretched until they are as wide as those of the document. */
function styleOf(
  { text, box: [x, y, width, height], angle, size, family }: Piece,
  scale: number,
): CSSProperties {
  ruler ??= document.createElement('canvas').getContext('2d');
  if (ruler) ruler.font = `100px ${GENERIC[family]}`;
  const own = ((ruler?.measureText(text).width ?? 0) / 100) * size;
  return {
    left: x * scale,
    top: y * scale,
    width: own * scale || 'auto',
    height: height * scale,
    fontSize: size * scale,
    fontFamily: GENERIC[family],
    transform: `translate(${(width / 2) * scale}px, ${(height / 2) * scale}px) rotate(${-angle}deg) translate(${(-width / 2) * scale}px, ${(-height / 2) * scale}px) scaleX(${own > 0 ? width / own : 1})`,
  };
}

function selectedIn(layer: HTMLElement, view: View): { areas: Area[]; text: string } | null {
  const selection = globalThis.getSelection();
  if (!selection || selection.isCollapsed || selection.rangeCount === 0) return null;
  const range = selection.getRangeAt(0);
  const areas = range.intersectsNode(layer) ? areasOf(range, layer, view) : [];
  return areas.length > 0 ? { areas, text: selection.toString() } : null;
}

/** The selection's boxes on this page: one a line, as wide as what is selected of it. */
export function areasOf(range: Range, layer: HTMLElement, view: View): Area[] {
  const page = layer.getBoundingClientRect();
  const [across, down] = [view.width / page.width, view.height / page.height];
  const found: Area[] = [];
  for (const span of layer.querySelectorAll<HTMLElement>('.text-piece')) {
    if (!range.intersectsNode(span) || !span.firstChild) continue;
    for (const box of rectsIn(range, span)) {
      if (box.width < 0.5 || box.height < 0.5) continue;
      found.push([
        (box.left - page.left) * across,
        (box.top - page.top) * down,
        box.width * across,
        box.height * down,
      ]);
    }
  }
  return joined(found);
}

/** What of a span's text is in the range. */
function rectsIn(range: Range, span: HTMLElement): DOMRect[] {
  const own = document.createRange();
  own.selectNodeContents(span);
  if (range.compareBoundaryPoints(Range.START_TO_START, own) > 0 && span.contains(range.startContainer))
    own.setStart(range.startContainer, range.startOffset);
  if (range.compareBoundaryPoints(Range.END_TO_END, own) < 0 && span.contains(range.endContainer))
    own.setEnd(range.endContainer, range.endOffset);
  return [...own.getClientRects()];
}

/** Boxes side by side on one line as one. */
export function joined(areas: readonly Area[]): Area[] {
  const lines: Area[] = [];
  for (const area of areas) {
    const last = lines.at(-1);
    if (last && beside(last, area)) lines[lines.length - 1] = around(last, area);
    else lines.push(area);
  }
  return lines.map((area) => area.map((value) => Math.round(value * 100) / 100) as Area);
}

function beside(a: Area, b: Area): boolean {
  const overlap = Math.min(a[1] + a[3], b[1] + b[3]) - Math.max(a[1], b[1]);
  const gap = Math.max(b[0] - (a[0] + a[2]), a[0] - (b[0] + b[2]));
  return overlap > 0.6 * Math.min(a[3], b[3]) && gap < 1.5 * Math.max(a[3], b[3]);
}

export function around(a: Area, b: Area): Area {
  const [left, top] = [Math.min(a[0], b[0]), Math.min(a[1], b[1])];
  return [left, top, Math.max(a[0] + a[2], b[0] + b[2]) - left, Math.max(a[1] + a[3], b[1] + b[3]) - top];
}
