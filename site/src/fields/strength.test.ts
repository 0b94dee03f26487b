import { expect, test } from 'vitest';
import { strengthOf } from './strength';

test.each([
  ['', 0],
  ['Ab1!x', 0], // five characters
  ['longbutonekind', 0],
  ['Password1', 0],
  ['P@ssw0rd123', 0],
  ['1qaz2wsx3edc', 0], // keys in a row
  ['woaini1314520', 0],
  ['Zhang19900101', 1], // a surname and a day
  ['a1a1a1a1a1', 0],
  ['纸鹤飞过湖面上空', 0], // one kind
  ['新年快乐2026', 0],
  ['纸鹤飞过湖2面', 1],
  ['kite7x', 0], // as short as may be: a million tries
  ['kite7xhill', 2],
  ['Kite7x hill over', 3],
])('%s is %i', async (password, strength) => {
  expect(await strengthOf(password)).toBe(strength);
});
