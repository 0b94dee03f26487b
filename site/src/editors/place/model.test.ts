import { describe, expect, test } from 'vitest';
import numbers from '../../../../tests/samples/numbers.json';
import seams from '../../../../tests/samples/seam.json';
import whites from '../../../../tests/samples/white.json';
import { contract } from '../../lib/contract';
import { nearest, type NumberOptions, numbered, planOf as numbersPlan } from './numbers';
import { placed, type View } from './marks';
import { type Counting, chinese, letters, numberOf, roman, type Style, sectionsOf, told } from './numerals';
import { cutsOf, type Edge, groupsOf, random, sliceOf } from './seam';
import { snapped } from './snap';
import { boundsOf, CORNERS, type Corner, cornerOf, moved, normal, type Spot, sized, turned } from './spot';
import { dated, PRESETS, type StampLook } from './stampLook';
import { planOf as stampsPlan, type StampOptions } from './stampPlan';
import { type MarkOptions, planOf as markPlan } from './watermark';
import { withoutWhite } from './white';

const view: View = { width: 600, height: 800 };

/** A thousand things anywhere on a page, and somewhere to go. */
const cases = Array.from({ length: 1000 }, (_, seed) => {
  const next = random(seed + 1);
  const any = (least: number, most: number) => least + next() * (most - least);
  const spot: Spot = {
    x: any(0, 600),
    y: any(0, 800),
    width: any(5, 300),
    height: any(5, 300),
    angle: any(-180, 180),
  };
  return { spot, to: { x: any(-100, 700), y: any(-100, 900) }, corner: CORNERS[seed % 4] as Corner, seed };
});
const near = (one: number, other: number, within = 1e-6) => Math.abs(one - other) < within;

describe('things on a page', () => {
  test('sizing keeps the corner across, the proportion and the angle', () => {
    for (const { spot, to, corner } of cases) {
      const across: Corner = [-corner[0] as 1 | -1, -corner[1] as 1 | -1];
      const after = sized(spot, corner, to);
      const [before, now] = [cornerOf(spot, across), cornerOf(after, across)];
      expect(near(before.x, now.x) && near(before.y, now.y)).toBe(true);
      expect(near(after.width / after.height, spot.width / spot.height)).toBe(true);
      expect(after.angle).toBe(spot.angle);
      expect(Math.min(after.width, after.height)).toBeGreaterThanOrEqual(4 - 1e-9);
    }
  });

  test('a corner dragged to where it is changes nothing', () => {
    for (const { spot, corner } of cases) {
      const after = sized(spot, corner, cornerOf(spot, corner));
      expect(near(after.width, spot.width) && near(after.x, spot.x) && near(after.y, spot.y)).toBe(true);
    }
  });

  test('what is moved stays on the page, and back is back', () => {
    for (const { spot, to } of cases) {
      const after = moved(spot, { x: to.x - spot.x, y: to.y - spot.y }, view);
      expect(after.x >= 0 && after.x <= view.width && after.y >= 0 && after.y <= view.height).toBe(true);
      const back = moved(after, { x: spot.x - after.x, y: spot.y - after.y }, view);
      expect(near(back.x, spot.x) && near(back.y, spot.y)).toBe(true);
    }
  });

  test('turning points the top at the hand, and rests at straight angles', () => {
    for (const { spot, to } of cases) {
      const after = turned(spot, to, true);
      const ahead = (Math.atan2(to.y - spot.y, to.x - spot.x) * 180) / Math.PI - 90;
      expect(Math.abs(normal(after.angle - ahead))).toBeLessThanOrEqual(0.5 + 1e-9);
      expect([after.x, after.y, after.width]).toEqual([spot.x, spot.y, spot.width]);
    }
    expect(turned({ ...cases[0]!.spot, x: 0, y: 0 }, { x: -3, y: 100 }).angle).toBe(0);
    expect(turned({ ...cases[0]!.spot, x: 0, y: 0 }, { x: -100, y: 3 }).angle).toBe(90);
  });

  test('snapping moves no further than its reach, onto its guides, and then no more', () => {
    for (const { spot, seed } of cases) {
      const others = [cases[(seed + 1) % 1000]!.spot];
      const { spot: held, guides } = snapped(spot, view, others, 6);
      expect(Math.abs(held.x - spot.x) <= 6 && Math.abs(held.y - spot.y) <= 6).toBe(true);
      const { left, right, bottom, top } = boundsOf(held);
      for (const { axis, at } of guides) {
        const own = axis === 'x' ? [left, (left + right) / 2, right] : [bottom, (bottom + top) / 2, top];
        expect(own.some((edge) => near(edge, at))).toBe(true);
      }
      const again = snapped(held, view, others, 1e-6).spot;
      expect(near(again.x, held.x, 1e-5) && near(again.y, held.y, 1e-5)).toBe(true);
    }
    expect(snapped({ x: 303, y: 500, width: 50, height: 20, angle: 0 }, view, [], 6).spot.x).toBe(300);
  });
});

describe('numbers as the server writes them', () => {
  test('in their notations', () => {
    for (const [number, said] of Object.entries(numbers.chinese)) expect(chinese(Number(number))).toBe(said);
    for (const [number, said] of Object.entries(numbers.roman)) expect(roman(Number(number))).toBe(said);
    for (const [number, said] of Object.entries(numbers.letters)) expect(letters(Number(number))).toBe(said);
  });

  test('sections as they are typed', () => {
    for (const [text, found] of Object.entries(numbers.sections))
      expect(sectionsOf(text), text).toEqual(found);
  });

  test('counted over pages', () => {
    for (const { pages, chosen, sections, numbers: wanted, ...rest } of numbers.counting) {
      const counting: Counting = {
        ...rest,
        style: rest.style as Style,
        sections: sectionsOf(sections) ?? [],
      };
      const found: Record<string, unknown> = {};
      for (let page = 1; page <= pages; page += 1) {
        const number = numberOf(counting, chosen, pages, page);
        if (number) found[page] = number;
      }
      expect(found).toEqual(wanted);
    }
  });

  test('in patterns', () => {
    const number = { ...numbers.number, style: numbers.number.style as Style };
    const values = { file: '合同', date: '2026-11-22', page: '9', pages: '20' };
    for (const [pattern, said] of Object.entries(numbers.told))
      expect(told(pattern, number, values)).toBe(said);
  });
});

describe('a seal across pages as the server cuts it', () => {
  test('groups, cuts and their chance', () => {
    for (const [pages, most, sizes] of seams.groups as [number, number, number[]][]) {
      const all = Array.from({ length: pages }, (_, at) => at + 1);
      expect(groupsOf(all, most).map(({ length }) => length)).toEqual(sizes);
      expect(groupsOf(all, most).flat()).toEqual(all);
    }
    for (const [at, seed] of [1, 7, 9999].entries()) {
      const next = random(seed);
      expect([next(), next(), next()]).toEqual(seams.random[at]);
    }
    for (const [count, length, uneven, seed, wanted] of seams.cuts as [
      number,
      number,
      boolean,
      number,
      number[],
    ][]) {
      const found = cutsOf(count, length, uneven, seed);
      expect(found.length).toBe(wanted.length);
      for (const [at, cut] of found.entries()) expect(near(cut, wanted[at]!, 1e-8)).toBe(true);
    }
  });

  test('slices', () => {
    const [width = 0, height = 0] = seams.seal;
    for (const {
      view: [w, h],
      edge,
      part,
      along,
      trim,
      box,
      corner,
    } of seams.slices) {
      const paper = { width: w!, height: h! };
      const cut = [part[0]!, part[1]!] as [number, number];
      const found = sliceOf(paper, edge as Edge, cut, { width, height }, { along, trim });
      for (const [at, side] of box.entries()) expect(near(found.box[at]!, side)).toBe(true);
      expect(near(found.corner.x, corner[0]!) && near(found.corner.y, corner[1]!)).toBe(true);
    }
  });
});

test('white paper goes as on the server, and leaves no grey', () => {
  const [width = 0, height = 0] = whites.size;
  const data = new Uint8ClampedArray(width * height * 4);
  for (let at = 0; at < width * height; at += 1) {
    data.set([...whites.picture.slice(3 * at, 3 * at + 3), 255], 4 * at);
  }
  const left = withoutWhite({ data, width, height });
  expect([left.width, left.height]).toEqual(whites.left);
  for (let y = 0; y < left.height; y += 1) {
    for (let x = 0; x < left.width; x += 1) {
      const [here, there] = [4 * ((y + left.y) * width + x + left.x), 4 * (y * left.width + x)];
      expect(Math.abs(data[here + 3]! - whites.seal[there + 3]!)).toBeLessThanOrEqual(2);
      // The colour of what is hardly there shows nowhere.
      if (data[here + 3]! < 25) continue;
      for (const band of [0, 1, 2]) {
        expect(Math.abs(data[here + band]! - whites.seal[there + band]!)).toBeLessThanOrEqual(4);
      }
    }
  }
});

const leaf = { page: 2, pages: 5, view };
const NUMBER: NumberOptions = {
  format: 'n',
  pattern: '{n}',
  place: 'bottom-right',
  margin_x: 15,
  margin_y: 10,
  font: 'sans',
  size: 12,
  bold: false,
  colour: '#333333',
  start: 1,
  pages: '',
  skip_cover: true,
  count_all: false,
  facing: true,
  digits: 1,
  prefix: '',
  suffix: '',
  sections: '',
  across: false,
  counts: [],
};

describe('what a hand does becomes options', () => {
  test('a number goes to the nearest of nine places and keeps its distance', () => {
    for (const { spot: any } of cases) {
      const spot = { ...any, angle: 0, width: 20, height: 14 };
      const found = nearest(spot, view, { place: 'centre', margin_x: 7, margin_y: 8 }, false);
      const back = placed(
        view,
        found.place,
        [(found.margin_x * 72) / 25.4, (found.margin_y * 72) / 25.4],
        spot,
      );
      if (/left|right/.test(found.place) && spot.x > 10 && spot.x < 590)
        expect(near(back.x, spot.x, 0.2)).toBe(true);
      if (/top|bottom/.test(found.place) && spot.y > 7 && spot.y < 793)
        expect(near(back.y, spot.y, 0.2)).toBe(true);
    }
    expect(numbered(NUMBER, 4)).toEqual([2, 3, 4]);
  });

  test('on an even page of facing ones the other side is written', () => {
    const plan = numbersPlan({ name: 'a.pdf' }, 0, 'zh');
    const [thing] = plan.scene(NUMBER, leaf).things;
    expect(thing!.spot.x).toBeLessThan(100);
    const put = { was: thing!.spot, spot: { ...thing!.spot, x: 500, y: 780 }, gesture: 'move' as const };
    expect(plan.put(NUMBER, 'number', put, leaf).place).toBe('top-left');
    expect(plan.scene(NUMBER, { ...leaf, page: 1 }).things).toEqual([]);
  });

  test('a watermark dragged is where it was let go', () => {
    const options: MarkOptions = {
      mark: { kind: 'text', text: '机密', font: 'sans', size: 40, bold: false, colour: '#808080' },
      layout: { how: 'place', place: 'centre', margin: 28 },
      angle: 30,
      opacity: 30,
      layer: 'above',
      pages: '',
    };
    const plan = markPlan({ name: 'a.pdf' }, null, 'zh');
    const { spot } = plan.scene(options, leaf).things[0]!;
    for (const { to } of cases.slice(0, 100)) {
      const after = plan.put(
        options,
        'mark',
        { was: spot, spot: moved(spot, to, view), gesture: 'move' },
        leaf,
      );
      const there = plan.scene(after, leaf).things[0]!.spot;
      expect(near(there.x, moved(spot, to, view).x, 0.1)).toBe(true);
    }
    const grown = { ...spot, width: spot.width * 2, height: spot.height * 2 };
    const larger = plan.put(options, 'mark', { was: spot, spot: grown, gesture: 'size' }, leaf);
    expect(larger.mark).toMatchObject({ size: 80 });
    expect(larger.layout).toEqual(options.layout);
  });

  test('stamps are moved, sized, turned, copied to other pages and taken away', () => {
    const stamp: StampLook = {
      kind: 'text',
      preset: 'void',
      text: '',
      dated: false,
      font: 'sans',
      size: 30,
      bold: true,
      colour: '#c8102e',
      frame: 'round',
    };
    const seam = { edge: 'right' as const, pages: '', most: 20, along: 50, trim: 0, uneven: false, seed: 1 };
    const begun: StampOptions = {
      stamp,
      on: 'both',
      layout: { how: 'place', place: 'bottom-right', margin: 20 },
      angle: 0,
      pages: '',
      seam,
      opacity: 100,
      ink: true,
    };
    const plan = stampsPlan({ art: null, name: 'a.pdf', lang: 'zh' });
    const [thing, slice] = plan.scene(begun, leaf).things;
    expect([thing!.label, slice!.label]).toEqual(['印章', '骑缝章']);
    const { spot } = thing!;
    const after = plan.put(
      begun,
      '0',
      { was: spot, spot: { ...spot, x: 150, y: 200 }, gesture: 'move' },
      leaf,
    );
    expect(after.layout).toMatchObject({ spots: [{ x: 0.25, y: 0.75 }] });
    const copied = plan.copy!(after, '0', '4', leaf);
    expect(plan.scene(copied, { ...leaf, page: 4 }).things.length).toBe(3);
    expect(plan.scene(copied, leaf).things.length).toBe(2);
    const grown = { ...spot, width: spot.width * 1.5, height: spot.height * 1.5 };
    const large = plan.put(copied, '1', { was: spot, spot: grown, gesture: 'size' }, leaf);
    expect(large.layout).toMatchObject({ spots: [{ scale: 1 }, { scale: 1.5 }] });
    expect(plan.remove!(large, '0').layout).toMatchObject({ spots: [{ scale: 1.5, pages: '4' }] });
    const down = plan.put(
      begun,
      'seam',
      { was: slice!.spot, spot: { ...slice!.spot, y: 600 }, gesture: 'move' },
      leaf,
    );
    expect(down.seam.along).toBe(25);
  });
});

test('preset words are those of the contract, dates are written as there', () => {
  const definitions = contract.tools.find(({ key }) => key === 'stamp')!.options.$defs!;
  const { own: _, ...choices } = definitions.TextStamp!.properties!.preset!.ui!.choices!;
  expect(PRESETS).toEqual(choices);
  expect(['iso', 'dots', 'zh', 'chinese', 'en'].map((form) => dated('2026-01-31', form as 'iso'))).toEqual([
    '2026-01-31',
    '2026.01.31',
    '2026年1月31日',
    '二〇二六年一月三十一日',
    '31 Jan 2026',
  ]);
});
