import {
  BetweenVerticalEnd,
  BetweenVerticalStart,
  BetweenHorizontalEnd,
  BetweenHorizontalStart,
  Check,
  ChevronLeft,
  Redo2,
  SearchAlert,
  TableCellsMerge,
  TableCellsSplit,
  TableColumnsSplit,
  TableRowsSplit,
  Undo2,
} from 'lucide-react';
import { Tool } from '../board/parts';
import { fromText } from './clipboard';
import { CopyTool } from './CopyTool';
import { typed } from './Grid';
import type { Steps } from './keys';
import type { CellKind } from './model';
import { placeName } from './moves';
import { Crop } from './Picture';
import type { Original } from './upright';
import type { TableSheet } from './useTable';
import type { TableWords } from './words';

type BarProps = { sheet: TableSheet; steps: Steps; words: TableWords };

const KINDS: CellKind[] = ['auto', 'text', 'number'];

/** What is done to the chosen cells. */
export function Bar({ sheet, steps, words }: BarProps) {
  const { range, canMerge, canSplit, canRemoveRows, canRemoveColumns } = sheet;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset does not lay out its children as this does
    <div className="table-bar" role="group" aria-label={words.tools}>
      <span className="board-group">
        <Tool
          slim
          icon={Undo2}
          word={words.undo}
          disabled={!steps.undo}
          onPress={() => steps.undo?.()}
          testid="undo"
        />
        <Tool
          slim
          icon={Redo2}
          word={words.redo}
          disabled={!steps.redo}
          onPress={() => steps.redo?.()}
          testid="redo"
        />
      </span>
      <span className="board-group">
        <CopyTool sheet={sheet} words={words} />
        <Tool
          slim
          icon={TableCellsMerge}
          word={words.merge}
          disabled={!canMerge}
          onPress={sheet.merge}
          testid="merge"
        />
        <Tool
          slim
          icon={TableCellsSplit}
          word={words.split}
          disabled={!canSplit}
          onPress={sheet.split}
          testid="split"
        />
      </span>
      <Kind sheet={sheet} words={words} />
      <span className="board-group">
        <Tool
          slim
          icon={BetweenHorizontalEnd}
          word={words.rowAbove}
          onPress={() => sheet.rowsBefore(range.top)}
          testid="row-above"
        />
        <Tool
          slim
          icon={BetweenHorizontalStart}
          word={words.rowBelow}
          onPress={() => sheet.rowsBefore(range.bottom + 1)}
          testid="row-below"
        />
        <Tool
          slim
          danger
          icon={TableRowsSplit}
          word={words.removeRows}
          disabled={!canRemoveRows}
          onPress={sheet.removeRows}
          testid="remove-rows"
        />
      </span>
      <span className="board-group">
        <Tool
          slim
          icon={BetweenVerticalEnd}
          word={words.columnLeft}
          onPress={() => sheet.columnsBefore(range.left)}
          testid="column-left"
        />
        <Tool
          slim
          icon={BetweenVerticalStart}
          word={words.columnRight}
          onPress={() => sheet.columnsBefore(range.right + 1)}
          testid="column-right"
        />
        <Tool
          slim
          danger
          icon={TableColumnsSplit}
          word={words.removeColumns}
          disabled={!canRemoveColumns}
          onPress={sheet.removeColumns}
          testid="remove-columns"
        />
      </span>
    </div>
  );
}

function Kind({ sheet, words }: Omit<BarProps, 'steps'>) {
  return (
    <select
      className="field-input table-kind"
      aria-label={words.kind}
      value={sheet.kind ?? ''}
      onChange={(event) => sheet.retype(event.target.value as CellKind)}
      data-testid="cell-kind"
    >
      {sheet.kind === null && <option value="">—</option>}
      {KINDS.map((kind) => (
        <option key={kind} value={kind}>
          {words.kinds[kind]}
        </option>
      ))}
    </select>
  );
}

/** Doubtful cells of other tables, and the way to the first of them. */
export type Elsewhere = { count: number; go(): void };

type CellBarProps = Omit<BarProps, 'steps'> & { seen: Original; elsewhere: Elsewhere };

/** The chosen cell: as the page has it, as it was read, and how surely. */
export function CellBar({ sheet, seen, elsewhere, words }: CellBarProps) {
  const { cell, at, draft, unsure } = sheet;
  const name = placeName(at);
  return (
    <div className="table-cellbar" data-unsure={unsure || undefined}>
      <Crop seen={seen} box={cell.box} page={cell.page} label={words.crop(name)} />
      <div className="table-value">
        <output className="table-name">{name}</output>
        <textarea
          className="field-input"
          rows={1}
          spellCheck={false}
          aria-label={words.cell}
          value={draft ?? cell.text}
          onChange={(event) => sheet.setDraft(event.target.value)}
          onKeyDown={(event) => {
            if (event.nativeEvent.isComposing || event.key === 'Tab') return;
            if (typed(sheet, event)) event.preventDefault();
          }}
          // Somebody without a keyboard has no other place to paste cells.
          onPaste={(event) => {
            const text = event.clipboardData.getData('text/plain');
            if (!text.includes('\t')) return;
            event.preventDefault();
            sheet.paste(fromText(text));
          }}
          onBlur={() => sheet.keep()}
          data-testid="cell-text"
        />
        {unsure && (
          <button type="button" className="btn btn-plain" onClick={sheet.confirm} data-testid="confirm-cell">
            <Check size={16} aria-hidden="true" />
            {words.confirm}
          </button>
        )}
      </div>
      <Doubting sheet={sheet} elsewhere={elsewhere} words={words} />
    </div>
  );
}

type DoubtingProps = Pick<CellBarProps, 'sheet' | 'elsewhere' | 'words'>;

/** How many cells are doubtful, and the ways to them. */
function Doubting({ sheet, elsewhere, words }: DoubtingProps) {
  const { cell, doubtful, unsure } = sheet;
  const next = doubtful > 0 ? () => sheet.toDoubt(false) : elsewhere.go;
  const left = doubtful === 0 && elsewhere.count > 0;
  return (
    <p className="table-doubts" role="status">
      <span data-testid="doubts" data-count={doubtful}>
        {left ? words.elsewhere(elsewhere.count) : words.doubtful(doubtful)}
      </span>
      {unsure && <span>{words.unsure(Math.round(cell.score * 100))}</span>}
      {(doubtful > 0 || left) && (
        <span className="table-towards-doubts">
          {doubtful > 1 && (
            <button
              type="button"
              className="btn btn-quiet"
              aria-label={words.lastDoubt}
              title={`${words.lastDoubt} (Shift+F8)`}
              onClick={() => sheet.toDoubt(true)}
              data-testid="last-doubt"
            >
              <ChevronLeft size={16} aria-hidden="true" />
            </button>
          )}
          <button type="button" className="btn btn-quiet" title="F8" onClick={next} data-testid="next-doubt">
            <SearchAlert size={16} aria-hidden="true" />
            {words.nextDoubt}
          </button>
        </span>
      )}
    </p>
  );
}
