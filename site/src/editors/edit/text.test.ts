import { describe, expect, test } from 'vitest';
import samples from '../../../../tests/samples/wrap.json';
import { type Piece, pieceOf } from '../pdf/text';
import { advance, type Printed } from '../place/advances';
import { joined } from '../place/TextLayer';
import type { Preset } from './acts';
import { foundIn, isIdCard, luhn, partOf } from './find';
import { fieldOf } from './fields';
import { inksIn } from './inks';
import { linesOf, upright } from './lines';
import { isUnseen, lockedBy } from './locked';
import { wrapped } from './wrap';

const piece = (text: string, x: number, y: number, width: number, more: Partial<Piece> = {}): Piece => ({
  text,
  box: [x, y, width, 12],
  angle: 0,
  size: 12,
  family: 'sans',
  bold: false,
  ends: false,
  ...more,
});

describe('words in a box', () => {
  test.each(samples.wrap)('$text in $width at $size', ({ text, width, size, font, bold, lines }) => {
    const measure = (letter: string) => advance(letter, font as Printed, bold) ?? 0.5;
    expect(wrapped(text, width / size, measure)).toEqual(lines);
  });

  test('nothing is lost and no line is too long, but for a letter wider than the box', () => {
    const text =
      '合同编号 HT-2026-0815，甲方：北京纸鹤科技有限公司（以下简称“甲方”）. Supercalifragilistic words!';
    for (let width = 24; width < 300; width += 7) {
      const measure = (letter: string) => advance(letter, 'sans', false) ?? 0.5;
      const lines = wrapped(text, width / 10, measure);
      expect(lines.join('').replaceAll(' ', '')).toBe(text.replaceAll(' ', ''));
      for (const line of lines) {
        const wide = [...line].reduce((sum, letter) => sum + measure(letter), 0);
        expect(wide * 10 <= width + 0.01 || [...line].length === 1, `${width}: ${line}`).toBe(true);
      }
    }
  });
});

describe('text as it is seen', () => {
  const item = {
    str: '合同',
    transform: [12, 0, 0, 12, 100, 700],
    width: 24,
    height: 12,
    fontName: 'f',
    hasEOL: false,
  };
  const style = { ascent: 0.8, descent: -0.2, fontFamily: 'sans-serif', vertical: false };

  test('upright, with the page turned and doubled by its unit', () => {
    const flat = pieceOf(item, style, [1, 0, 0, -1, 0, 842]);
    expect(flat.box.map((value) => Math.round(value * 10) / 10)).toEqual([100, 132.4, 24, 12]);
    expect(flat.angle).toBe(0);
    const doubled = pieceOf(item, style, [2, 0, 0, -2, 0, 1684]);
    expect([doubled.box[2], doubled.size]).toEqual([48, 24]);
  });

  test('a page turned by a quarter shows its text turned clockwise', () => {
    const turned = pieceOf(item, style, [0, 1, 1, 0, 0, 0]);
    expect(turned.angle).toBe(-90);
    const [x, y, width, height] = upright(turned.box, turned.angle);
    expect([width, height].map(Math.round)).toEqual([12, 24]);
    expect(Math.round(y)).toBe(100);
    expect(x).toBeGreaterThan(690);
  });
});

describe('lines', () => {
  test('pieces on one baseline are a line; cells of a table stay apart', () => {
    const lines = linesOf([
      piece('甲方：', 50, 100, 36),
      piece('北京公司', 86, 100, 48),
      piece('乙方', 300, 100, 24),
      piece('第二行', 50, 120, 36),
    ]);
    expect(lines.map(({ text }) => text)).toEqual(['甲方：北京公司', '乙方', '第二行']);
    expect(lines[0]?.box).toEqual([50, 100, 84, 12]);
  });

  test('a gap between words is a blank, blanks of the file count once', () => {
    expect(linesOf([piece('one', 50, 10, 20), piece('two', 75, 10, 20)])[0]?.text).toBe('one two');
    expect(linesOf([piece('one ', 50, 10, 22), piece('two', 75, 10, 20)])[0]?.text).toBe('one two');
  });
});

describe('finding', () => {
  const page = (...texts: string[]) =>
    texts.map((text, at) => piece(text, 50, 100 + at * 20, text.length * 12, { ends: true }));
  const search = { terms: [] as string[], presets: [] as Preset[], case: false, word: false };
  const texts = (pieces: Piece[], more: Partial<typeof search>) =>
    foundIn(pieces, 1, { ...search, ...more }).map(({ text }) => text);

  test('Chinese runs on over the end of a line, and has a box on each', () => {
    const [hit] = foundIn(page('甲方为北京纸', '鹤科技公司'), 2, { ...search, terms: ['纸鹤科技'] });
    expect([hit?.text, hit?.page, hit?.boxes.length]).toEqual(['纸鹤科技', 2, 2]);
    expect(hit?.boxes[0]?.[0]).toBeCloseTo(50 + 5 * 12, 0);
  });

  test('case and whole words as asked; letters of patterns mean themselves', () => {
    const pieces = page('Rent rental RENT (a.b)');
    expect(texts(pieces, { terms: ['rent'] })).toEqual(['Rent', 'rent', 'RENT']);
    expect(texts(pieces, { terms: ['rent'], word: true })).toEqual(['Rent', 'RENT']);
    expect(texts(pieces, { terms: ['RENT'], case: true })).toEqual(['RENT']);
    expect(texts(pieces, { terms: ['a.b', '('] })).toEqual(['(', 'a.b']);
    expect(texts(page('the rapist'), { terms: ['therapist'] })).toEqual([]);
  });

  test('numbers hold only with their check digits', () => {
    const pieces = page(
      '身份证 11010519491231002X，错号 110105194912310021',
      '手机 138 0013 8000、+8613800138000，单号 913800138000',
      '卡号 6222 0212 3456 7894 不是 6222 0212 3456 7890',
      '邮箱 li.si@example.com.cn',
    );
    expect(texts(pieces, { presets: ['id_card'] })).toEqual(['11010519491231002X']);
    expect(texts(pieces, { presets: ['phone'] })).toEqual(['138 0013 8000', '+8613800138000']);
    expect(texts(pieces, { presets: ['email'] })).toEqual(['li.si@example.com.cn']);
    expect(isIdCard('11010519491331002X')).toBe(false);
    expect([luhn('4111111111111111'), luhn('4111111111111112'), luhn('0000000000000000')]).toEqual([
      true,
      false,
      false,
    ]);
    expect(texts(page('4111 1111 1111 1111'), { presets: ['bank_card'] })).toEqual(['4111 1111 1111 1111']);
  });

  test('a hit in turned text has its upright box', () => {
    const turned = piece('abcd', 100, 100, 48, { angle: 90 });
    const [x, y, width, height] = partOf(turned, [0, 1]);
    expect([Math.round(width), height > width]).toEqual([12, true]);
    expect(y).toBeGreaterThan(100);
    expect(x + width / 2).toBeCloseTo(124, 0);
  });
});

describe('what was selected', () => {
  test('boxes side by side are one, lines are not', () => {
    expect(
      joined([
        [10, 10, 20, 10],
        [31, 10.5, 20, 10],
        [10, 24, 40, 10],
      ]),
    ).toEqual([
      [10, 10, 41, 10.5],
      [10, 24, 40, 10],
    ]);
  });
});

describe('paper and ink', () => {
  test('the most frequent colour, and the one farthest from it', () => {
    const data = new Uint8ClampedArray(100 * 4).fill(250);
    for (let at = 0; at < 20; at += 1) data.set([200, 16, 46, 255], at * 4);
    for (let at = 20; at < 30; at += 1) data.set([225, 130, 140, 255], at * 4);
    expect(inksIn({ data, width: 10, height: 10 })).toEqual({ paper: '#fafafa', ink: '#c8102e' });
  });
});

describe('fields', () => {
  const shared = { subtype: 'Widget', fieldName: 'a', rect: [] };

  test('what can be filled, and how; buttons and locked fields are left', () => {
    expect(
      fieldOf({ ...shared, fieldType: 'Tx', fieldValue: '张三', comb: true, maxLen: 5 }, [1, 2, 30, 10]),
    ).toMatchObject({
      kind: 'text',
      value: '张三',
      most: 5,
      comb: true,
    });
    expect(
      fieldOf(
        { ...shared, fieldType: 'Btn', checkBox: true, fieldValue: 'Off', exportValue: 'Yes' },
        [1, 2, 9, 9],
      ),
    ).toMatchObject({
      kind: 'check',
      value: false,
      button: 'Yes',
    });
    expect(
      fieldOf(
        { ...shared, fieldType: 'Btn', radioButton: true, fieldValue: 'b', buttonValue: 'b' },
        [1, 2, 9, 9],
      ),
    ).toMatchObject({ kind: 'radio', value: 'b', button: 'b' });
    const bare = { ...shared, fieldType: 'Btn', radioButton: true, fieldValue: null, buttonValue: null };
    expect(fieldOf({ ...bare, id: '12R' }, [1, 2, 9, 9])).toMatchObject({ value: false, button: '12R' });
    expect(fieldOf({ ...bare, id: 'annot_p0_1' }, [1, 2, 9, 9])).toMatchObject({ value: false, button: '' });
    const options = [{ exportValue: '1', displayValue: '男' }];
    expect(fieldOf({ ...shared, fieldType: 'Ch', options, fieldValue: ['1'] }, [1, 2, 9, 9])).toMatchObject({
      kind: 'list',
      value: ['1'],
    });
    expect(
      fieldOf({ ...shared, fieldType: 'Ch', combo: true, options, fieldValue: ['1'] }, [1, 2, 9, 9]),
    ).toMatchObject({
      kind: 'choice',
      value: '1',
    });
    expect(fieldOf({ ...shared, fieldType: 'Btn', pushButton: true }, [1, 2, 9, 9])).toBeNull();
    expect(fieldOf({ ...shared, fieldType: 'Tx', readOnly: true }, [1, 2, 9, 9])).toBeNull();
  });
});

describe('lines that cannot be changed', () => {
  const ground = { unseen: false, drawings: new Set(['g_d0_f3']) };

  test('say why: unseen words, drawn letters, letters that mean nothing', () => {
    expect(lockedBy({ text: 'Rent', fonts: ['g_d0_f1'] }, ground)).toBeNull();
    expect(lockedBy({ text: 'AA', fonts: ['g_d0_f1', 'g_d0_f3'] }, ground)).toBe('text_drawn');
    expect(lockedBy({ text: '\u0001\u0012', fonts: [] }, ground)).toBe('text_unknown');
    expect(lockedBy({ text: 'Rent' }, { ...ground, unseen: true })).toBe('text_pictured');
  });

  test('a page is unseen only where every word is', () => {
    const ops = { save: 1, restore: 2, setTextRenderingMode: 3, showText: 4 };
    expect(isUnseen([1, 3, 4, 2], [null, [3], [], null], ops)).toBe(true);
    expect(isUnseen([1, 3, 4, 2, 4], [null, [3], [], null, []], ops)).toBe(false);
    expect(isUnseen([1, 2], [null, null], ops)).toBe(false);
  });
});
