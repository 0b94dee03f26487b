import { act, useState } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ChosenFile, EditorProps, Json } from '../../workbench/contract';
import ArrangeEditor from '../arrange';
import PickEditor from '../pick';
import { boardWords } from './words';

vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);

let root: Root;
let place: HTMLElement;
let told: Json;

beforeEach(() => {
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe() {}
      disconnect() {}
    },
  );
  place = document.body.appendChild(document.createElement('div'));
  root = createRoot(place);
  told = {};
});

afterEach(() => {
  act(() => root.unmount());
  place.remove();
});

const file = (id: string, pages: number | null): ChosenFile => ({
  id,
  name: `${id}.pdf`,
  size: 1,
  kind: 'pdf',
  blob: null,
  key: null,
  pages,
});

/** The workbench, as far as an editor knows it. */
function Bench({ editor: Editor, files }: { editor: React.ComponentType<EditorProps>; files: ChosenFile[] }) {
  const [options, setOptions] = useState<Json>(told);
  told = options;
  return <Editor files={files} options={options} onChange={setOptions} lang="zh" />;
}

const show = (editor: React.ComponentType<EditorProps>, ...files: ChosenFile[]) =>
  act(() => root.render(<Bench editor={editor} files={files} />));

const press = (name: string) =>
  act(() => place.querySelector<HTMLElement>(`button[aria-label="${name}"]`)?.click());

const choose = (name: string) =>
  act(() => [...place.querySelectorAll('button')].find(({ textContent }) => textContent === name)?.click());

const run = (of: number, first: number, last: number, more = {}) => ({
  kind: 'pages',
  file: of,
  first,
  last,
  ...more,
});

test('arrange: pages that come with their file are no step, and stay when one goes back', () => {
  const unread = (id: string): ChosenFile => ({ ...file(id, 0), pages: null });
  show(ArrangeEditor, unread('a'), unread('b'));
  show(ArrangeEditor, file('a', 3), unread('b'));
  expect(place.querySelector<HTMLButtonElement>('button[aria-label="撤销"]')?.disabled).toBe(true);
  press('倒序');
  show(ArrangeEditor, file('a', 3), file('b', 2));
  expect(told).toEqual({ board: [run(0, 3, 1), run(1, 1, 2)] });
  press('撤销');
  expect(told).toEqual({ board: [run(0, 1, 3), run(1, 1, 2)] });
  press('重做');
  expect(told).toEqual({ board: [run(0, 3, 1), run(1, 1, 2)] });
});

test('arrange: a file whose pages nobody counted is told of, not that no page is left', () => {
  show(ArrangeEditor, file('a', null));
  expect(place.querySelector('.board-notice')?.textContent).toBe(boardWords('zh').absent);
  show(ArrangeEditor);
  expect(place.querySelector('.board-notice')?.textContent).toContain(boardWords('zh').emptyBoard);
});

test('arrange: what is done on the board is told as runs, and undone', () => {
  show(ArrangeEditor, file('a', 3), file('b', 2));
  const whole = [run(0, 1, 3), run(1, 1, 2)];
  expect(told).toEqual({ board: whole });
  press('倒序');
  expect(told).toEqual({ board: [run(1, 2, 1), run(0, 3, 1)] });
  press('空白页');
  press('左转');
  expect(told).toEqual({
    board: [run(1, 2, 1, { turn: 270 }), run(0, 3, 1, { turn: 270 }), { kind: 'blank', count: 1 }],
  });
  press('撤销');
  press('撤销');
  press('撤销');
  expect(told).toEqual({ board: whole });
  press('重做');
  expect(told).toEqual({ board: [run(1, 2, 1), run(0, 3, 1)] });
});

test('arrange: a new file comes to the end, one that goes takes its pages along', () => {
  show(ArrangeEditor, file('a', 3));
  press('倒序');
  show(ArrangeEditor, file('a', 3), file('b', 2));
  expect(told).toEqual({ board: [run(0, 3, 1), run(1, 1, 2)] });
  show(ArrangeEditor, file('b', 2));
  expect(told).toEqual({ board: [run(0, 1, 2)] });
});

test('arrange: the board that was left comes back', () => {
  told = { board: [run(0, 2, 1), { kind: 'blank', count: 1 }] };
  show(ArrangeEditor, file('a', 3));
  expect(told).toEqual({ board: [run(0, 2, 1), { kind: 'blank', count: 1 }] });
  press('倒序');
  expect(told).toEqual({ board: [{ kind: 'blank', count: 1 }, run(0, 1, 2)] });
});

test('pick: the choice is the page range, of all files alike', () => {
  show(PickEditor, file('a', 9), file('b', 4));
  choose('奇数页');
  expect(told).toEqual({ pages: 'odd' });
  choose('反选');
  expect(told).toEqual({ pages: 'even' });
  choose('全不选');
  expect(told).toEqual({ pages: '' });
  press('撤销');
  expect(told).toEqual({ pages: 'even' });
});
