import { expect, test } from 'vitest';
import { strengthOf } from './strength';

test.each([
  ['', 0],
  ['Ab1!x', 0], // five characters
  ['longbutonekind', 0],
  ['Password1', 0],
  ['5201314', 0],
  ['a1a1a1a1a1', 0],
  ['纸鹤飞过湖面上空', 0], // one kind
  ['纸鹤飞过湖2面', 1],
  ['kite7x', 1],
  ['kite7xhill', 2],
  ['Kite7x hill over', 3],
])('%s is %i', (password, strength) => {
  expect(strengthOf(password)).toBe(strength);
});
