import { expect, it } from 'vitest';
import { leftText, momentText } from './time';
import { words } from './words';

const MINUTE = 60_000;

it('tells the time left as people say it', () => {
  const text = (minutes: number) => leftText(minutes * MINUTE, words.zh);
  expect([312.9, 720, 59.5, 1, 0.2, -3].map(text)).toEqual([
    '5 小时 12 分',
    '12 小时',
    '59 分钟',
    '1 分钟',
    '1 分钟',
    '1 分钟',
  ]);
  expect(leftText(312 * MINUTE, words.en)).toBe('5 h 12 min');
});

it('names today and, where it is another one, the year', () => {
  const now = new Date(2026, 10, 21, 15, 0).getTime();
  const text = (...when: [number, number, number]) =>
    momentText(new Date(...when, 14, 3).getTime(), 'zh', words.zh, now);
  expect(text(2026, 10, 21)).toBe('今天 14:03');
  expect(text(2026, 10, 20)).toBe('11月20日 14:03');
  expect(text(2025, 0, 2)).toBe('2025年1月2日 14:03');
});
