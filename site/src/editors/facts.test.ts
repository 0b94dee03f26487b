import { describe, expect, test } from 'vitest';
import { contract } from '../lib/contract';
import { proofreadOf } from './facts';

describe('what is corrected after a run', () => {
  test('running text and tables, each of a tool that says so', () => {
    expect(proofreadOf('text', 'txt')).toBe('text');
    expect(proofreadOf('text', 'md')).toBe('text');
    expect(proofreadOf('text', 'json')).toBeNull();
    expect(proofreadOf('lines', 'docx')).toBe('lines');
    expect(proofreadOf('table', 'docx')).toBeNull();
    expect(['xlsx', 'csv', 'md', 'html', 'json'].map((kind) => proofreadOf('table', kind))).toEqual(
      Array(5).fill('table'),
    );
    expect(proofreadOf('table', 'txt')).toBeNull();
    expect(proofreadOf(null, 'xlsx')).toBeNull();
  });

  test('each tool of the contract says what its results are, and gives data beside tables', () => {
    const needed = { text: 'txt', lines: 'json', table: 'json' };
    for (const { key, review, gives, options } of contract.tools) {
      if (!review) continue;
      expect(gives, key).toContain(needed[review]);
      expect(Object.keys(options.properties ?? {}), key).toContain('corrected');
    }
    expect(new Set(contract.tools.map(({ review }) => review))).toEqual(
      new Set([null, 'text', 'lines', 'table']),
    );
  });
});
