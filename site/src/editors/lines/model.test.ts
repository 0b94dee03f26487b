import { expect, test } from 'vitest';
import { doubtsIn, type Lines, lineAt, placesOf, say, sheetOf, straightened, wordsIn } from './model';

const box = [
  [10, 10],
  [110, 10],
  [110, 30],
  [10, 30],
] as const;
const read: Lines = {
  pages: [
    {
      width: 200,
      height: 100,
      turned: 0,
      paragraphs: [
        { lines: [{ text: '甲', score: 0.99, box }] },
        {
          lines: [
            { text: '乙', score: 0.5, box },
            { text: '丙', score: 0.95, box },
          ],
        },
      ],
      unread: [{ text: '', score: 0.3, box }],
    },
  ],
};

test('what was not read comes last, and is as doubtful as what was read unsurely', () => {
  expect(placesOf(read).map(({ paragraph, line }) => `${paragraph}.${line}`)).toEqual([
    '0.0',
    '1.0',
    '1.1',
    '2.0',
  ]);
  expect(doubtsIn(read).map(({ paragraph }) => paragraph)).toEqual([1, 2]);
});

test('what somebody says of a line is no doubt, and leaves what was read', () => {
  const said = say(
    say(read, { page: 0, paragraph: 1, line: 0 }, '乙'),
    { page: 0, paragraph: 2, line: 0 },
    '丁',
  );
  expect(doubtsIn(said)).toEqual([]);
  expect(lineAt(said, { page: 0, paragraph: 1, line: 0 })).toMatchObject({ text: '乙', said: '乙' });
  expect(wordsIn(lineAt(said, { page: 0, paragraph: 2, line: 0 })!)).toBe('丁');
  expect(doubtsIn(read)).toHaveLength(2);
  expect(say(said, { page: 0, paragraph: 1, line: 0 }, '乙')).toBe(said);
  expect(say(read, { page: 3, paragraph: 0, line: 0 }, '无')).toBe(read);
});

test('a line that leans is shown straight, one that runs down as it stands', () => {
  const sheet = sheetOf(read.pages[0]!, 0);
  const leaning = [
    [0, 0],
    [100, 10],
    [98, 30],
    [-2, 20],
  ] as const;
  const { sheet: straight, box: there } = straightened(sheet, { text: '', score: 1, box: leaning });
  expect(straight.lean).toBeCloseTo(Math.atan(0.1));
  expect(there[3] - there[1]).toBeCloseTo(20.1, 0);
  const down = [
    [20, 0],
    [20, 90],
    [0, 90],
    [0, 0],
  ] as const;
  expect(straightened(sheet, { text: '', score: 1, box: down })).toEqual({ sheet, box: [0, 0, 20, 90] });
});
