import SignaturePad from 'signature_pad';
import { useEffect, useRef, useState } from 'react';
import { type Ink, inkOf } from './ink';
import type { SignWords } from './words';

type Props = {
  colour: string;
  /** CSS pixels that the pen draws at its widest. */
  pen: number;
  onInk(ink: Ink | null): void;
  words: SignWords;
};

/** Where one writes; after each stroke it tells what is written. */
export function Pad({ colour, pen, onInk, words }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [strokes, setStrokes] = useState(0);
  const pad = usePad(canvas, { colour, pen }, (written) => {
    setStrokes(written.toData().length);
    onInk(inkOf(written.toSVG()));
  });
  const redraw = (keep: number) => {
    const written = pad.current;
    if (!written) return;
    written.fromData(written.toData().slice(0, keep));
    setStrokes(keep);
    onInk(inkOf(written.toSVG()));
  };
  return (
    <div className="sign-pad">
      <canvas ref={canvas} aria-label={words.pad} role="img" data-testid="pad" />
      {strokes === 0 && <p aria-hidden="true">{words.padHint}</p>}
      <div className="sign-pad-tools">
        <button
          type="button"
          className="field-chip"
          disabled={strokes === 0}
          onClick={() => redraw(strokes - 1)}
        >
          {words.undo}
        </button>
        <button type="button" className="field-chip" disabled={strokes === 0} onClick={() => redraw(0)}>
          {words.clear}
        </button>
      </div>
    </div>
  );
}

const widths = (pen: number) => ({ minWidth: pen / 5, maxWidth: pen / 2, dotSize: pen / 2 });

function usePad(
  canvas: React.RefObject<HTMLCanvasElement | null>,
  { colour, pen }: Pick<Props, 'colour' | 'pen'>,
  onStroke: (pad: SignaturePad) => void,
) {
  const pad = useRef<SignaturePad | null>(null);
  const told = useRef(onStroke);
  useEffect(() => {
    told.current = onStroke;
  });
  useEffect(() => {
    const element = canvas.current;
    if (!element) return;
    const made = new SignaturePad(element, { minDistance: 2 });
    pad.current = made;
    made.addEventListener('endStroke', () => told.current(made));
    // A canvas that gets another size loses what is on it; the strokes keep where they were.
    const sizes = new ResizeObserver(() => resized(element, made));
    sizes.observe(element);
    return () => {
      sizes.disconnect();
      made.off();
    };
  }, [canvas]);
  useEffect(() => {
    const made = pad.current;
    if (!made) return;
    Object.assign(made, widths(pen), { penColor: colour });
    if (made.isEmpty()) return;
    made.fromData(made.toData().map((group) => ({ ...group, ...widths(pen), penColor: colour })));
    told.current(made);
  }, [colour, pen]);
  return pad;
}

function resized(element: HTMLCanvasElement, pad: SignaturePad): void {
  const ratio = Math.max(1, window.devicePixelRatio);
  const [width, height] = [element.offsetWidth * ratio, element.offsetHeight * ratio];
  if (element.width === width && element.height === height) return;
  element.width = width;
  element.height = height;
  element.getContext('2d')?.scale(ratio, ratio);
  pad.fromData(pad.toData());
}
