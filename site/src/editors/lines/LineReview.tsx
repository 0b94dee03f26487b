import { type ReactNode, useState } from 'react';
import { Redo2, SearchAlert, Undo2 } from 'lucide-react';
import type { ChosenFile } from '../../workbench/contract';
import type { Lang } from '../../lib/lang';
import { Tool } from '../board/parts';
import { PictureToggle } from '../table/PictureToggle';
import { type Original, useUpright } from '../table/upright';
import { LineList } from './LineList';
import { LinePicture } from './LinePicture';
import { type Lines, sheetOf } from './model';
import { type Kept, type LineDesk, useKept, useLines } from './useLines';
import { type LineWords, lineWords } from './words';
import '../../fields/fields.css';
import '../editors.css';
import '../board/board.css';
import '../table/table.css';
import './lines.css';

export type LineReviewProps = {
  /** Where the corrections are kept: they outlive this part of the page. */
  kept: Kept;
  /** The data beside the result. */
  load(): Promise<string>;
  /** The picture that was read. */
  file: ChosenFile | null;
  lang: Lang;
  /** The result as it will be, with what was corrected. */
  onPreview(): void;
};

/** The lines that were read beside their picture; what is corrected here is what downloads carry. */
export default function LineReview({ kept, load, file, lang, onPreview }: LineReviewProps) {
  const words = lineWords(lang);
  const corrected = useKept(kept, load);
  if (corrected === 'failed') return <p className="editor-empty">{words.failed}</p>;
  if (!corrected) return <p className="editor-empty">{words.opening}</p>;
  return <Review kept={kept} corrected={corrected} file={file} words={words} onPreview={onPreview} />;
}

type ReviewProps = Pick<LineReviewProps, 'kept' | 'file' | 'onPreview'> & {
  corrected: Exclude<ReturnType<typeof useKept>, 'failed' | null>;
  words: LineWords;
};

function Review({ kept, corrected, file, words, onPreview }: ReviewProps) {
  const desk = useLines(kept, corrected);
  const [shown, setShown] = useState(true);
  const page = desk.at?.page ?? 0;
  const seen = usePicture(file, corrected.written, page);
  return (
    <section className="table-review" aria-label={words.label} data-testid="correction">
      <Top desk={desk} page={page} shown={shown} onShown={setShown} words={words}>
        <button type="button" className="btn btn-quiet" onClick={onPreview} data-testid="preview-word">
          {words.preview}
        </button>
      </Top>
      <div className="table-sides line-sides" data-alone={!shown || undefined}>
        {shown && <LinePicture seen={seen} desk={desk} page={page} words={words} />}
        <LineList desk={desk} page={page} seen={seen} words={words} />
      </div>
      <p className="field-hint" role="status">
        {desk.changed ? <strong data-testid="lines-changed">{words.changed}</strong> : words.hint}
      </p>
    </section>
  );
}

/** The page's picture. Browsers show the first one of a file only. */
function usePicture(file: ChosenFile | null, { pages }: Lines, page: number): Original {
  const [sheet] = useState(() => pages[0] && sheetOf(pages[0], 0));
  const seen = useUpright(file, sheet);
  return page === 0 ? seen : 'unseen';
}

type TopProps = {
  desk: LineDesk;
  page: number;
  shown: boolean;
  onShown(shown: boolean): void;
  words: LineWords;
  children: ReactNode;
};

function Top({ desk, page, shown, onShown, words, children }: TopProps) {
  const { pages } = desk.lines;
  return (
    <div className="table-top">
      <PictureToggle shown={shown} onShown={onShown} words={words} />
      {pages.length > 1 && (
        <select
          className="field-input"
          aria-label={words.choosePage}
          value={page}
          onChange={(event) => desk.choose({ page: Number(event.target.value), paragraph: 0, line: 0 })}
          data-testid="line-page"
        >
          {pages.map((_, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: pages never change places
            <option key={at} value={at}>
              {words.page(at + 1)}
            </option>
          ))}
        </select>
      )}
      {children}
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset does not lay out its children as this does */}
      <span className="board-group" role="group" aria-label={words.tools}>
        <Tool
          slim
          icon={Undo2}
          word={words.undo}
          disabled={!desk.undo}
          onPress={() => desk.undo?.()}
          testid="undo"
        />
        <Tool
          slim
          icon={Redo2}
          word={words.redo}
          disabled={!desk.redo}
          onPress={() => desk.redo?.()}
          testid="redo"
        />
      </span>
      <span className="line-doubts" data-testid="doubts" data-count={desk.doubts.length}>
        {words.doubtful(desk.doubts.length)}
        {desk.doubts.length > 0 && (
          <button type="button" className="btn btn-quiet" onClick={desk.nextDoubt} data-testid="next-doubt">
            <SearchAlert size={18} aria-hidden="true" />
            {words.nextDoubt}
          </button>
        )}
      </span>
    </div>
  );
}
