import { useEffect, useId, useState } from 'react';
import type { EditorProps } from '../../workbench/contract';
import { cellsOf } from '../cells';
import {
  decoded,
  type Encoding,
  encodingOf,
  type Found,
  MARKS,
  type Separator,
  separatorOf,
  withoutSaid,
} from './textTable';
import { chosenOf, type SheetName, sheetNames, writtenOf } from './workbook';
import '../../fields/fields.css';
import '../editors.css';
import './sheets.css';

const zh = {
  read: '文本表格预览',
  encoding: '编码',
  separator: '分隔符',
  auto: (found: string) => `自动：${found}`,
  unsure: '编码不能确定，若有乱码请换一种',
  separators: { comma: '逗号', tab: '制表符', semicolon: '分号', pipe: '竖线' },
  first: (rows: number) => `前 ${rows} 行`,
  sheets: '要转换的工作表',
  hidden: '隐藏',
};

const en: typeof zh = {
  read: 'How the text is read',
  encoding: 'Encoding',
  separator: 'Separator',
  auto: (found) => `Automatic: ${found}`,
  unsure: 'The encoding is a guess; choose another if letters look wrong',
  separators: { comma: 'Comma', tab: 'Tab', semicolon: 'Semicolon', pipe: 'Vertical bar' },
  first: (rows) => `First ${rows} ${rows === 1 ? 'row' : 'rows'}`,
  sheets: 'Sheets to convert',
  hidden: 'hidden',
};

const ENCODINGS: Record<Encoding, string> = {
  utf8: 'UTF-8',
  gb18030: 'GBK',
  big5: 'Big5',
  utf16: 'UTF-16',
  latin: 'Windows-1252',
};
/** Bytes that are looked at; rows and columns that are shown. */
const SAMPLE = 256 << 10;
const ROWS = 6;
const COLUMNS = 12;

type Options = { encoding: 'auto' | Encoding; separator: 'auto' | Separator; sheets: string };

/** Below the options of Excel to PDF: how a table of text is read, and which sheets a workbook has. */
export default function SheetNote({ files, options, onChange, lang }: EditorProps) {
  const words = lang === 'zh' ? zh : en;
  const chosen = options as unknown as Options;
  const text = files.find(({ kind }) => kind === 'csv' || kind === 'txt');
  const [only] = files.length === 1 ? files : [];
  const set = (change: Partial<Options>) => onChange({ ...(options as object), ...change });
  if (text) return <TextTable blob={text.blob} chosen={chosen} set={set} words={words} />;
  if (only?.kind === 'xlsx' && only.blob)
    return <Sheets blob={only.blob} chosen={chosen} set={set} words={words} />;
  return null;
}

type Part = { chosen: Options; set(change: Partial<Options>): void; words: typeof zh };

function useSample(blob: Blob | null): { bytes: Uint8Array; found: Found } | null {
  const [sample, setSample] = useState<{ bytes: Uint8Array; found: Found } | null>(null);
  useEffect(() => {
    setSample(null);
    if (!blob) return;
    let current = true;
    blob
      .slice(0, SAMPLE)
      .arrayBuffer()
      .then(
        (buffer) => {
          const bytes = new Uint8Array(buffer);
          if (current) setSample({ bytes, found: encodingOf(bytes) });
        },
        () => undefined,
      );
    return () => {
      current = false;
    };
  }, [blob]);
  return sample;
}

function TextTable({ blob, chosen, set, words }: Part & { blob: Blob | null }) {
  const sample = useSample(blob);
  const found = sample?.found.encoding ?? null;
  const encoding = chosen.encoding === 'auto' ? found : chosen.encoding;
  const text = sample && encoding ? decoded(sample.bytes, encoding) : '';
  const mark = separatorOf(text);
  const separator = chosen.separator === 'auto' ? mark : chosen.separator;
  const rows = cellsOf(withoutSaid(text), MARKS[separator], ROWS);
  return (
    <section className="editor-notice sheet-note" aria-label={words.read} data-testid="text-table">
      <div className="sheet-note-choices">
        <Choice
          label={words.encoding}
          value={chosen.encoding}
          names={ENCODINGS}
          auto={words.auto(found ? ENCODINGS[found] : '…')}
          onChange={(value) => set({ encoding: value as Options['encoding'] })}
          testid="encoding"
        />
        <Choice
          label={words.separator}
          value={chosen.separator}
          names={words.separators}
          auto={words.auto(sample ? words.separators[mark] : '…')}
          onChange={(value) => set({ separator: value as Options['separator'] })}
          testid="separator"
        />
      </div>
      {sample && !sample.found.sure && chosen.encoding === 'auto' && <p>{words.unsure}</p>}
      {sample && <Preview rows={rows} label={words.first(rows.length)} />}
    </section>
  );
}

type ChoiceProps = {
  label: string;
  value: string;
  names: Record<string, string>;
  auto: string;
  onChange(value: string): void;
  testid: string;
};

function Choice({ label, value, names, auto, onChange, testid }: ChoiceProps) {
  const id = useId();
  return (
    <label htmlFor={id}>
      {label}
      <select
        id={id}
        className="field-input"
        value={value}
        onChange={(event) => onChange(event.target.value)}
        data-testid={testid}
      >
        <option value="auto">{auto}</option>
        {Object.entries(names).map(([name, word]) => (
          <option key={name} value={name}>
            {word}
          </option>
        ))}
      </select>
    </label>
  );
}

function Preview({ rows, label }: { rows: string[][]; label: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what is wider than its room is reached by keys, too
    <section className="sheet-note-room" tabIndex={0} aria-label={label}>
      <table data-testid="text-rows">
        <tbody>
          {rows.map((row, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows of a file never move
            <tr key={at}>
              {row.slice(0, COLUMNS).map((cell, column) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: cells of a file never move
                <td key={column}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Sheets({ blob, chosen, set, words }: Part & { blob: Blob }) {
  const [names, setNames] = useState<SheetName[] | null>(null);
  useEffect(() => {
    setNames(null);
    let current = true;
    void sheetNames(blob).then((found) => current && setNames(found));
    return () => {
      current = false;
    };
  }, [blob]);
  if (!names || names.length < 2) return null;
  const ticked = chosenOf(names, chosen.sheets);
  const toggle = (at: number) => {
    const next = new Set(ticked);
    if (!next.delete(at)) next.add(at);
    set({ sheets: writtenOf(names, next) });
  };
  return (
    <fieldset className="editor-notice sheet-note" data-testid="sheet-names">
      <legend>{words.sheets}</legend>
      <div className="sheet-note-list">
        {names.map(({ name, hidden }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: sheets of a file never move
          <label key={at} className="sheet-note-name">
            <input
              type="checkbox"
              checked={ticked.has(at)}
              disabled={ticked.size === 1 && ticked.has(at)}
              onChange={() => toggle(at)}
            />
            <span>{name}</span>
            {hidden && <small>{words.hidden}</small>}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
