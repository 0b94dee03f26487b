import { describe, expect, test } from 'vitest';
import type { FieldSchema } from '../workbench/contract';
import { problemsOf, visibleOptions } from './checks';
import { file, SPLIT } from './sample';
import { branchDefaults, branchesOf, choicesOf, defaultsOf } from './schema';

const zh = { files: [file('合同.pdf', 10)], lang: 'zh' as const };

describe('defaultsOf', () => {
  test('fills every field, and a union default from its branch', () => {
    expect(defaultsOf(SPLIT)).toEqual({
      mode: { how: 'every', pages: 2 },
      format: 'png',
      quality: 80,
      target: null,
      clicks: null,
    });
  });

  test('a required field starts empty, a required number at its least', () => {
    const schema: FieldSchema = {
      properties: { text: { type: 'string' }, dpi: { type: 'integer', minimum: 72 } },
    };
    expect(defaultsOf(schema)).toEqual({ text: '', dpi: 72 });
  });

  test('another branch brings its own defaults', () => {
    const mode = SPLIT.properties?.mode as FieldSchema;
    expect(branchDefaults(mode, SPLIT, 'ranges')).toEqual({ how: 'ranges', ranges: '' });
    expect(branchesOf(mode, SPLIT).map(({ value, title }) => [value, title?.zh])).toEqual([
      ['ranges', '按范围'],
      ['every', '每 N 页'],
    ]);
  });
});

test('choices keep the order of the enum and its types', () => {
  const turn: FieldSchema = {
    anyOf: [{ type: 'integer', enum: [2, 1] }, { type: 'null' }],
    ui: {
      choices: { '1': { zh: '左', en: 'L' }, '2': { zh: '右', en: 'R' }, null: { zh: '无', en: 'None' } },
    },
  };
  expect(choicesOf(turn, turn, 'zh')).toEqual([
    [null, '无'],
    [2, '右'],
    [1, '左'],
  ]);
});

describe('problemsOf', () => {
  const value = { mode: { how: 'every', pages: 2 }, format: 'png', quality: 80, target: null, clicks: null };

  test('the defaults are fine', () => {
    expect(problemsOf(SPLIT, defaultsOf(SPLIT), zh)).toEqual({});
  });

  test.each([
    [
      'below a minimum, in a branch',
      { ...value, mode: { how: 'every', pages: 0 } },
      'mode.pages',
      '不能小于 1',
    ],
    ['with the unit', { ...value, target: 5 }, 'target', '不能小于 10 KB'],
    ['not whole', { ...value, target: 10.5 }, 'target', '请输入整数'],
    ['above a maximum', { ...value, format: 'jpg', quality: 101 }, 'quality', '不能大于 100'],
    [
      'a range beyond the end',
      { ...value, mode: { how: 'ranges', ranges: '8-12' } },
      'mode.ranges',
      '共 10 页',
    ],
  ])('%s', (_, wrong, path, sentence) => {
    const problems = problemsOf(SPLIT, wrong, zh);
    expect(Object.keys(problems)).toEqual([path]);
    expect(problems[path]).toContain(sentence);
  });

  test('blank where something must stand is missing, not malformed', () => {
    const schema: FieldSchema = { properties: { text: { type: 'string', pattern: '\\S' } } };
    expect(problemsOf(schema, { text: ' ' }, zh)).toEqual({ text: '请填写此项' });
  });

  test('a field hidden by its condition is not judged', () => {
    expect(problemsOf(SPLIT, { ...value, quality: 0 }, zh)).toEqual({});
  });

  test('a range is checked against each file, and the short one is named', () => {
    const context = {
      lang: 'zh' as const,
      files: [file('长.pdf', 10), file('短.pdf', 3), file('图.png', null)],
    };
    const problems = problemsOf(SPLIT, { ...value, mode: { how: 'ranges', ranges: '5' } }, context);
    expect(problems['mode.ranges']).toContain('短.pdf');
  });

  test('with no page count known only the grammar is judged', () => {
    const context = { lang: 'zh' as const, files: [file('a.pdf', null)] };
    expect(problemsOf(SPLIT, { ...value, mode: { how: 'ranges', ranges: '8000-' } }, context)).toEqual({});
    const wrong = problemsOf(SPLIT, { ...value, mode: { how: 'ranges', ranges: '1-2-3' } }, context);
    expect(Object.keys(wrong)).toEqual(['mode.ranges']);
  });
});

test('visibleOptions leaves out what a condition hides', () => {
  const value = {
    mode: { how: 'every', pages: 3 },
    format: 'png',
    quality: 5,
    target: null,
    clicks: [{ page: 1 }],
  };
  expect(visibleOptions(SPLIT, value)).toEqual({
    mode: { how: 'every', pages: 3 },
    format: 'png',
    target: null,
    clicks: [{ page: 1 }],
  });
});
