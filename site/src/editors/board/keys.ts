import type { Press } from './types';

type Key = { key: string; ctrlKey: boolean; metaKey: boolean; altKey: boolean; shiftKey: boolean };

/** What a key does to the page it is pressed on, or to the board; null for keys that are not the board's. */
export type KeyAct = Exclude<Press, 'pick'> | 'all' | 'none' | 'undo' | 'redo';

export function actOfKey({ key, ctrlKey, metaKey, altKey, shiftKey }: Key): KeyAct | null {
  if (altKey) return null;
  const letter = key.toLowerCase();
  if (ctrlKey || metaKey) {
    if (letter === 'z') return shiftKey ? 'redo' : 'undo';
    const held: Record<string, KeyAct> = { a: 'all', y: 'redo', d: 'copy' };
    return held[letter] ?? null;
  }
  const plain: Record<string, KeyAct> = {
    ' ': 'look',
    '[': 'left',
    l: 'left',
    ']': 'right',
    r: 'right',
    c: 'cut',
    delete: 'remove',
    backspace: 'remove',
    escape: 'none',
  };
  return plain[letter] ?? null;
}
