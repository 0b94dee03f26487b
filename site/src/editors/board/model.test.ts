import { describe, expect, test } from 'vitest';
import { begun, did, type History, redone, STEPS, typed, undone } from './history';
import {
  allOf,
  arrived,
  type Board,
  cutToggled,
  duplicated,
  EMPTY,
  type Ids,
  inserted,
  isBlank,
  type Leaf,
  moved,
  type Origin,
  pagesOf,
  removed,
  reversed,
  sumOf,
  type Turn,
  turned,
  upright,
} from './model';
import { type Run, boardOf, runsOf } from './runs';

const FILES = ['合同', 'b', 'c'];
const TURNS: readonly Turn[] = [0, 90, 180, 270];
const five = inserted(EMPTY, 0, pagesOf('合同', 5));
const idsAt = ({ leaves }: Board, ...places: number[]): Ids =>
  new Set(places.map((place) => leaves[place - 1]?.id as number));
const told = ({ leaves }: Board) =>
  leaves.map(
    (leaf) => `${isBlank(leaf) ? '□' : leaf.page}${leaf.turn ? `@${leaf.turn}` : ''}${leaf.cut ? '|' : ''}`,
  );

describe('a file that is read', () => {
  const pages = ({ leaves }: Board) =>
    leaves.map((leaf) => (isBlank(leaf) ? '□' : `${leaf.file}${leaf.page}`));
  const ab = (first: Board) => arrived(first, 'b', 2, FILES);

  test('stands where its place among the files is, whichever was read first', () => {
    const late = arrived(arrived(EMPTY, 'c', 2, FILES), '合同', 1, FILES);
    expect(pages(ab(late))).toEqual(['合同1', 'b1', 'b2', 'c1', 'c2']);
  });

  test('comes to the end of what somebody laid out', () => {
    const laid = inserted(arrived(EMPTY, 'c', 2, FILES), 2, [{ blank: 'previous' }]);
    expect(pages(ab(laid))).toEqual(['c1', 'c2', '□', 'b1', 'b2']);
  });
});

describe('acts', () => {
  test('moving takes the chosen together, to before a place as it is now', () => {
    expect(told(moved(five, idsAt(five, 1, 3), 4))).toEqual(['2', '4', '1', '3', '5']);
    expect(told(moved(five, idsAt(five, 4, 5), 0))).toEqual(['4', '5', '1', '2', '3']);
    expect(told(moved(five, idsAt(five, 2), 2))).toEqual(['1', '2', '3', '4', '5']);
    expect(told(moved(five, idsAt(five, 2), 99))).toEqual(['1', '3', '4', '5', '2']);
  });

  test('turns add up and four make none', () => {
    const once = turned(five, idsAt(five, 2), 270);
    expect(told(once)).toEqual(['1', '2@270', '3', '4', '5']);
    expect(told(turned(once, idsAt(once, 2), 90))).toEqual(told(five));
    expect(told(upright(once, allOf(once)))).toEqual(told(five));
  });

  test('a copy lies right after its page, turned like it', () => {
    const copied = duplicated(turned(five, idsAt(five, 2), 90), idsAt(five, 2, 5));
    expect(told(copied)).toEqual(['1', '2@90', '2@90', '3', '4', '5', '5']);
    expect(new Set(copied.leaves.map(({ id }) => id)).size).toBe(7);
  });

  test('cuts: none after the last, taken back by a second, kept by the page before one that goes', () => {
    expect(cutToggled(five, five.leaves.at(-1)?.id ?? 0)).toBe(five);
    const cut = cutToggled(five, 2);
    expect(told(cut)).toEqual(['1', '2|', '3', '4', '5']);
    expect(told(cutToggled(cut, 2))).toEqual(told(five));
    expect(told(removed(cut, idsAt(cut, 2)))).toEqual(['1|', '3', '4', '5']);
    expect(told(removed(cut, idsAt(cut, 3, 4, 5)))).toEqual(['1', '2']);
    expect(told(duplicated(cut, idsAt(cut, 2)))).toEqual(['1', '2', '2|', '3', '4', '5']);
  });

  test('pages of another file and blanks are put in at a place', () => {
    const more = inserted(five, 2, [{ blank: 'previous' }, { file: 'b', page: 9, turn: 180 }]);
    expect(told(more)).toEqual(['1', '2', '□', '9@180', '3', '4', '5']);
    expect(told(inserted(five, -1, [{ blank: 'previous' }]))[0]).toBe('□');
  });

  test('the chosen change places among themselves when they are reversed', () => {
    expect(told(reversed(five, allOf(five)))).toEqual(['5', '4', '3', '2', '1']);
    expect(told(reversed(five, idsAt(five, 1, 4)))).toEqual(['4', '2', '3', '1', '5']);
  });
});

describe('runs', () => {
  test('say a board in few words', () => {
    const board = inserted(removed(five, idsAt(five, 3)), 4, [
      { blank: 'previous' },
      { blank: 'previous' },
      { blank: { width: 595, height: 842 } },
      ...pagesOf('b', 3).reverse(),
    ]);
    const wanted: Run[] = [
      { kind: 'pages', file: 0, first: 1, last: 2 },
      { kind: 'pages', file: 0, first: 4, last: 5 },
      { kind: 'blank', count: 2 },
      { kind: 'blank', count: 1, width: 595, height: 842 },
      { kind: 'pages', file: 1, first: 3, last: 1 },
    ];
    expect(runsOf(board.leaves, FILES)).toEqual(wanted);
    expect(boardOf(wanted, FILES).leaves.map(meant)).toEqual(board.leaves.map(meant));
  });

  test('20,000 pages, some turned and moved, are less than a kilobyte', () => {
    const many = inserted(EMPTY, 0, pagesOf('合同', 20_000));
    const chosen = new Set(many.leaves.slice(9000, 10_000).map(({ id }) => id));
    const runs = runsOf(turned(moved(many, chosen, 0), chosen, 90).leaves, FILES);
    expect(JSON.stringify(runs).length).toBeLessThan(1000);
    expect(boardOf(runs, FILES).leaves.length).toBe(20_000);
  });

  test('every second page of 20,000 is one run, down and turned as well', () => {
    const many = inserted(EMPTY, 0, pagesOf('b', 20_000));
    const odd = removed(many, new Set(many.leaves.flatMap(({ id }, index) => (index % 2 ? [id] : []))));
    expect(runsOf(odd.leaves, FILES)).toEqual([{ kind: 'pages', file: 1, first: 1, last: 19_999, step: 2 }]);
    const down = turned(reversed(odd, allOf(odd)), allOf(odd), 90);
    expect(runsOf(down.leaves, FILES)).toEqual([
      { kind: 'pages', file: 1, first: 19_999, last: 1, step: 2, turn: 90 },
    ]);
  });

  test('a page twice is two runs, blanks are told by the thousand', () => {
    const twice = duplicated(five, idsAt(five, 5));
    expect(runsOf(twice.leaves, FILES).length).toBe(2);
    const blanks = inserted(
      EMPTY,
      0,
      Array.from({ length: 1500 }, () => ({ blank: 'previous' as const })),
    );
    expect(runsOf(blanks.leaves, FILES)).toEqual([
      { kind: 'blank', count: 1000 },
      { kind: 'blank', count: 500 },
    ]);
  });

  test('files that went take their pages along', () => {
    const board = inserted(five, 5, pagesOf('gone', 2));
    expect(runsOf(board.leaves, FILES)).toEqual(runsOf(five.leaves, FILES));
    expect(boardOf([{ kind: 'pages', file: 7, first: 1, last: 3 }], FILES)).toEqual(EMPTY);
  });
});

/** What a leaf stands for, without its id and its cut. */
const meant = ({ id: _, cut: __, ...leaf }: Leaf) => leaf;

/** The same numbers every time: a failure comes again. */
function dice(seed: number) {
  let state = seed;
  return (below: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

type Roll = ReturnType<typeof dice>;

const origin = (roll: Roll): Origin & { turn: Turn } => {
  const turn = TURNS[roll(4)] ?? 0;
  if (roll(5) > 0) return { file: FILES[roll(3)] ?? '', page: 1 + roll(9), turn };
  return { blank: roll(2) > 0 ? 'previous' : { width: 100 + roll(2), height: 200 }, turn: 0 };
};

const some = (roll: Roll, { leaves }: Board): Ids =>
  new Set(leaves.flatMap(({ id }) => (roll(3) === 0 ? [id] : [])));

/** Any act on any of the leaves. */
function anyAct(roll: Roll, board: Board): Board {
  const ids = some(roll, board);
  const place = roll(board.leaves.length + 1);
  const acts = [
    () => turned(board, ids, TURNS[1 + roll(3)] ?? 90),
    () => upright(board, ids),
    () => cutToggled(board, board.leaves[roll(Math.max(1, board.leaves.length))]?.id ?? 0),
    () => moved(board, ids, place),
    () => duplicated(board, ids.size > 20 ? new Set() : ids),
    () => removed(board, ids),
    () =>
      inserted(
        board,
        place,
        Array.from({ length: 1 + roll(4) }, () => origin(roll)),
      ),
    () => reversed(board, ids),
  ];
  return acts[roll(acts.length)]?.() ?? board;
}

const GAMES = Array.from({ length: 200 }, (_, seed) => seed);

describe('after any acts at all', () => {
  test.each([
    [
      'each leaf has an id of its own, below the next',
      ({ leaves, next }: Board) => {
        expect(new Set(leaves.map(({ id }) => id)).size).toBe(leaves.length);
        expect(leaves.every(({ id }) => id < next)).toBe(true);
      },
    ],
    [
      'there is no cut after the last leaf',
      ({ leaves }: Board) => {
        expect(leaves.length > 1 || !leaves.some(({ cut }) => cut)).toBe(true);
      },
    ],
    [
      'runs tell the whole board',
      ({ leaves }: Board) => {
        const runs = JSON.parse(JSON.stringify(runsOf(leaves, FILES)));
        expect(boardOf(runs, FILES).leaves.map(meant)).toEqual(
          leaves.map((leaf) => (isBlank(leaf) ? { ...meant(leaf), turn: 0 } : meant(leaf))),
        );
      },
    ],
    [
      'moving, turning and reversing lose and add nothing',
      (board: Board) => {
        const roll = dice(board.next);
        const [ids, place] = [some(roll, board), roll(board.leaves.length + 1)];
        for (const next of [moved(board, ids, place), reversed(board, ids), turned(board, ids, 90)]) {
          expect([...allOf(next)].sort()).toEqual([...allOf(board)].sort());
        }
        expect(reversed(reversed(board, ids), ids)).toEqual(board);
        const back = turned(turned(board, ids, 90), ids, 270);
        expect(back).toEqual(board);
      },
    ],
    [
      'what moves lies together, before what it was dropped on',
      (board: Board) => {
        const roll = dice(board.next + 1);
        const [ids, place] = [some(roll, board), roll(board.leaves.length + 1)];
        const target = board.leaves.slice(place).find(({ id }) => !ids.has(id));
        const order = moved(board, ids, place).leaves.map(({ id }) => id);
        const taken = board.leaves.filter(({ id }) => ids.has(id)).map(({ id }) => id);
        const end = target ? order.indexOf(target.id) : order.length;
        expect(order.slice(end - taken.length, end)).toEqual(taken);
      },
    ],
    [
      'a copy is a page more for each, a removal one fewer',
      (board: Board) => {
        const ids = some(dice(board.next + 2), board);
        expect(duplicated(board, ids).leaves.length).toBe(board.leaves.length + ids.size);
        expect(removed(board, ids).leaves.length).toBe(board.leaves.length - ids.size);
      },
    ],
  ])('%s', (_, holds) => {
    for (const seed of GAMES) {
      const roll = dice(seed);
      let board = five;
      for (let act = 0; act < 12; act += 1) {
        board = anyAct(roll, board);
        if (board.leaves.length > 60)
          board = removed(board, new Set(board.leaves.slice(30).map(({ id }) => id)));
        holds(board);
      }
    }
  });

  test('no act changes the board it was given', () => {
    for (const seed of GAMES) {
      const roll = dice(seed);
      const before = JSON.stringify(five);
      anyAct(roll, five);
      expect(JSON.stringify(five)).toBe(before);
    }
  });
});

describe('undo and redo', () => {
  test('every act can be undone, all the way back, and done again, all the way on', () => {
    for (const seed of GAMES) {
      const roll = dice(seed);
      const boards: Board[] = [five];
      let history: History<Board> = begun(five);
      for (let act = 0; act < 10; act += 1) {
        const next = anyAct(roll, history.now);
        if (next !== history.now) boards.push(next);
        history = did(history, next);
      }
      for (const board of boards.toReversed()) {
        expect(history.now).toBe(board);
        history = undone(history);
      }
      for (const board of boards) {
        expect(history.now).toBe(board);
        history = redone(history);
      }
    }
  });

  test('at the ends nothing happens', () => {
    const one = begun(1);
    expect(undone(one)).toEqual(one);
    expect(redone(one)).toEqual(one);
    expect(did(one, 1)).toBe(one);
  });

  test('an act after an undo drops what was undone', () => {
    const history = did(undone(did(begun(1), 2)), 3);
    expect(history).toMatchObject({ past: [1], now: 3, future: [] });
  });

  test('typing is one step, however many letters; the next act is another', () => {
    const typing = [2, 3, 4].reduce(typed, did(begun(0), 1));
    expect(undone(typing).now).toBe(1);
    expect(undone(did(typing, 5)).now).toBe(4);
    expect(undone(typed(did(typing, 5), 6)).now).toBe(5);
  });

  test('the past is bounded', () => {
    const numbers = Array.from({ length: STEPS + 50 }, (_, index) => index + 1);
    expect(numbers.reduce(did, begun(0)).past.length).toBe(STEPS);
  });
});

test('a quarter and three are none', () => {
  expect(TURNS.map((turn) => sumOf(turn, 270))).toEqual([270, 0, 90, 180]);
});
