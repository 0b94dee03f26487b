import { expect, it } from 'vitest';
import { fitIn, isEnd, stepped } from './zoom';

const A4 = { width: 793, height: 1122 };

it('shows a page as wide as a phone', () => {
  expect(fitIn(A4, { width: 390, height: 200 })).toBeCloseTo(390 / 793);
});

it('shows the whole page on a desktop, unless it became a stamp', () => {
  expect(fitIn(A4, { width: 1000, height: 900 })).toBeCloseTo(900 / 1122);
  expect(fitIn(A4, { width: 1000, height: 300 })).toBeCloseTo(500 / 793);
});

it('steps from what is shown, and stops at the ends', () => {
  expect(stepped(0.62, 1)).toBe(0.75);
  expect(stepped(0.62, -1)).toBe(0.5);
  expect(stepped(1, 1)).toBe(1.25);
  expect(stepped(4, 1)).toBe(4);
  expect([isEnd(4, 1), isEnd(3, 1), isEnd(0.25, -1)]).toEqual([true, false, true]);
});
