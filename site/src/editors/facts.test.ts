import { describe, expect, test } from 'vitest';
import { contract } from '../lib/contract';
import { isProofread } from './facts';

describe('what is corrected after a run', () => {
  test('only running text, of a tool that says so', () => {
    expect(isProofread('text', 'txt')).toBe(true);
    expect(isProofread('text', 'json')).toBe(false);
    expect(isProofread('table', 'txt')).toBe(false);
    expect(isProofread(null, 'txt')).toBe(false);
  });

  test('each tool of the contract says what its results are', () => {
    for (const { key, review, gives } of contract.tools)
      expect(review !== 'text' || gives.includes('txt'), key).toBe(true);
    expect(contract.tools.some(({ review }) => review === 'text')).toBe(true);
  });
});
