import { describe, expect, it } from 'vitest';
import { besideSigned } from './beside';
import type { SignField } from './fields';
import { inkOf } from './ink';
import { placed, planOf, withMark, withoutMark } from './plan';
import type { Look, SignOptions } from './types';
import { initialsOf } from './ways';
import { signWordsOf } from './words';

const NONE: SignOptions = { marks: [], certificate: { how: 'none' } };
const INK: Look = {
  kind: 'drawn',
  role: 'signature',
  strokes: [[0, 0, 10]],
  width: 20,
  height: 10,
  colour: '#14213d',
};
const LEAF = { page: 2, pages: 3, view: { width: 600, height: 800 } };
const plan = planOf(
  (_look, height) => ({ width: 2 * height, height, draw: () => undefined }),
  signWordsOf('zh'),
);

describe('ink', () => {
  it('joins curves to strokes and is cut to what is drawn', () => {
    const svg =
      '<svg xmlns="http://www.w3.org/2000/svg">' +
      '<path d="M 10.000,20.000 C 12.000,20.000 14.000,30.000 20.000,30.000" stroke-width="2.000"/>' +
      '<path d="M 20.000,30.000 C 25.000,30.000 28.000,20.000 30.000,20.000" stroke-width="4.000"/>' +
      '<circle r="1.5" cx="40" cy="25"/></svg>';
    expect(inkOf(svg)).toEqual({
      strokes: [
        [2, 2, 2, 4, 2, 6, 12, 12, 12, 4, 17, 12, 20, 2, 22, 2],
        [32, 7, 3],
      ],
      width: 33.5,
      height: 14,
    });
  });

  it('is nothing where nothing is drawn', () => {
    expect(inkOf('<svg xmlns="http://www.w3.org/2000/svg"></svg>')).toBeNull();
  });
});

describe('the plan of a signature', () => {
  it('puts a new one on the page in sight, and initials on all', () => {
    const one = withMark(NONE, INK, 2);
    expect(plan.scene(one, LEAF).things.map(({ id }) => id)).toEqual(['0:0']);
    expect(plan.scene(one, { ...LEAF, page: 1 }).things).toEqual([]);
    const all = withMark(one, { ...INK, role: 'initials' }, 2);
    expect(plan.scene(all, { ...LEAF, page: 1 }).things.map(({ id }) => id)).toEqual(['1:0']);
    expect(withoutMark(all, 0).marks).toHaveLength(1);
  });

  it('moves, sizes, turns, copies and takes away what a hand holds', () => {
    const one = withMark(NONE, INK, 2);
    const was = plan.scene(one, LEAF).things[0]!.spot;
    const moved = plan.put(one, '0:0', { spot: { ...was, x: 300, y: 200 }, was, gesture: 'move' }, LEAF);
    expect(moved.marks[0]!.spots[0]).toMatchObject({ x: 0.5, y: 0.75, height: 48 });
    const large = { ...was, width: was.width * 2 };
    const sized = plan.put(one, '0:0', { spot: large, was, gesture: 'size' }, LEAF);
    expect(sized.marks[0]!.spots[0]!.height).toBe(96);
    const turned = plan.put(one, '0:0', { spot: { ...was, angle: 30 }, was, gesture: 'turn' }, LEAF);
    expect(turned.marks[0]!.spots[0]!.angle).toBe(30);
    expect(plan.copy!(one, '0:0', '1,last', LEAF).marks[0]!.spots.map(({ pages }) => pages)).toEqual([
      '2',
      '1,last',
    ]);
    expect(plan.remove!(one, '0:0').marks[0]!.spots).toEqual([]);
    expect(placed(one, 0, 3).marks[0]!.spots[1]).toMatchObject({ pages: '3', height: 48 });
  });

  it('shows the certificate on the last page until it is put elsewhere', () => {
    const block = { page: 0, x: 0.28, y: 0.88, width: 180 };
    const certificate = { how: 'pkcs12', reason: '', place: '', visible: true, block } as const;
    const chosen: SignOptions = { ...NONE, certificate };
    expect(plan.scene(chosen, LEAF).things).toEqual([]);
    expect(plan.hint(chosen, LEAF)).toContain('第 3 页');
    expect(plan.hint(plan.remove!(chosen, 'block'), LEAF)).toContain('先添加');
    const [thing] = plan.scene(chosen, { ...LEAF, page: 3 }).things;
    expect(thing!.spot).toMatchObject({ width: 180, height: 54 });
    const spot = { ...thing!.spot, x: 300, y: 400 };
    const put = plan.put(chosen, 'block', { spot, was: thing!.spot, gesture: 'move' }, LEAF);
    expect(put.certificate).toMatchObject({ block: { page: 2, x: 0.5, y: 0.5 } });
    expect(plan.remove!(chosen, 'block').certificate).toMatchObject({ visible: false });
  });

  it('fills a field that waits, and leaves it when it is put elsewhere', () => {
    const place = { name: '甲方', page: 2, x: 100, y: 60, width: 120, height: 50 };
    const field: SignField = { ...place, signed: false, sheet: LEAF.view };
    const withFields = planOf(() => null, signWordsOf('zh'), [field]);
    const block = { page: 0, x: 0.28, y: 0.88, width: 180 };
    const certificate = { how: 'pkcs12', reason: '', place: '', visible: true, field: '', block } as const;
    const free: SignOptions = { ...NONE, certificate };
    expect(withFields.scene(free, LEAF).layers).toHaveLength(1);
    const spot = { x: 90, y: 70, width: 180, height: 54, angle: 0 };
    const filled = withFields.put(free, 'block', { spot, was: spot, gesture: 'move' }, LEAF);
    expect(filled.certificate).toMatchObject({ field: '甲方' });
    const [thing] = withFields.scene(filled, LEAF).things;
    expect(thing).toMatchObject({ sizes: false, spot: { x: 100, y: 60, width: 120, height: 50 } });
    const far = { ...thing!.spot, x: 300, y: 400 };
    const put = withFields.put(filled, 'block', { spot: far, was: thing!.spot, gesture: 'move' }, LEAF);
    expect(put.certificate).toMatchObject({ field: '', block: { page: 2, width: 180 } });
  });
});

it('shortens names as people do', () => {
  expect(initialsOf('Jane van Doe')).toBe('JVD');
  expect(initialsOf('张三')).toBe('张');
  expect(['OY', 'J.D.', 'J D', 'Jane', '𠮷野'].map(initialsOf)).toEqual(['OY', 'J.D.', 'J D', 'J', '𠮷']);
});

describe('a new block', () => {
  const certificate = { how: 'pkcs12' as const, reason: '', place: '', visible: true };
  const fresh: SignOptions = {
    marks: [],
    certificate: { ...certificate, block: { page: 0, x: 0.28, y: 0.88, width: 180 } },
  };
  const sheet = { width: 600, height: 800 };
  const first: SignField = {
    name: '甲',
    page: 3,
    x: 168,
    y: 96,
    width: 180,
    height: 54,
    signed: true,
    sheet,
  };
  const blockOf = ({ certificate: { ...made } }: SignOptions) => ('block' in made ? made.block : null);

  it('stands beside what was signed before, and above where both sides are', () => {
    const second = besideSigned(fresh, 3, [first]);
    expect(blockOf(second)).toEqual({ page: 0, x: 0.72, y: 0.88, width: 180 });
    expect(besideSigned(second, 3, [first])).toBe(second);
    const third = besideSigned(fresh, 3, [first, { ...first, x: 432 }]);
    expect(blockOf(third)).toEqual({ page: 0, x: 0.28, y: 0.81, width: 180 });
  });

  it('stays where nothing is in its way, where a hand put it, and where it is not seen', () => {
    for (const other of [
      { ...first, page: 2 },
      { ...first, signed: false },
      { ...first, y: 400 },
    ])
      expect(besideSigned(fresh, 3, [other])).toBe(fresh);
    const put = {
      ...fresh,
      certificate: { ...certificate, block: { page: 3, x: 0.28, y: 0.88, width: 180 } },
    };
    expect(besideSigned(put, 3, [first])).toBe(put);
    const unseen = { ...fresh, certificate: { ...fresh.certificate, visible: false } } as SignOptions;
    expect(besideSigned(unseen, 3, [first])).toBe(unseen);
  });
});
