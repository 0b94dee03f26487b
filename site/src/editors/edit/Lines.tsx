import type { CSSProperties } from 'react';
import type { Area } from '../pdf/text';
import type { Line } from './lines';
import type { EditWords } from './words';

type Props = {
  lines: readonly Line[];
  scale: number;
  isChanged(line: Line): string | null;
  onOpen(line: Line, button: HTMLElement): void;
  words: EditWords;
};

const SHOWN = 60;

/** The lines of a page, each to be pressed and changed. */
export function Lines({ lines, scale, isChanged, onOpen, words }: Props) {
  return (
    <ol className="text-lines" data-testid="text-lines" data-count={lines.length}>
      {lines.map((line, at) => {
        const now = isChanged(line);
        const label =
          now === null ? words.lineOf(line.text.slice(0, SHOWN)) : words.changedLine(now.slice(0, SHOWN));
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a page's lines stay as they are
          <li key={at}>
            <button
              type="button"
              className="text-line"
              data-changed={now !== null || undefined}
              aria-label={label}
              style={boxStyle(line.box, line.angle, scale)}
              onClick={(event) => onOpen(line, event.currentTarget)}
            />
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
