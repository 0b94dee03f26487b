import { type CSSProperties, type KeyboardEvent, useEffect, useRef, useState } from 'react';
import type { Area } from '../pdf/text';
import { STACKS } from '../place/drawMark';
import type { ChangeAct, NoteAct, TextAct } from './acts';
import { heightOf, type LineLook } from './look';
import type { EditWords } from './words';

/** What is being written, and which act it was before. */
export type Written = { at: number | null } & (
  | { act: TextAct }
  | { act: NoteAct }
  | { act: ChangeAct; look: LineLook }
);

type Props = {
  written: Written;
  /** CSS pixels for a point. */
  scale: number;
  onDone(text: string): void;
  onCancel(): void;
  words: EditWords;
};

/** A field laid over the page where the words will stand. */
export function Writing({ written, scale, onDone, onCancel, words }: Props) {
  const [text, setText] = useState(written.act.text);
  const field = useRef<HTMLTextAreaElement & HTMLInputElement>(null);
  const over = useRef(false);
  useEffect(() => {
    field.current?.focus({ preventScroll: true });
    field.current?.select();
  }, []);
  const end = (keep: boolean) => {
    if (over.current) return;
    over.current = true;
    if (keep) onDone(text);
    else onCancel();
  };
  const press = (event: KeyboardEvent) => {
    event.stopPropagation();
    // While an input method composes, its keys are its own.
    if (event.nativeEvent.isComposing || event.keyCode === 229) return;
    const enough = event.key === 'Enter' && (written.act.kind === 'change' || event.ctrlKey || event.metaKey);
    if (event.key !== 'Escape' && !enough) return;
    event.preventDefault();
    end(enough || written.act.kind !== 'change');
  };
  const shared = {
    ref: field,
    value: text,
    'data-testid': 'writing',
    'aria-label': labelOf(written, words),
    onChange: ({ target }: { target: HTMLTextAreaElement | HTMLInputElement }) => setText(target.value),
    onBlur: () => end(true),
    onKeyDown: press,
    spellCheck: false,
  };
  if (written.act.kind === 'change')
    return <input {...shared} className="writing" style={styleOf(written, text, scale)} autoComplete="off" />;
  return (
    <textarea
      {...shared}
      className="writing"
      data-kind={written.act.kind}
      placeholder={labelOf(written, words)}
      style={styleOf(written, text, scale)}
    />
  );
}

const labelOf = ({ act }: Written, words: EditWords): string =>
  ({ text: words.newText, note: words.noteText, change: words.changeLine })[act.kind];

function styleOf(written: Written, text: string, scale: number): CSSProperties {
  const { act } = written;
  if (act.kind === 'note') return { left: act.at[0] * scale, top: act.at[1] * scale };
  if (act.kind === 'change')
    return { ...placed(act.box, act.angle, scale), ...lineStyle(written as never, text, scale) };
  const tall = Math.max(act.box[3], heightOf({ ...act, text }, act.box[2]));
  return {
    ...placed([act.box[0], act.box[1], act.box[2], tall], act.angle, scale),
    fontFamily: STACKS[act.font],
    fontSize: act.size * scale,
    lineHeight: act.line,
    fontWeight: act.bold ? 700 : 400,
    fontStyle: act.italic ? 'italic' : 'normal',
    textAlign: act.align,
    color: act.colour,
  };
}

/** As near to the document's own letters as this machine has, and as wide as the words get. */
function lineStyle(
  { act, look }: { act: ChangeAct; look: LineLook },
  text: string,
  scale: number,
): CSSProperties {
  const [, , width, height] = act.box;
  return {
    width: 'auto',
    minWidth: width * scale + 8,
    fieldSizing: 'content',
    fontFamily: STACKS[look.font],
    fontWeight: look.bold ? 700 : 400,
    fontSize: height * scale * 0.96,
    lineHeight: `${height * scale}px`,
    color: look.ink,
    background: look.paper,
    transformOrigin: `${(width * scale) / 2}px ${(height * scale) / 2}px`,
    // Where a browser does not size a field by its words.
    inlineSize: `${Math.max(text.length + 1, 2)}em`,
  } as CSSProperties;
}

const placed = ([x, y, width, height]: Area, angle: number, scale: number): CSSProperties => ({
  left: x * scale,
  top: y * scale,
  width: width * scale,
  height: height * scale,
  rotate: `${-angle}deg`,
});
