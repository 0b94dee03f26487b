// @vitest-environment node
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { describe, expect, test } from 'vitest';
import vectors from '../../../../tests/samples/marks.json';
import type { Family } from './advances';
import { type Drawable, pictureMark, textMark } from './drawMark';
import { centresOf, type Layout, linesOf, type View } from './marks';
import { sizeOf } from '../pdf/render';

type Paper = { media: number[]; crop: number[] | null; rotate: number; unit: number };
type Vector = {
  page: Paper;
  mark: 'text' | 'image';
  layout: Layout;
  angle: number;
  view: [number, number];
  box: [number, number];
  centres: [number, number][];
};

const TOLERANCE = 0.05;

function pdfOf({ media, crop, rotate, unit }: Paper): Uint8Array {
  const boxes = `/MediaBox [${media.join(' ')}] ${crop ? `/CropBox [${crop.join(' ')}]` : ''}`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R ${boxes} /Rotate ${rotate} /UserUnit ${unit} >>`,
  ];
  const body = objects.map((object, index) => `${index + 1} 0 obj\n${object}\nendobj\n`).join('');
  return new TextEncoder().encode(`%PDF-1.7\n${body}trailer\n<< /Root 1 0 R /Size 4 >>\n%%EOF`);
}

/** The page's size as the preview learns it. */
async function viewOf(paper: Paper): Promise<View> {
  const task = getDocument({ data: pdfOf(paper), verbosity: 0 });
  try {
    return sizeOf(await (await task.promise).getPage(1));
  } finally {
    await task.destroy();
  }
}

function markOf(kind: Vector['mark'], view: View): Drawable {
  if (kind === 'image') {
    const [width, height] = vectors.image.pixels;
    return pictureMark({ width, height } as unknown as ImageBitmap, vectors.image.width, view);
  }
  const { text, font, ...look } = vectors.text;
  return textMark({ ...look, lines: linesOf(text), family: font as Family, colour: '#000000' }, null);
}

const inOrder = (centres: number[][]) =>
  centres.toSorted(([ax = 0, ay = 0], [bx = 0, by = 0]) => Math.round(ay - by) || ax - bx).flat();

/** The server's geometry on each kind of page; tests/site/test_preview.py holds Python to the same numbers. */
describe('the vectors shared with Python', () => {
  test.each(vectors.cases as Vector[])(
    '$page.rotate° × $page.unit, $page.media: $mark, $layout, turned $angle°',
    async (vector) => {
      const view = await viewOf(vector.page);
      expect([view.width, view.height]).toEqual(vector.view);
      const mark = markOf(vector.mark, view);
      expect(Math.abs(mark.width - vector.box[0])).toBeLessThan(TOLERANCE);
      expect(Math.abs(mark.height - vector.box[1])).toBeLessThan(TOLERANCE);
      const found = inOrder(centresOf(vector.layout, view, mark, vector.angle).map(({ x, y }) => [x, y]));
      const wanted = inOrder(vector.centres);
      expect(found.length).toBe(wanted.length);
      expect(found.length).toBeGreaterThan(0);
      const apart = found.map((value, index) => Math.abs(value - (wanted[index] ?? Number.NaN)));
      expect(Math.max(...apart)).toBeLessThan(TOLERANCE);
    },
  );
});
