import {
  AlignCenter,
  AlignLeft,
  AlignRight,
  Bold,
  Circle,
  Copy,
  Highlighter,
  Italic,
  type LucideIcon,
  Minus,
  MoveUpRight,
  PenLine,
  Signature,
  Square,
  SquareDashed,
  Strikethrough,
  TextSelect,
  Trash2,
  Underline,
} from 'lucide-react';
import type { Act, Cover, MarkStyle, TextAct } from './acts';
import { Check, Colour, Labelled, NumberField, OneOf, Select, Small } from './controls';
import type { Styled, Styles } from './making';
import type { Pen, RedactBy } from './modes';
import type { EditWords } from './words';

type Patch<Kind extends Styled> = (patch: Partial<Styles[Kind]>) => void;

type Solid = { opacity: number; burn: boolean };

function SolidFields({
  style,
  onStyle,
  words,
}: {
  style: Solid;
  onStyle(patch: Partial<Solid>): void;
  words: EditWords;
}) {
  return (
    <>
      <NumberField
        label={words.opacity}
        value={style.opacity}
        least={1}
        most={100}
        step={10}
        onValue={(opacity) => onStyle({ opacity: Math.round(opacity) })}
      />
      <Check
        label={words.burn}
        hint={words.burnHint}
        value={style.burn}
        onValue={(burn) => onStyle({ burn })}
      />
    </>
  );
}

const ALIGNS: Record<TextAct['align'], LucideIcon> = {
  left: AlignLeft,
  center: AlignCenter,
  right: AlignRight,
};
const MARKS: Record<MarkStyle, LucideIcon> = {
  highlight: Highlighter,
  underline: Underline,
  strike: Strikethrough,
};
const PENS: Record<Pen, LucideIcon> = {
  line: Minus,
  arrow: MoveUpRight,
  rectangle: Square,
  ellipse: Circle,
  ink: Signature,
};
const BY: Record<RedactBy, LucideIcon> = { area: SquareDashed, text: TextSelect };

type FieldsProps<Kind extends Styled> = { style: Styles[Kind]; onStyle: Patch<Kind>; words: EditWords };

export function TextFields({ style, onStyle, words }: FieldsProps<'text'>) {
  return (
    <>
      <Select
        label={words.font}
        value={style.font}
        choices={words.fonts}
        onValue={(font) => onStyle({ font })}
      />
      <NumberField
        label={words.size}
        value={style.size}
        least={4}
        most={400}
        onValue={(size) => onStyle({ size })}
      />
      <span className="style-group">
        <Small
          icon={Bold}
          word={words.bold}
          pressed={style.bold}
          onPress={() => onStyle({ bold: !style.bold })}
        />
        <Small
          icon={Italic}
          word={words.italic}
          pressed={style.italic}
          onPress={() => onStyle({ italic: !style.italic })}
        />
      </span>
      <OneOf
        label={words.style}
        choices={words.aligns}
        icons={ALIGNS}
        chosen={style.align}
        onChoose={(align) => onStyle({ align })}
      />
      <Colour label={words.colour} value={style.colour} onValue={(colour) => onStyle({ colour })} />
      <NumberField
        label={words.lineGap}
        value={style.line}
        least={0.8}
        most={4}
        step={0.1}
        onValue={(line) => onStyle({ line })}
      />
      <SolidFields style={style} onStyle={onStyle} words={words} />
    </>
  );
}

export const PictureFields = ({ style, onStyle, words }: FieldsProps<'picture'>) => (
  <SolidFields style={style} onStyle={onStyle} words={words} />
);

type Penned = { pen: Pen; onPen(pen: Pen): void };

/** Which pen, where one still draws. */
export const PenChoice = ({ pen, onPen, words }: Penned & { words: EditWords }) => (
  <OneOf label={words.modes.draw} choices={words.shapes} icons={PENS} chosen={pen} onChoose={onPen} />
);

export function ShapeFields({ style, onStyle, words }: FieldsProps<'shape'>) {
  const closed = style.shape === 'rectangle' || style.shape === 'ellipse';
  return (
    <>
      <LineFields style={style} onStyle={onStyle} words={words} />
      {closed && (
        <Check
          label={words.fill}
          value={style.fill !== null}
          onValue={(on) => onStyle({ fill: on ? '#fff3bf' : null })}
        />
      )}
      {closed && style.fill !== null && (
        <Colour label={words.fill} value={style.fill} onValue={(fill) => onStyle({ fill })} />
      )}
      <SolidFields style={style} onStyle={onStyle} words={words} />
    </>
  );
}

export function InkFields({ style, onStyle, words }: FieldsProps<'ink'>) {
  return (
    <>
      <LineFields style={style} onStyle={onStyle} words={words} />
      <SolidFields style={style} onStyle={onStyle} words={words} />
    </>
  );
}

type Lined = { colour: string; width: number };

function LineFields({
  style,
  onStyle,
  words,
}: {
  style: Lined;
  onStyle(patch: Partial<Lined>): void;
  words: EditWords;
}) {
  return (
    <>
      <Colour label={words.colour} value={style.colour} onValue={(colour) => onStyle({ colour })} />
      <NumberField
        label={words.width}
        value={style.width}
        least={0.1}
        most={200}
        step={0.5}
        onValue={(width) => onStyle({ width })}
      />
    </>
  );
}

export function MarkFields({ style, onStyle, words }: FieldsProps<'mark'>) {
  return (
    <>
      <OneOf
        label={words.modes.mark}
        choices={words.marks}
        icons={MARKS}
        chosen={style.style}
        onChoose={(name) => onStyle({ style: name })}
      />
      <Colour label={words.colour} value={style.colour} onValue={(colour) => onStyle({ colour })} />
      <NumberField
        label={words.opacity}
        value={style.opacity}
        least={1}
        most={100}
        step={10}
        onValue={(opacity) => onStyle({ opacity: Math.round(opacity) })}
      />
    </>
  );
}

export const NoteFields = ({ style, onStyle, words }: FieldsProps<'note'>) => (
  <Colour label={words.colour} value={style.colour} onValue={(colour) => onStyle({ colour })} />
);

type RedactProps = FieldsProps<'redact'> & { by?: RedactBy; onBy?(by: RedactBy): void };

export function RedactFields({ style, onStyle, by, onBy, words }: RedactProps) {
  return (
    <>
      {by && onBy && <strong className="style-warn">{words.gone}</strong>}
      {by && onBy && (
        <OneOf label={words.modes.redact} choices={words.areas} icons={BY} chosen={by} onChoose={onBy} />
      )}
      <Select<Cover>
        label={words.cover}
        value={style.look}
        choices={words.covers}
        onValue={(look) => onStyle({ look })}
      />
      {style.look !== 'none' && (
        <Labelled label={words.coverText}>
          {(id) => (
            <input
              id={id}
              type="text"
              className="style-words"
              maxLength={100}
              value={style.label}
              onChange={({ target }) => onStyle({ label: target.value })}
            />
          )}
        </Labelled>
      )}
    </>
  );
}

type DeedProps = {
  act: Act;
  onCopy: (() => void) | null;
  onOpen: (() => void) | null;
  onRemove(): void;
  words: EditWords;
};

/** What can be done to what is chosen. */
export function Deeds({ onCopy, onOpen, onRemove, words }: DeedProps) {
  return (
    <span className="style-group style-end">
      {onOpen && <Small icon={PenLine} word={words.edit} onPress={onOpen} />}
      {onCopy && <Small icon={Copy} word={words.duplicate} onPress={onCopy} />}
      <Small icon={Trash2} word={words.delete} danger onPress={onRemove} />
    </span>
  );
}

export const ReflowField = ({
  value,
  onValue,
  words,
}: {
  value: boolean;
  onValue(value: boolean): void;
  words: EditWords;
}) => <Check label={words.reflow} value={value} onValue={onValue} />;
