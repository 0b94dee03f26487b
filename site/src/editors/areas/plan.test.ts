import { describe, expect, test } from 'vitest';
import { added, cleared, drawnArea, planOf, refiled, spotOf } from './plan';
import { areaWordsOf } from './words';

const leaf = { page: 2, pages: 3, view: { width: 600, height: 800 } };
const where = { file: 1, unit: 2 };
const area = { file: 1, page: 2, x: 200, y: 100, width: 400, height: 300 };
const empty = { areas: [], pages: '' };

describe('areas of tables', () => {
  test('what a hand draws in any way is told from the upper left corner, in pixels of a picture', () => {
    const corners = [
      { x: 300, y: 600 },
      { x: 100, y: 750 },
    ];
    expect(drawnArea(corners, leaf, where)).toEqual(area);
    expect(drawnArea([corners[0]!, { x: 302, y: 700 }], leaf, where)).toBeNull();
    expect(spotOf(area, leaf.view, 2)).toEqual({ x: 200, y: 675, width: 200, height: 150, angle: 0 });
  });

  test('a page shows its own; they are moved, sized, copied, removed and added by keys', () => {
    const plan = planOf(where, areaWordsOf('en'), { drawing: false, onDrawn: () => undefined });
    const both = added(empty, { ...area, file: 0 }, area);
    const [thing] = plan.scene(both, leaf).things;
    expect(plan.scene(both, leaf).things).toHaveLength(1);
    const was = thing!.spot;
    const put = { spot: { ...was, x: 220, width: 240 }, was, gesture: 'size' as const };
    expect(plan.put(both, thing!.id, put, leaf).areas[1]).toEqual({ ...area, width: 480 });
    expect(plan.copy?.(both, thing!.id, '1-3', leaf).areas.map(({ page }) => page)).toEqual([2, 2, 1, 3]);
    expect(plan.remove?.(both, thing!.id)).toEqual({ ...both, areas: [both.areas[0]] });
    expect(plan.add?.(empty, leaf).areas[0]).toMatchObject({ file: 1, page: 2, width: 960 });
    expect(cleared(both, 1, 2).areas).toEqual([both.areas[0]]);
    const hints = [empty, both, { ...both, pages: '1' }].map((options) => plan.hint(options, leaf));
    expect(new Set(hints).size).toBe(3);
  });

  test('areas go with their files', () => {
    const both = added(empty, { ...area, file: 0 }, area);
    expect(refiled(both, ['a', 'b'], ['b'])).toEqual({ ...both, areas: [{ ...area, file: 0 }] });
    expect(refiled(both, ['a', 'b'], ['a', 'b', 'c'])).toBe(both);
  });
});
