import type { Accepted } from './contract';

const text = (bytes: Uint8Array, from: number, to: number) =>
  String.fromCharCode(...bytes.subarray(from, to));

const startsWith = (bytes: Uint8Array, ...magic: number[]) =>
  magic.every((byte, index) => bytes[index] === byte);

/** A page, whatever its file is called: many programs export one as .doc. */
const HTML = /^(\s|\xef\xbb\xbf|<!--.*?-->|<\?.*?\?>)*<(!doctype html|html|head|body|meta)\b/is;

/** A drawing, after what may stand before it. */
const SVG = /^(\s|\xef\xbb\xbf|<!--.*?-->|<\?.*?\?>|<!doctype\s+svg[^>[]*(\[.*?\]\s*)?>)*<(\w+:)?svg\b/is;

/** Families of kinds that content alone tells apart in a file's first bytes; the likeliest kind first. */
const FAMILIES: { kinds: string[]; holds(bytes: Uint8Array): boolean }[] = [
  { kinds: ['pdf'], holds: (b) => text(b, 0, 1024).includes('%PDF-') },
  { kinds: ['jpg'], holds: (b) => startsWith(b, 0xff, 0xd8, 0xff) },
  { kinds: ['png'], holds: (b) => text(b, 1, 4) === 'PNG' },
  { kinds: ['gif'], holds: (b) => text(b, 0, 4) === 'GIF8' },
  { kinds: ['bmp'], holds: (b) => text(b, 0, 2) === 'BM' },
  { kinds: ['tiff'], holds: (b) => /^(II[*+]\0|MM\0[*+])/.test(text(b, 0, 4)) },
  { kinds: ['webp'], holds: (b) => text(b, 0, 4) === 'RIFF' && text(b, 8, 12) === 'WEBP' },
  {
    kinds: ['heic'],
    holds: (b) => text(b, 4, 8) === 'ftyp' && /^(hei[cx]|mif1|hevc|msf1)/.test(text(b, 8, 12)),
  },
  {
    kinds: ['docx', 'xlsx', 'pptx', 'odt', 'ods', 'odp', 'zip'],
    holds: (b) => startsWith(b, 0x50, 0x4b, 3, 4),
  },
  {
    kinds: ['doc', 'xls', 'ppt', 'ooxml_locked', 'office_broken'],
    holds: (b) => startsWith(b, 0xd0, 0xcf, 0x11, 0xe0),
  },
  { kinds: ['doc'], holds: (b) => startsWith(b, 0xdb, 0xa5, 0x2d, 0) },
  { kinds: ['rtf'], holds: (b) => text(b, 0, 5) === '{\\rtf' },
  { kinds: ['svg'], holds: (b) => SVG.test(text(b, 0, 1024)) },
  { kinds: ['html'], holds: (b) => HTML.test(text(b, 0, 1024)) },
];

/** Programs have given their names to whatever could be opened: pages, tables of text, files of the next version. */
const OLD = ['doc', 'xls'];

const SAMPLE = 1024;

export const extensionOf = (name: string): string => /\.[^.]+$/.exec(name)?.[0].toLowerCase() ?? '';

/**
 * The kind of the contract's `accepts` that takes the file, or null. The name proposes and the first
 * bytes decide: a picture named .png that is a JPEG is taken as the JPEG it is.
 */
export function kindFor(name: string, head: Uint8Array, accepts: Accepted[]): string | null {
  const family = FAMILIES.find(({ holds }) => holds(head));
  const named = accepts.filter(({ extensions }) => extensions.includes(extensionOf(name)));
  const anything = named.some(({ kind }) => OLD.includes(kind));
  const texts = (list: Accepted[]) =>
    list.find(({ kind }) => !FAMILIES.some(({ kinds }) => kinds.includes(kind)));
  if (!family) return (texts(named) ?? (anything ? texts(accepts) : undefined))?.kind ?? null;
  const fitting = (list: Accepted[]) =>
    family.kinds.find((kind) => list.some((each) => each.kind === kind)) ?? null;
  return fitting(named) ?? (anything || family.kinds.length === 1 ? fitting(accepts) : null);
}

export async function headOf(file: Blob): Promise<Uint8Array> {
  return new Uint8Array(await file.slice(0, SAMPLE).arrayBuffer());
}
