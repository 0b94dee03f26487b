import { expect, test } from 'vitest';
import type { FieldSchema } from './contract';
import { withoutPasswords } from './memory';

const SCHEMA: FieldSchema = {
  properties: { password: { type: 'string', ui: { widget: 'password' } }, pages: { type: 'string' } },
};

test('a password among the options does not outlive the page', () => {
  expect(withoutPasswords(SCHEMA, { password: 'secret', pages: '1-3' })).toEqual({
    password: '',
    pages: '1-3',
  });
});
