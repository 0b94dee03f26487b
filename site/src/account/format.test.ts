import { describe, expect, it } from 'vitest';
import { clockOf, dayOf, digitsOf, heldUntil, monthlyOf, monthlyText, pictureOf, priceOf } from './format';

describe('prices', () => {
  it('show fen only where there are some', () => {
    expect([1900, 1990, 5].map(priceOf)).toEqual(['¥19', '¥19.90', '¥0.05']);
  });

  it('by the month never promise less than is paid', () => {
    expect(monthlyOf(11800, 12)).toBe(990);
    expect(monthlyOf(11800, 12) * 12).toBeGreaterThanOrEqual(11800);
    expect([990, 1500].map(monthlyText)).toEqual(['¥9.9', '¥15']);
  });
});

it('takes the digits of what was typed or pasted', () => {
  expect(digitsOf(' 12 34-56 ')).toBe('123456');
  expect(digitsOf('１２３４５６７')).toBe('123456');
  expect(digitsOf('验证码 0042')).toBe('0042');
});

it('counts down to zero and no further', () => {
  expect([1_799_001, 65_000, 400, -1].map(clockOf)).toEqual(['30:00', '1:05', '0:01', '0:00']);
});

it('writes days as the reader does', () => {
  const day = new Date(2027, 10, 21, 12).getTime();
  expect(dayOf(day, 'zh')).toBe('2027年11月21日');
  expect(dayOf(day, 'en')).toBe('November 21, 2027');
});

it('makes a picture of an SVG that was meant for HTML', () => {
  const document = decodeURIComponent(
    pictureOf('<svg viewBox="0 0 9 9"><path d="M1 1"/></svg>').split(',')[1]!,
  );
  const parsed = new DOMParser().parseFromString(document, 'image/svg+xml');
  expect(parsed.documentElement.namespaceURI).toBe('http://www.w3.org/2000/svg');
});

it('holds a price for half an hour on a wrong clock too', () => {
  const minutes = (n: number) => n * 60_000;
  expect(heldUntil(minutes(130), minutes(100))).toBe(minutes(130));
  expect(heldUntil(minutes(110), minutes(100))).toBe(minutes(110));
  expect(heldUntil(minutes(130), minutes(200))).toBe(minutes(230));
  expect(heldUntil(minutes(130), minutes(10))).toBe(minutes(40));
});
