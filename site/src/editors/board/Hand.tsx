import { createPortal } from 'react-dom';
import type { Rect } from './layout';
import type { Gesture } from './useGestures';
import type { BoardWords } from './words';

/** The rectangle one draws around pages. */
export function Frame({ rect: { left, top, right, bottom } }: { rect: Rect }) {
  return <span className="board-frame" style={{ left, top, width: right - left, height: bottom - top }} />;
}

type CarriedProps = {
  gesture: Extract<Gesture, { at: 'carry' }>;
  height: number;
  words: BoardWords;
};

/** Where the pages would land, and how many are in the hand. */
export function Carried({ gesture: { ids, x, y, mark }, height, words }: CarriedProps) {
  return (
    <>
      <span
        className="board-drop"
        style={{ left: mark.left, top: mark.top, height }}
        data-testid="board-drop"
      />
      {createPortal(
        <span className="board-hand" style={{ translate: `${x}px ${y}px` }} aria-hidden="true">
          {words.moving(ids.size)}
        </span>,
        document.body,
      )}
    </>
  );
}
