import type { Quarter } from './turns';
import type { Words } from './words';

type Props = {
  words: Words;
  selected: number;
  byHand: boolean;
  onSelect(range: string): void;
  onTurn(by: Quarter): void;
  onReset(): void;
  onBackToForm(): void;
};

export function GridToolbar(props: Props) {
  const { words, selected, byHand, onSelect } = props;
  return (
    <div className="editor-bar">
      <div className="field-chips">
        <Chip label={words.selectAll} onPress={() => onSelect('all')} />
        <Chip label={words.selectOdd} onPress={() => onSelect('odd')} />
        <Chip label={words.selectEven} onPress={() => onSelect('even')} />
        {selected > 0 && <Chip label={words.selectNone} onPress={() => onSelect('')} />}
        {selected > 0 && (
          <span className="editor-count" role="status">
            {words.selected(selected)}
          </span>
        )}
      </div>
      {byHand ? <ByHand {...props} /> : <p className="field-hint">{words.rotateHint}</p>}
    </div>
  );
}

function ByHand({ words, onTurn, onReset, onBackToForm }: Props) {
  return (
    <div className="editor-notice" role="status">
      <p>{words.byHand}</p>
      <div className="field-chips">
        <Chip label={words.left} onPress={() => onTurn(270)} />
        <Chip label={words.right} onPress={() => onTurn(90)} />
        <Chip label={words.half} onPress={() => onTurn(180)} />
        <Chip label={words.upright} onPress={onReset} />
        <Chip label={words.backToForm} onPress={onBackToForm} />
      </div>
    </div>
  );
}

function Chip({ label, onPress }: { label: string; onPress(): void }) {
  return (
    <button type="button" className="field-chip" onClick={onPress}>
      {label}
    </button>
  );
}
