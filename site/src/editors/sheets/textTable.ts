import { cellsOf } from '../cells';

/** Tables kept as text, read as cluster/engines/office/text.py and tables.py read them. */

export type Encoding = 'utf8' | 'gb18030' | 'big5' | 'utf16' | 'latin';
export type Separator = 'comma' | 'tab' | 'semicolon' | 'pipe';

const LABELS: Record<Encoding, string> = {
  utf8: 'utf-8',
  gb18030: 'gb18030',
  big5: 'big5',
  utf16: 'utf-16le',
  latin: 'windows-1252',
};
/** The rarer in running text, the sooner it is believed. */
export const MARKS: Record<Separator, string> = { tab: '\t', semicolon: ';', pipe: '|', comma: ',' };
const SAMPLE_ROWS = 200;
/** Share of the characters that must be everyday ones. */
const EVERYDAY = 0.75;
/** Letters that are looked at. */
const LETTERS = 20_000;

/** `sure`: the server finds the same; what is not sure should be looked at. */
export type Found = { encoding: Encoding; sure: boolean };

const decodes = (bytes: Uint8Array, encoding: Encoding): boolean => {
  try {
    // A sample may end within a character.
    new TextDecoder(LABELS[encoding], { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
};

/** Share of the characters of two bytes whose first byte is one of the common ones. */
function everyday(bytes: Uint8Array, isCommon: (lead: number, trail: number) => boolean): number {
  let [common, all] = [0, 0];
  for (let at = 0; at < bytes.length - 1 && all < LETTERS; at += 1) {
    const lead = bytes[at]!;
    if (lead < 0x80) continue;
    at += 1;
    all += 1;
    if (isCommon(lead, bytes[at]!)) common += 1;
  }
  return all === 0 ? 1 : common / all;
}

const isChinese = (lead: number, trail: number) =>
  trail >= 0xa1 && ((lead >= 0xb0 && lead <= 0xd7) || lead === 0xa1 || lead === 0xa3);
const isTaiwanese = (lead: number) => lead >= 0xa1 && lead <= 0xc6;

export function encodingOf(bytes: Uint8Array): Found {
  const [a, b] = bytes;
  if ((a === 0xff && b === 0xfe) || (a === 0xfe && b === 0xff)) return { encoding: 'utf16', sure: true };
  if (decodes(bytes, 'utf8')) return { encoding: 'utf8', sure: true };
  const mainland = decodes(bytes, 'gb18030');
  if (mainland && everyday(bytes, isChinese) >= EVERYDAY) return { encoding: 'gb18030', sure: true };
  if (decodes(bytes, 'big5') && everyday(bytes, isTaiwanese) >= EVERYDAY)
    return { encoding: 'big5', sure: false };
  return { encoding: mainland ? 'gb18030' : 'latin', sure: false };
}

export function decoded(bytes: Uint8Array, encoding: Encoding): string {
  const label = encoding === 'utf16' && bytes[0] === 0xfe ? 'utf-16be' : LABELS[encoding];
  return new TextDecoder(label).decode(bytes, { stream: true }).replaceAll('\0', '').replace(/\r\n?/g, '\n');
}

/** How many cells a row has, by the share of rows that have just as many; 0 where it cuts nothing. */
function alike(text: string, mark: string): number {
  const counts = cellsOf(text, mark, SAMPLE_ROWS).map((row) => row.length);
  const times = new Map<number, number>();
  for (const count of counts) times.set(count, (times.get(count) ?? 0) + 1);
  const [usual, share] = [...times].sort((a, b) => b[1] - a[1] || b[0] - a[0])[0] ?? [0, 0];
  return usual > 1 ? usual * (share / counts.length) ** 4 : 0;
}

/** What Excel writes itself comes first; then what cuts most rows alike, a comma where nothing does. */
export function separatorOf(text: string): Separator {
  const said = /^sep=(.)\n/.exec(text)?.[1];
  const names = Object.keys(MARKS) as Separator[];
  const named = names.find((name) => MARKS[name] === said);
  if (named) return named;
  const scores = names.map((name) => alike(text, MARKS[name]));
  const best = Math.max(...scores);
  return best > 0 ? names[scores.indexOf(best)]! : 'comma';
}

export const withoutSaid = (text: string): string => text.replace(/^sep=.\n/, '');
