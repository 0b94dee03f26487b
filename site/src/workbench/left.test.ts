import { expect, it } from 'vitest';
import { leftOf, leftWords, type Sample, sampled, spanText } from './left';

const at = (seconds: number, progress: number): Sample => ({ at: seconds * 1000, progress });
const told = (...samples: Sample[]) => samples.reduce<Sample[]>(sampled, []);

it('says nothing before it can know', () => {
  expect(leftOf([])).toBeNull();
  expect(leftOf(told(at(0, 0), at(2, 0.5)))).toBeNull();
  expect(leftOf(told(at(0, 0), at(10, 0.05)))).toBeNull();
  expect(leftOf(told(at(0, 0.5), at(10, 0.5)))).toBeNull();
});

it('goes by the pace of now', () => {
  expect(leftOf(told(at(0, 0), at(10, 0.5)))).toBeCloseTo(10_000);
  const slowStart = told(at(0, 0), at(60, 0.1), at(70, 0.5));
  expect(leftOf(slowStart)).toBeCloseTo(12_500);
});

it('is told in round numbers', () => {
  expect(leftWords(1200)).toEqual({ unit: 'almost', n: 0 });
  expect(leftWords(12_300)).toEqual({ unit: 'second', n: 15 });
  expect(leftWords(58_000)).toEqual({ unit: 'minute', n: 1 });
  expect(leftWords(3 * 3_600_000)).toEqual({ unit: 'hour', n: 3 });
  expect([spanText(1, 'minute', 'en'), spanText(15, 'second', 'en')]).toEqual(['1 minute', '15 seconds']);
  expect(spanText(2, 'minute', 'zh')).toBe('2分钟');
});
