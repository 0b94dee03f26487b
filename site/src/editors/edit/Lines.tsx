import type { CSSProperties } from 'react';
import type { Area } from '../pdf/text';
import type { Line } from './lines';
import type { Locked } from './locked';
import type { EditWords } from './words';

type Props = {
  lines: readonly Line[];
  scale: number;
  isChanged(line: Line): string | null;
  lockedBy(line: Line): Locked | null;
  onOpen(line: Line, button: HTMLElement): void;
  words: EditWords;
};

const SHOWN = 60;

/** The lines of a page, each to be pressed and changed; one that cannot be says why before anything is typed. */
export function Lines({ lines, scale, isChanged, lockedBy, onOpen, words }: Props) {
  return (
    <ol className="text-lines" data-testid="text-lines" data-count={lines.length}>
      {lines.map((line, at) => {
        const now = isChanged(line);
        const locked = lockedBy(line);
        const label =
          now === null ? words.lineOf(line.text.slice(0, SHOWN)) : words.changedLine(now.slice(0, SHOWN));
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a page's lines stay as they are
          <li key={at}>
            <button
              type="button"
              className="text-line"
              data-changed={now !== null || undefined}
              data-locked={locked ?? undefined}
              aria-disabled={locked !== null || undefined}
              aria-label={locked ? `${label}: ${words.locked[locked]}` : label}
              style={boxStyle(line.box, line.angle, scale)}
              onFocus={({ currentTarget }) =>
                currentTarget.firstElementChild?.scrollIntoView({ block: 'nearest' })
              }
              onClick={(event) => locked === null && onOpen(line, event.currentTarget)}
            >
              {locked && (
                <span className="text-why" style={{ rotate: line.angle ? `${line.angle}deg` : undefined }}>
                  {words.locked[locked]}
                </span>
              )}
            </button>
          </li>
        );
      })}
    </ol>
  );
}

export const boxStyle = ([x, y, width, height]: Area, angle: number, scale: number): CSSProperties => ({
  left: x * scale,
  top: y * scale,
  width: width * scale,
  height: height * scale,
  rotate: angle ? `${-angle}deg` : undefined,
});
