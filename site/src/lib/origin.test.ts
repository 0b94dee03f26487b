import { expect, test } from 'vitest';
import { publicOrigin } from '../../scripts/origin.mjs';

const NAME = 'PAPERCRANE_API_PUBLIC_URL';
const production = (url?: string) => ({ PAPERCRANE_ENV: 'production', ...(url && { [NAME]: url }) });

test.each([
  ['https://example.com', 'https://example.com'],
  ['https://example.com/', 'https://example.com'],
  ['https://example.com:8443', 'https://example.com:8443'],
])('%s is the origin %s', (given, origin) => {
  expect(publicOrigin(production(given))).toBe(origin);
  expect(publicOrigin({ [NAME]: given })).toBe(origin);
});

test.each([
  undefined,
  'http://example.com',
  'example.com',
  'https://example.com/site',
  'https://example.com?a',
  'https://user@example.com',
  'HTTPS://EXAMPLE.COM',
  'ftp://example.com',
])('a production build stops with %s', (given) => {
  expect(() => publicOrigin(production(given))).toThrow(NAME);
});

test('a developer needs no setting, and may name a plain http one', () => {
  expect(publicOrigin({})).toBe('http://localhost:8000');
  expect(publicOrigin({ [NAME]: 'http://192.168.1.5:8000' })).toBe('http://192.168.1.5:8000');
  expect(() => publicOrigin({ [NAME]: 'somewhere' })).toThrow(NAME);
});
