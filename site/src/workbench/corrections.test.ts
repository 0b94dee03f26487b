import { beforeEach, expect, test, vi } from 'vitest';
import { begun, did, undone } from '../editors/board/history';
import type { Tables } from '../editors/table/model';

const tables = (text: string) =>
  ({ sheets: [], tables: [{ pages: [1], rows: 1, columns: 1, cells: [{ text }] }] }) as unknown as Tables;

/** The module as a page that was loaded again has it. */
const reloaded = async () => {
  vi.resetModules();
  return import('./corrections');
};

beforeEach(() => sessionStorage.clear());

test('corrections outlive a reload until they are written or the task goes', async () => {
  const [read, changed] = [tables('00111'), tables('O0lI1')];
  const before = await reloaded();
  before.correctionOf('k/a').set({ history: did(begun(read), changed), written: read });
  before.noteText('results/a', 'corrected');

  const after = await reloaded();
  expect(after.unwritten('k/a')).toEqual(changed);
  expect(after.unwritten('k/b')).toBeNull();
  expect(undone(after.correctionOf('k/a').get()!.history).now).toEqual(read);
  expect(after.correctedText('results/a')).toBe('corrected');

  after.noteWritten('k/a', after.unwritten('k/a')!);
  after.noteText('results/a', null);
  expect(sessionStorage).toHaveLength(0);
  after.noteText('results/a', 'again');
  after.forgetCorrections();
  expect((await reloaded()).correctedText('results/a')).toBeUndefined();
  expect(sessionStorage).toHaveLength(0);
});

test('a store that is full does not stop corrections', async () => {
  const full = vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError');
  });
  const { correctionOf, unwritten } = await reloaded();
  correctionOf('k/a').set({ history: did(begun(tables('1')), tables('2')), written: tables('1') });
  expect(unwritten('k/a')).toEqual(tables('2'));
  full.mockRestore();
});
