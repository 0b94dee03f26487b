import { useState } from 'react';
import { Copy, CopyCheck, CopyX } from 'lucide-react';
import { Tool } from '../board/parts';
import { toText } from './clipboard';
import { textsIn } from './model';
import { chosenIn, everything } from './moves';
import type { TableSheet } from './useTable';
import type { TableWords } from './words';

const ICONS = { idle: Copy, copied: CopyCheck, copyFailed: CopyX };

/** Several chosen cells for a spreadsheet, or else the whole table: a phone has no keys for it. */
export function CopyTool({ sheet, words }: { sheet: TableSheet; words: TableWords }) {
  const [went, setWent] = useState<keyof typeof ICONS>('idle');
  const copy = async () => {
    const table = sheet.keep();
    const range = sheet.several ? sheet.range : chosenIn(table, everything(table));
    try {
      await navigator.clipboard.writeText(toText(textsIn(table, range)));
      setWent('copied');
    } catch {
      setWent('copyFailed');
    }
    setTimeout(setWent, 2000, 'idle');
  };
  const word = sheet.several ? words.copyChosen : words.copyAll;
  return (
    <>
      <Tool
        slim
        icon={ICONS[went]}
        word={went === 'idle' ? word : words[went]}
        onPress={() => void copy()}
        testid="copy-table"
      />
      <span role="status" className="sr-only">
        {went === 'idle' ? '' : words[went]}
      </span>
    </>
  );
}
