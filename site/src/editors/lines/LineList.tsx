import { type KeyboardEvent, useEffect, useRef } from 'react';
import { Check } from 'lucide-react';
import { drawCrop, type Original, type Upright } from '../table/upright';
import { isDoubtful, keyOf, type Line, partsOf, type Place, straightened, wordsIn } from './model';
import type { LineDesk } from './useLines';
import type { LineWords } from './words';

type LineListProps = { desk: LineDesk; page: number; seen: Original; words: LineWords };

/** The page's lines by paragraphs, each a field. */
export function LineList({ desk, page, seen, words }: LineListProps) {
  const read = desk.lines.pages[page];
  if (!read) return null;
  const parts = partsOf(read);
  const upright = typeof seen === 'string' ? null : seen;
  let before = 0;
  return (
    <div className="line-list" data-testid="line-list">
      {parts.map((lines, paragraph) => {
        const first = before + 1;
        before += lines.length;
        const unread = paragraph >= read.paragraphs.length;
        return (
          <ol
            // biome-ignore lint/suspicious/noArrayIndexKey: paragraphs never change places
            key={paragraph}
            start={first}
            className="line-part"
            data-unread={unread || undefined}
          >
            {unread && <li className="line-note">{words.unread}</li>}
            {lines.map((line, number) => (
              <OneLine
                // biome-ignore lint/suspicious/noArrayIndexKey: lines never change places
                key={number}
                line={line}
                place={{ page, paragraph, line: number }}
                name={words.line(first + number)}
                desk={desk}
                seen={upright}
                words={words}
              />
            ))}
          </ol>
        );
      })}
    </div>
  );
}

type OneLineProps = {
  line: Line;
  place: Place;
  name: string;
  desk: LineDesk;
  seen: Upright | null;
  words: LineWords;
};

function OneLine({ line, place, name, desk, seen, words }: OneLineProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  const here = desk.at !== null && keyOf(desk.at) === keyOf(place);
  const doubtful = isDoubtful(line);
  const wanted = useRef(false);
  useEffect(() => {
    // The first line is chosen without anybody's wish: the page does not jump to it.
    if (here && wanted.current && document.activeElement !== field.current) {
      field.current?.focus({ preventScroll: true });
      field.current?.closest('li')?.scrollIntoView({ block: 'nearest' });
    }
    wanted.current = true;
  }, [here]);
  const keys = (event: KeyboardEvent) => {
    const act = keyed(event, desk);
    if (!act) return;
    event.preventDefault();
    act();
  };
  return (
    <li className="line-one" data-doubtful={doubtful || undefined} data-here={here || undefined}>
      {(doubtful || here) && seen && <LineCrop seen={seen} line={line} label={words.crop} />}
      <div className="line-field">
        <textarea
          ref={field}
          rows={1}
          className="field-input"
          aria-label={name}
          spellCheck={false}
          value={wordsIn(line)}
          onFocus={() => desk.choose(place)}
          onChange={(event) => desk.type(place, event.target.value.replace(/\s*\n\s*/g, ' '))}
          onKeyDown={keys}
        />
        {doubtful && line.text !== '' && (
          <>
            <span className="line-sure">{words.unsure(Math.round(line.score * 100))}</span>
            <button
              type="button"
              className="board-tool"
              aria-label={`${words.confirm} · ${name}`}
              title={words.confirm}
              onClick={() => desk.confirm(place, wordsIn(line))}
              data-testid="confirm-line"
            >
              <Check size={18} aria-hidden="true" />
            </button>
          </>
        )}
      </div>
    </li>
  );
}

/** What a key does besides typing. */
function keyed({ key, ctrlKey, metaKey, shiftKey, nativeEvent }: KeyboardEvent, desk: LineDesk) {
  // Enter ends a word that an input method is composing.
  if (key === 'Enter' && !nativeEvent.isComposing) return desk.next;
  if (!ctrlKey && !metaKey) return null;
  const letter = key.toLowerCase();
  if (letter === 'y' || (letter === 'z' && shiftKey)) return desk.redo ?? (() => undefined);
  return letter === 'z' ? (desk.undo ?? (() => undefined)) : null;
}

type LineCropProps = { seen: Upright; line: Line; label: string };

/** The line as the picture has it, straight. */
export function LineCrop({ seen, line, label }: LineCropProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    if (!canvas.current) return;
    const { sheet, box } = straightened(seen.sheet, line);
    drawCrop(canvas.current, { ...seen, sheet }, box, [420, 44]);
  }, [seen, line]);
  return <canvas ref={canvas} className="table-crop" role="img" aria-label={label} data-testid="line-crop" />;
}
