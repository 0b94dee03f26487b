import type { ToastOptions } from 'react-toastify';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { clampProgress, createNotify } from './notify';

const shown: { text: string; options: ToastOptions }[] = [];
let cleared = 0;

function fresh() {
  return createNotify(async () => ({
    show: (text, options) => shown.push({ text, options }),
    clear: () => {
      cleared += 1;
    },
  }));
}

beforeEach(() => {
  shown.length = 0;
  cleared = 0;
  vi.useFakeTimers();
  vi.stubGlobal('matchMedia', () => ({ matches: true }));
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it('clears the others before it shows a single toast', async () => {
  await fresh()('saved', { type: 'success' });
  expect(cleared).toBe(1);
  expect(shown[0]).toMatchObject({ text: 'saved', options: { type: 'success', autoClose: 1000 } });
});

it('drops a repetition within 390 ms', async () => {
  const notify = fresh();
  await notify('one');
  vi.advanceTimersByTime(389);
  expect(await notify('two')).toBeNull();
  vi.advanceTimersByTime(1);
  await notify('three');
  expect(shown.map(({ text }) => text)).toEqual(['one', 'three']);
});

it('lets several stand with `multiple`', async () => {
  const notify = fresh();
  await notify('one', { multiple: true });
  await notify('two', { multiple: true });
  expect(shown).toHaveLength(2);
  expect(cleared).toBe(0);
});

it('clamps progress to 0..1', async () => {
  expect([clampProgress(-1), clampProgress(0.4), clampProgress(3)]).toEqual([0, 0.4, 1]);
  await fresh()('up', { progress: 7 });
  expect(shown[0]?.options.progress).toBe(1);
});

it('keeps a loading toast open and follows the dark theme', async () => {
  await fresh()('wait', { type: 'loading' });
  expect(shown[0]?.options).toMatchObject({ isLoading: true, autoClose: false, theme: 'dark' });
});
