import { expect, test } from 'vitest';
import { cellsOf } from '../cells';
import { decoded, encodingOf, separatorOf, withoutSaid } from './textTable';
import { chosenOf, type SheetName, sheetNames, writtenOf } from './workbook';

const bytes = (...codes: number[]) => Uint8Array.from(codes);
const utf8 = (text: string) => new TextEncoder().encode(text);
/** 姓名,编号 and a line of 身份证 in GBK. */
const GBK = bytes(
  0xd0,
  0xd5,
  0xc3,
  0xfb,
  0x2c,
  0xb1,
  0xe0,
  0xba,
  0xc5,
  0x0a,
  0xd5,
  0xc5,
  0xc8,
  0xfd,
  0x2c,
  0x30,
  0x37,
);
/** 姓名,編號 in Big5. */
const BIG5 = bytes(0xa9, 0x6d, 0xa6, 0x57, 0x2c, 0xbd, 0x73, 0xb8, 0xb9, 0x0a);

test('the encoding is found as the server finds it', () => {
  expect(encodingOf(utf8('姓名,编号'))).toEqual({ encoding: 'utf8', sure: true });
  expect(encodingOf(utf8('姓名').subarray(0, 4))).toEqual({ encoding: 'utf8', sure: true });
  expect(encodingOf(GBK)).toEqual({ encoding: 'gb18030', sure: true });
  expect(decoded(GBK, 'gb18030')).toBe('姓名,编号\n张三,07');
  expect(encodingOf(BIG5)).toEqual({ encoding: 'big5', sure: false });
  expect(decoded(BIG5, 'big5')).toBe('姓名,編號\n');
  const wide = bytes(0xff, 0xfe, 0xd3, 0x59, 0x2c, 0);
  expect(encodingOf(wide)).toEqual({ encoding: 'utf16', sure: true });
  expect(decoded(wide, 'utf16')).toBe('姓,');
  expect(decoded(bytes(0xfe, 0xff, 0x59, 0xd3), 'utf16')).toBe('姓');
});

test('the separator is what cuts most rows alike', () => {
  expect(separatorOf('a;b;c\n1,5;2;3\n2,5;3;4')).toBe('semicolon');
  expect(separatorOf('a\tb\n1, x\t2')).toBe('tab');
  expect(separatorOf('one\ntwo')).toBe('comma');
  expect(separatorOf('sep=|\na|b')).toBe('pipe');
  expect(withoutSaid('sep=|\na|b')).toBe('a|b');
  expect(cellsOf('a|"b|c"|"say ""x"""\n5"|d', '|')).toEqual([
    ['a', 'b|c', 'say "x"'],
    ['5"', 'd'],
  ]);
  expect(cellsOf('a,b\n1,2\n3,4\n', ',', 2)).toEqual([
    ['a', 'b'],
    ['1', '2'],
  ]);
});

const NAMES: SheetName[] = [
  { name: '汇总', hidden: false },
  { name: '一,二', hidden: false },
  { name: '底稿', hidden: true },
];

test('sheets are chosen by name, or by number where a name would be cut', () => {
  expect([...chosenOf(NAMES, '')]).toEqual([0, 1]);
  expect(writtenOf(NAMES, new Set([0, 1]))).toBe('');
  expect(writtenOf(NAMES, new Set([1, 2]))).toBe('2，底稿');
  expect([...chosenOf(NAMES, '2，底稿')]).toEqual([1, 2]);
  expect([...chosenOf(NAMES, '一,二')]).toEqual([1]);
  expect([...chosenOf(NAMES, '9, x')]).toEqual([]);
});

test('what is no workbook has no sheets', async () => {
  expect(await sheetNames(new Blob(['PK']))).toBeNull();
  expect(await sheetNames(new Blob([new Uint8Array(200)]))).toBeNull();
});
