import { expect, it } from 'vitest';
import type { Accepted } from './contract';
import { kindFor } from './kinds';

const accept = (kind: string, ...extensions: string[]): Accepted => ({ kind, extensions, mime: [] });
const PDF = [accept('pdf', '.pdf')];
const PICTURES = [accept('jpg', '.jpg', '.jpeg'), accept('png', '.png')];
const WORD = [
  accept('docx', '.docx'),
  accept('doc', '.doc'),
  accept('txt', '.txt'),
  accept('html', '.html'),
  accept('office_broken', '.docx'),
  accept('ooxml_locked', '.docx'),
];
const EXCEL = [
  accept('xlsx', '.xlsx', '.et'),
  accept('xls', '.xls', '.et'),
  accept('csv', '.csv', '.tsv'),
  accept('txt', '.txt'),
  accept('html', '.html'),
];

const bytes = (...parts: (string | number)[]) =>
  Uint8Array.from(
    parts.flatMap((part) => (typeof part === 'number' ? [part] : [...part].map((c) => c.charCodeAt(0)))),
  );
const ZIP = bytes('PK', 3, 4);
const OLE = bytes(0xd0, 0xcf, 0x11, 0xe0);
const JPEG = bytes(0xff, 0xd8, 0xff, 0xe0);

it.each([
  ['a.pdf', bytes('%PDF-1.7'), PDF, 'pdf'],
  ['A.PDF', bytes('junk before\n%PDF-1.4'), PDF, 'pdf'],
  ['no-extension', bytes('%PDF-1.7'), PDF, 'pdf'],
  ['a.pdf', bytes('hello'), PDF, null],
  ['a.pdf', JPEG, PDF, null],
  ['photo.png', JPEG, PICTURES, 'jpg'],
  ['a.docx', ZIP, WORD, 'docx'],
  ['locked.docx', OLE, WORD, 'ooxml_locked'],
  ['old.doc', OLE, WORD, 'doc'],
  ['notes.txt', bytes('hello'), WORD, 'txt'],
  ['export.doc', bytes('<html xmlns:o="x">'), WORD, 'html'],
  ['word2.doc', bytes(0xdb, 0xa5, 0x2d, 0), WORD, 'doc'],
  ['a.zip', ZIP, WORD, null],
  ['a.docx', bytes('hello'), WORD, null],
  ['table.tsv', bytes('a\tb'), EXCEL, 'csv'],
  ['export.xls', bytes('a\tb'), EXCEL, 'csv'],
  ['export.xls', bytes('<table>'), EXCEL, 'csv'],
  ['export.xls', bytes('<html>'), EXCEL, 'html'],
  ['newer.xls', ZIP, EXCEL, 'xlsx'],
  ['wps.et', ZIP, EXCEL, 'xlsx'],
  ['wps.et', OLE, EXCEL, 'xls'],
  ['a.docx', ZIP, EXCEL, null],
])('%s', (name, head, accepts, kind) => {
  expect(kindFor(name, head, accepts)).toBe(kind);
});
