/** The names of a workbook's sheets, read from the few bytes of the file that hold them. */

export type SheetName = { name: string; hidden: boolean };

const END = 0x06054b50;
const ENTRY = 0x02014b50;
/** An end record with the longest comment; and what of a directory is read. */
const TAIL = 22 + 65_535;
const MOST_DIRECTORY = 4 << 20;
const MOST_BYTES = 4 << 20;
const WORKBOOK = 'xl/workbook.xml';

const viewOf = async (file: Blob, from: number, to: number) =>
  new DataView(await file.slice(from, to).arrayBuffer());

/** Sheets in their order; null where this is no such workbook, or one that cannot be read here. */
export async function sheetNames(file: Blob): Promise<SheetName[] | null> {
  try {
    const found = await entryOf(file, WORKBOOK);
    return found ? namesIn(await inflated(file, found)) : null;
  } catch {
    return null;
  }
}

type Entry = { at: number; method: number; size: number };

async function entryOf(file: Blob, wanted: string): Promise<Entry | null> {
  const tail = await viewOf(file, Math.max(0, file.size - TAIL), file.size);
  let end = tail.byteLength - 22;
  while (end >= 0 && tail.getUint32(end, true) !== END) end -= 1;
  if (end < 0) return null;
  const [size, start] = [tail.getUint32(end + 12, true), tail.getUint32(end + 16, true)];
  const view = await viewOf(file, start, start + Math.min(size, MOST_DIRECTORY));
  for (let at = 0; at + 46 <= view.byteLength && view.getUint32(at, true) === ENTRY; ) {
    const [named, more, said] = [28, 30, 32].map((field) => view.getUint16(at + field, true));
    const name = new TextDecoder().decode(new Uint8Array(view.buffer, at + 46, named));
    if (name === wanted)
      return {
        at: view.getUint32(at + 42, true),
        method: view.getUint16(at + 10, true),
        size: view.getUint32(at + 20, true),
      };
    at += 46 + named! + more! + said!;
  }
  return null;
}

async function inflated(file: Blob, { at, method, size }: Entry): Promise<string> {
  const head = await viewOf(file, at, at + 30);
  const start = at + 30 + head.getUint16(26, true) + head.getUint16(28, true);
  const bytes = file.slice(start, start + Math.min(size, MOST_BYTES));
  if (method === 0) return bytes.text();
  const reader = bytes.stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader();
  const decoder = new TextDecoder();
  let text = '';
  for (let read = await reader.read(); !read.done && text.length < MOST_BYTES; read = await reader.read())
    text += decoder.decode(read.value, { stream: true });
  void reader.cancel().catch(() => undefined);
  return text;
}

function namesIn(xml: string): SheetName[] | null {
  const sheets = [
    ...new DOMParser().parseFromString(xml, 'application/xml').getElementsByTagName('*'),
  ].filter(({ localName, parentElement }) => localName === 'sheet' && parentElement?.localName === 'sheets');
  const names = sheets.map((sheet) => ({
    name: sheet.getAttribute('name') ?? '',
    hidden: /hidden/i.test(sheet.getAttribute('state') ?? ''),
  }));
  return names.length > 0 ? names : null;
}

const PARTED = /[,，、;；\n]/;

/** A sheet as the option `sheets` names it: by its number where its name would be cut in two. */
const tokenOf = (names: SheetName[], at: number): string => {
  const { name } = names[at]!;
  return PARTED.test(name) || name.trim() !== name ? `${at + 1}` : name;
};

/** Which sheets the option names, from 0; empty are all that are not hidden. */
export function chosenOf(names: SheetName[], written: string): Set<number> {
  const whole = written.trim();
  const parts = names.some(({ name }) => name === whole)
    ? [whole]
    : whole.split(PARTED).map((part) => part.trim());
  const found = parts.filter(Boolean).map((part) => {
    const at = names.findIndex(({ name }) => name === part);
    return at >= 0 ? at : Number(part) - 1;
  });
  if (found.length > 0) return new Set(found.filter((at) => at in names));
  return new Set(names.flatMap(({ hidden }, at) => (hidden ? [] : [at])));
}

/** The option for these sheets: empty where they are all that are not hidden. */
export function writtenOf(names: SheetName[], chosen: Set<number>): string {
  const usual = names.every(({ hidden }, at) => chosen.has(at) !== hidden);
  if (usual) return '';
  return names.flatMap((_, at) => (chosen.has(at) ? [tokenOf(names, at)] : [])).join('，');
}
