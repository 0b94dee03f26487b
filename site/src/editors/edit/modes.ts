import {
  EyeOff,
  Highlighter,
  Image,
  type LucideIcon,
  MousePointer2,
  Pencil,
  Search,
  SquareCheckBig,
  StickyNote,
  TextCursorInput,
  Type,
} from 'lucide-react';
import type { Way } from '../place/scene';
import type { Mode } from '../place/ToolBar';
import type { ShapeName } from './acts';
import type { EditWords } from './words';

export type ModeName = keyof EditWords['modes'];
/** What is drawn: a shape or a line of the hand. */
export type Pen = ShapeName | 'ink';
export type RedactBy = 'area' | 'text';

const LOOKS: Record<ModeName, [icon: LucideIcon, letter: string, apart?: boolean]> = {
  select: [MousePointer2, 'v'],
  change: [TextCursorInput, 'e'],
  text: [Type, 't', true],
  picture: [Image, 'p'],
  draw: [Pencil, 'd'],
  mark: [Highlighter, 'h'],
  note: [StickyNote, 'n'],
  redact: [EyeOff, 'r', true],
  find: [Search, 'f'],
  form: [SquareCheckBig, 'o', true],
};

export const modesOf = (words: EditWords, fillable: boolean): Mode<ModeName>[] =>
  (Object.keys(LOOKS) as ModeName[])
    .filter((name) => name !== 'form' || fillable)
    .map((name) => {
      const [icon, letter, apart = false] = LOOKS[name];
      return { name, icon, letter, apart, word: words.modes[name] };
    });

const PENS: Record<Pen, Way> = { line: 'line', arrow: 'line', rectangle: 'box', ellipse: 'box', ink: 'free' };

/** What a press on the page draws in a mode. */
export function wayOf(mode: ModeName, pen: Pen, by: RedactBy): Way | null {
  if (mode === 'text') return 'box';
  if (mode === 'draw') return PENS[pen];
  if (mode === 'note') return 'point';
  return mode === 'redact' && by === 'area' ? 'box' : null;
}

/** Whether things stay where they are while the hand does something else. */
export const holdsStill = (mode: ModeName): boolean => ['mark', 'redact', 'form', 'find'].includes(mode);

/** Modes without a style of their own say in its place what can be done. */
export const hintsInRow = (mode: ModeName): boolean =>
  ['select', 'change', 'picture', 'find', 'form'].includes(mode);
