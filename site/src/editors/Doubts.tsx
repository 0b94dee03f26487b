import { useEffect, useRef } from 'react';
import type { ChosenFile } from '../workbench/contract';
import type { Box, Sheet } from './table/model';
import { drawCrop, useUpright } from './table/upright';
import type { Words } from './words';

/** A line as the data beside the text has it: corners in pixels of the upright picture. */
type Line = { text: string; score: number; box: [number, number][] };
type Page = { width: number; height: number; turned: Sheet['turned']; paragraphs: { lines: Line[] }[] };
export type TextData = { pages: Page[] };

/** A line that was read with little certainty, and where it stands. */
export type Doubt = { text: string; box: Box; page: number };

const SURE = 0.9;
const MOST = 50;

export const doubtsIn = ({ pages }: TextData): Doubt[] =>
  pages
    .flatMap(({ paragraphs }, page) =>
      paragraphs
        .flatMap(({ lines }) => lines)
        .filter(({ score, text }) => score < SURE && text.trim() !== '')
        .map(({ text, box }) => ({ text, box: around(box), page })),
    )
    .slice(0, MOST);

const around = (corners: [number, number][]): Box => [
  Math.min(...corners.map(([x]) => x)),
  Math.min(...corners.map(([, y]) => y)),
  Math.max(...corners.map(([x]) => x)),
  Math.max(...corners.map(([, y]) => y)),
];

const sheetOf = ({ width, height, turned }: Page, page: number): Sheet => ({
  page: page + 1,
  width,
  height,
  turned,
  left: 0,
  top: 0,
  lean: 0,
});

type DoubtsProps = { data: TextData; file: ChosenFile | null; words: Words; onFind(text: string): void };

/** The lines that somebody should look at, each as the picture has it; a press finds it in the text. */
export function Doubts({ data, file, words, onFind }: DoubtsProps) {
  const doubts = doubtsIn(data);
  const first = data.pages[0];
  const sheet = useRef(first && sheetOf(first, 0)).current;
  // Browsers show the first picture of a file only.
  const seen = useUpright(file, sheet);
  if (doubts.length === 0) return null;
  return (
    <section
      className="correction-doubts"
      aria-label={words.doubtfulLines(doubts.length)}
      data-testid="doubtful-lines"
    >
      <h3>{words.doubtfulLines(doubts.length)}</h3>
      <ul>
        {doubts.map((doubt) => (
          <li key={`${doubt.page}/${doubt.box}`}>
            <button type="button" onClick={() => onFind(doubt.text)} title={words.findLine}>
              {typeof seen !== 'string' && doubt.page === 0 && <Crop seen={seen} box={doubt.box} />}
              <span>{doubt.text}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Crop({ seen, box }: { seen: Exclude<ReturnType<typeof useUpright>, string>; box: Box }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    if (canvas.current) drawCrop(canvas.current, seen, box, [420, 40]);
  }, [seen, box]);
  return <canvas ref={canvas} />;
}
