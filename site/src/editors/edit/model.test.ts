import { describe, expect, test } from 'vitest';
import { contract } from '../../lib/contract';
import { begun, did, type History, redone, undone } from '../board/history';
import type { Point, View } from '../place/marks';
import { random } from '../place/seam';
import { CORNERS, cornerOf, moved, type Spot, stretched } from '../place/spot';
import {
  type Act,
  added,
  type ChangeAct,
  changeOf,
  changing,
  copied,
  type EditOptions,
  filledIn,
  filling,
  isPlaced,
  type PlacedAct,
  removed,
  replaced,
} from './acts';
import {
  DEFAULTS,
  inkOf,
  noteAt,
  pictureAt,
  redactOf,
  shapeOf,
  simpler,
  type Styles,
  textAt,
} from './making';
import { resourced, sceneOf, touchedPages } from './plan';
import { areaOfSpot, freedomOf, putAt, spotOf } from './spots';
import { finished } from './useDesk';
import { editWordsOf } from './words';

const view: View = { width: 595, height: 842 };
const styles = DEFAULTS as Styles;
const where = { source: 0, page: 1, view };
const empty: EditOptions = { acts: [], clean_copies: true, flatten: false };
const words = editWordsOf('en');

const line: ChangeAct = {
  kind: 'change',
  source: 0,
  page: 1,
  box: [72, 100, 240, 12],
  angle: 0,
  was: '甲方应于十日内付款',
  text: '甲方应于十五日内付款',
  reflow: false,
};

/** An act of every kind that stands on a page, anywhere on it. */
function anyActs(seed: number): PlacedAct[] {
  const next = random(seed);
  const point = (): Point => ({ x: next() * view.width, y: next() * view.height });
  const points = [point(), point()];
  const redact = redactOf(points, where, styles.redact);
  const box = areaOfSpot({ ...point(), width: 5 + next() * 200, height: 5 + next() * 40, angle: 0 }, view);
  return [
    { ...textAt(points, where, styles.text), text: '已核对' },
    shapeOf(points, where, { ...styles.shape, shape: 'arrow' }),
    inkOf([point(), point(), point(), point()], where, styles.ink),
    noteAt(point(), where, styles.note),
    pictureAt('a/b.png', { width: 300, height: 200 }, where, styles.picture),
    { kind: 'mark', source: 0, page: 1, boxes: [box], angle: 0, text: 'marked', ...styles.mark },
    ...(redact ? [redact] : []),
    line,
  ];
}
const seeds = Array.from({ length: 60 }, (_, at) => at + 1);
const near = (one: number, other: number, within = 0.05) => Math.abs(one - other) <= within;

describe('acts on a page', () => {
  test('a thing put where it is stays as it is', () => {
    for (const act of seeds.flatMap(anyActs)) {
      const spot = spotOf(act, view);
      const after = spotOf(putAt(act, { spot, was: spot, gesture: 'move' }, view), view);
      for (const key of ['x', 'y', 'width', 'height', 'angle'] as const)
        expect(near(after[key], spot[key]), `${act.kind} ${key}`).toBe(true);
    }
  });

  test('a thing goes where it is moved and as large as it is made, unless it belongs to the text', () => {
    for (const act of seeds.flatMap(anyActs)) {
      const was = spotOf(act, view);
      const to: Spot = { ...moved(was, { x: 31, y: -17 }, view) };
      if (freedomOf(act).sizes) Object.assign(to, { width: was.width * 1.5, height: was.height * 1.5 });
      const after = spotOf(putAt(act, { spot: to, was, gesture: 'move' }, view), view);
      const meant = freedomOf(act).moves ? to : was;
      expect(near(after.x, meant.x, 0.6) && near(after.y, meant.y, 0.6), act.kind).toBe(true);
      expect(near(after.width, meant.width, 1), act.kind).toBe(true);
    }
  });

  test('a copy stands beside its original, on another page at its place', () => {
    for (const act of seeds.flatMap(anyActs)) {
      const [from, beside, there] = [act, copied(act), copied(act, 7)].map((each) => spotOf(each, view));
      expect(
        near((beside?.x ?? 0) - (from?.x ?? 0), 12) && near((beside?.y ?? 0) - (from?.y ?? 0), -12),
      ).toBe(true);
      expect(there).toEqual(from);
      expect(copied(act, 7).page).toBe(7);
    }
  });

  test('a corner pulled keeps the corner across and the angle', () => {
    for (const seed of seeds) {
      const next = random(seed);
      const spot = { x: 300, y: 400, width: 80, height: 30, angle: next() * 360 - 180 };
      for (const corner of CORNERS) {
        const to = { x: next() * 595, y: next() * 842 };
        const after = stretched(spot, corner, to);
        const across = [-corner[0], -corner[1]] as typeof corner;
        expect(near(cornerOf(after, across).x, cornerOf(spot, across).x, 1e-6)).toBe(true);
        expect(near(cornerOf(after, across).y, cornerOf(spot, across).y, 1e-6)).toBe(true);
        expect(after.angle).toBe(spot.angle);
      }
    }
  });

  test('fewer points of a hand leave none out that lies off', () => {
    for (const seed of seeds) {
      const next = random(seed);
      const path = Array.from({ length: 40 }, (_, at): [number, number] => [at * 3, next() * 20]);
      const kept = simpler(path, 0.35);
      expect(kept[0]).toEqual(path[0]);
      expect(kept.at(-1)).toEqual(path.at(-1));
      for (const [x, y] of path) {
        const after = kept.findIndex((each) => each[0] >= x);
        const [a, b] = [kept[Math.max(0, after - 1)] as [number, number], kept[after] as [number, number]];
        const share = b[0] > a[0] ? (x - a[0]) / (b[0] - a[0]) : 0;
        const off = Math.abs(a[1] + share * (b[1] - a[1]) - y);
        // Measured upright, which is never less than across the line.
        expect(off * Math.cos(Math.atan2(Math.abs(b[1] - a[1]), b[0] - a[0]))).toBeLessThan(0.36);
      }
    }
    const straight = Array.from({ length: 50 }, (_, at): [number, number] => [at, at / 2]);
    expect(simpler(straight, 0.35)).toHaveLength(2);
  });
});

describe('history', () => {
  /** Everything a person does, drawn by lot. */
  function step(options: EditOptions, next: () => number): EditOptions {
    const at = Math.floor(next() * options.acts.length);
    const act = options.acts[at];
    const way = Math.floor(next() * 6);
    const fresh = anyActs(1 + Math.floor(next() * 60));
    if (way === 0 || !act) return added(options, fresh[Math.floor(next() * fresh.length)] as Act);
    if (way === 1) return removed(options, at);
    if (way === 2 && isPlaced(act)) return added(options, copied(act));
    if (way === 3) return filling(options, { source: 0, field: '姓名', value: String(next()) }, '');
    if (way === 4) return changing(options, { ...line, text: String(next()) });
    if (!isPlaced(act)) return options;
    const was = spotOf(act, view);
    return replaced(
      options,
      at,
      putAt(act, { spot: moved(was, { x: 5, y: 5 }, view), was, gesture: 'move' }, view),
    );
  }

  test('undone to the beginning and redone to the end, every step is as it was', () => {
    for (const seed of seeds) {
      const next = random(seed);
      let history: History<EditOptions> = begun(empty);
      const seen = [JSON.stringify(empty)];
      for (let count = 0; count < 30; count += 1) {
        const options = step(history.now, next);
        if (JSON.stringify(options) === seen.at(-1)) continue;
        history = did(history, options);
        seen.push(JSON.stringify(options));
      }
      const last = seen.length - 1;
      for (let at = last; at >= 0; at -= 1, history = undone(history))
        expect(JSON.stringify(history.now)).toBe(seen[at]);
      for (let at = 0; at <= last; at += 1, history = redone(history))
        expect(JSON.stringify(history.now)).toBe(seen[at]);
    }
  });
});

describe('lines and fields', () => {
  test('a line changed again is one change, and back to what it said is none', () => {
    const once = changing(empty, line);
    const twice = changing(once, { ...line, text: '甲方应于三十日内付款' });
    expect(twice.acts).toHaveLength(1);
    expect(changeOf(twice, line)?.text).toBe('甲方应于三十日内付款');
    expect(changing(twice, { ...line, text: line.was }).acts).toEqual([]);
    expect(changeOf(once, { ...line, page: 2 })).toBeUndefined();
  });

  test('a field filled with what it holds of itself is no act', () => {
    const once = filling(empty, { source: 0, field: '姓名', value: '张三' }, '');
    expect(filledIn(once, 0, '姓名')).toBe('张三');
    expect(filledIn(once, 1, '姓名')).toBeUndefined();
    const twice = filling(once, { source: 0, field: '姓名', value: '李四' }, '');
    expect(twice.acts).toHaveLength(1);
    expect(filling(twice, { source: 0, field: '姓名', value: '' }, '').acts).toEqual([]);
    expect(filling(empty, { source: 0, field: 'b', value: ['x'] }, ['x']).acts).toEqual([]);
  });

  test('words written to their end are an act, empty ones are none or take their box away', () => {
    const act = textAt([{ x: 100, y: 700 }], where, styles.text);
    expect(finished(empty, { act, at: null }, '  ')).toBe(empty);
    const written = finished(empty, { act, at: null }, '第一行\n第二行\n第三行');
    const [made] = written.acts;
    expect(made?.kind === 'text' && made.box[3]).toBeCloseTo(3 * 14 * 1.2, 1);
    const again = { act: made as typeof act, at: 0 };
    expect(finished(written, again, '第一行\n第二行\n第三行')).toBe(written);
    expect(finished(written, again, '').acts).toEqual([]);
  });
});

describe('files', () => {
  const options = { ...empty, acts: [line, { ...line, source: 1 }, { ...line, source: 2 }] };

  test('acts go with their files', () => {
    const after = resourced(options, ['a', 'b', 'c'], ['c', 'a']);
    expect(after.acts.map(({ source }) => source)).toEqual([1, 0]);
    expect(resourced(options, ['a', 'b', 'c'], ['a', 'b', 'c', 'd'])).toBe(options);
  });

  test('pages that something is done to are told, file by file', () => {
    const hide: Act = {
      kind: 'hide',
      source: 0,
      terms: ['张三'],
      presets: [],
      case: false,
      word: false,
      look: 'black',
      label: '',
      hits: [
        { page: 3, boxes: [[1, 2, 3, 4]] },
        { page: 5, boxes: [[1, 2, 3, 4]] },
      ],
    };
    expect(touchedPages({ ...options, acts: [...options.acts, hide] }, 0, ({ hits }) => hits ?? [])).toEqual(
      new Set([1, 3, 5]),
    );
  });
});

describe('what stands on a page', () => {
  const showing = {
    source: 0,
    writing: null,
    linesOpen: false,
    found: [],
    off: new Set<number>(),
    known: () => [],
    artOf: () => null,
    lookOf: () => ({ ink: '#000000', paper: '#ffffff', font: 'sans' as const, bold: false }),
    words,
  };
  const leaf = { page: 1, pages: 3, view };
  const options = { ...empty, acts: anyActs(5) };

  test('each thing is named and can be taken hold of, the one being written not', () => {
    const { things } = sceneOf(options, leaf, showing);
    expect(things.map(({ id }) => Number(id))).toEqual(options.acts.map((_, at) => at));
    expect(things[0]?.label).toBe('Text “已核对”');
    expect(sceneOf(options, leaf, { ...showing, writing: 0 }).things[0]?.id).toBe('1');
    expect(sceneOf(options, { ...leaf, page: 2 }, showing).things).toEqual([]);
    expect(sceneOf(options, leaf, { ...showing, source: 1 }).things).toEqual([]);
  });

  test('lines are taken hold of as lines while lines are changed', () => {
    const { things } = sceneOf(options, leaf, { ...showing, linesOpen: true });
    expect(things.some(({ label }) => label.startsWith('Changed line'))).toBe(false);
  });
});

describe('the contract', () => {
  const tool = contract.tools.find(({ key }) => key === 'edit');
  type Defs = Record<string, { properties?: Record<string, unknown> }>;
  const defs = (tool?.options as { $defs?: Defs } | undefined)?.$defs ?? {};
  const known = Object.values(defs).flatMap(({ properties }) => {
    const kind = (properties?.kind as { const?: string } | undefined)?.const;
    return kind ? [[kind, new Set(Object.keys(properties ?? {}))] as const] : [];
  });

  test('every act has the fields of the server, and no other', () => {
    const server = new Map(known);
    for (const act of [...anyActs(1), ...anyActs(2)]) {
      const fields = server.get(act.kind);
      expect(fields, act.kind).toBeDefined();
      for (const name of Object.keys(act)) expect(fields?.has(name), `${act.kind}.${name}`).toBe(true);
    }
  });
});
