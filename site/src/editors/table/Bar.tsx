import {
  BetweenVerticalEnd,
  BetweenVerticalStart,
  BetweenHorizontalEnd,
  BetweenHorizontalStart,
  Check,
  Redo2,
  SearchAlert,
  TableCellsMerge,
  TableCellsSplit,
  TableColumnsSplit,
  TableRowsSplit,
  Undo2,
} from 'lucide-react';
import { Tool } from '../board/parts';
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

type CellBarProps = Omit<BarProps, 'steps'> & { seen: Original };

/** The chosen cell: as the page has it, as it was read, and how surely. */
export function CellBar({ sheet, seen, words }: CellBarProps) {
  const { cell, at, draft, doubtful, unsure } = sheet;
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
      <p className="table-doubts" role="status">
        <span data-testid="doubts" data-count={doubtful}>
          {words.doubtful(doubtful)}
        </span>
        {unsure && <span>{words.unsure(Math.round(cell.score * 100))}</span>}
        {doubtful > 0 && (
          <button type="button" className="btn btn-quiet" onClick={sheet.nextDoubt} data-testid="next-doubt">
            <SearchAlert size={16} aria-hidden="true" />
            {words.nextDoubt}
          </button>
        )}
      </p>
    </div>
  );
}
