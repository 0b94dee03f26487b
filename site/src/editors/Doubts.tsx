import { useState } from 'react';
import type { ChosenFile } from '../workbench/contract';
import { LineCrop } from './lines/LineList';
import { doubtsIn, keyOf, lineAt, type Lines, sheetOf } from './lines/model';
import { useUpright } from './table/upright';
import type { Words } from './words';

const MOST = 50;

type DoubtsProps = {
  data: Lines;
  file: ChosenFile | null;
  words: Words;
  /** Whether a line was typed anew meanwhile. */
  mended(text: string): boolean;
  onFind(text: string): void;
};

/** The lines that somebody should look at, each as the picture has it; a press finds it in the text. */
export function Doubts({ data, file, words, mended, onFind }: DoubtsProps) {
  const left = doubtsIn(data).filter((place) => !mended(lineAt(data, place)!.text));
  const doubts = left.slice(0, MOST);
  const [sheet] = useState(() => data.pages[0] && sheetOf(data.pages[0], 0));
  // Browsers show the first picture of a file only.
  const seen = useUpright(file, sheet);
  if (doubts.length === 0) return null;
  return (
    <section
      className="correction-doubts"
      aria-label={words.doubtfulLines(left.length)}
      data-testid="doubtful-lines"
    >
      <h3>{words.doubtfulLines(left.length)}</h3>
      <ul>
        {doubts.map((place) => {
          const line = lineAt(data, place)!;
          return (
            <li key={keyOf(place)}>
              <button type="button" onClick={() => onFind(line.text)} title={words.findLine}>
                {typeof seen !== 'string' && place.page === 0 && (
                  <LineCrop seen={seen} line={line} label={words.picture} />
                )}
                <span>{line.text || words.notRead}</span>
              </button>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
