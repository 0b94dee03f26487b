import type { PDFPageProxy } from 'pdfjs-dist';
import type { OpenPdf } from './open';
import { RenderQueue, WeightedCache } from './queue';

const MOST_CACHED_PIXELS = 30_000_000;
const MOST_CANVAS_PIXELS = 16_000_000;

const queue = new RenderQueue(2);
const cache = new WeightedCache<Picture>(MOST_CACHED_PIXELS);
const names = new WeakMap<OpenPdf, number>();
let nextName = 0;

/** Size of a page as a reader shows it, in points: after /Rotate, CropBox and UserUnit. */
export type PageSize = { width: number; height: number };

export async function pageSize(pdf: OpenPdf, number: number): Promise<PageSize> {
  return sizeOf(await pdf.page(number));
}

export function sizeOf(page: PDFPageProxy): PageSize {
  const { width, height } = page.getViewport({ scale: 1 });
  return { width, height };
}

/** A drawn page: its pixels, and the size in CSS pixels at which it is shown, whatever the density. */
export type Picture = PageSize & { canvas: HTMLCanvasElement };

/** Device pixels for a CSS pixel; more than three no eye tells apart. */
export const densityNow = () => Math.min(globalThis.devicePixelRatio ?? 1, 3);

/** While pages fly past none of them is begun. */
export const holdRendering = (milliseconds: number) => queue.hold(milliseconds);

const keyOf = (pdf: OpenPdf, number: number, box: PageSize, density: number) =>
  `${nameOf(pdf)}/${number}/${Math.round(box.width)}x${Math.round(box.height)}@${density}`;

/** The picture that was drawn before, if it is still there. */
export const drawnBefore = (pdf: OpenPdf, number: number, box: PageSize): Picture | undefined =>
  cache.get(keyOf(pdf, number, box, densityNow()));

/** A picture of the page that fits in `width` x `height` CSS pixels; rendered once, then from the cache. */
export async function pagePicture(
  pdf: OpenPdf,
  number: number,
  box: PageSize,
  signal: AbortSignal,
): Promise<Picture> {
  const density = densityNow();
  const key = keyOf(pdf, number, box, density);
  const known = cache.get(key);
  if (known) return known;
  const picture = await queue.add(() => render(pdf, number, box, density, signal), signal);
  cache.set(key, picture, picture.canvas.width * picture.canvas.height);
  return picture;
}

async function render(pdf: OpenPdf, number: number, box: PageSize, density: number, signal: AbortSignal) {
  const page = await pdf.page(number);
  signal.throwIfAborted();
  const shown = fitted(sizeOf(page), box);
  const viewport = page.getViewport({ scale: scaleFor(sizeOf(page), box, density) });
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(viewport.width));
  canvas.height = Math.max(1, Math.round(viewport.height));
  // To the last pixel: marks drawn over this picture count on its edges being the page's.
  const fill = [canvas.width / viewport.width, 0, 0, canvas.height / viewport.height, 0, 0];
  const task = page.render({ canvas, viewport, transform: fill });
  signal.addEventListener('abort', () => task.cancel(), { once: true });
  await task.promise;
  return { canvas, ...shown };
}

const fitOf = (page: PageSize, box: PageSize) => Math.min(box.width / page.width, box.height / page.height);

/** The page's size in whole CSS pixels within the box: the layout is the same at every density. */
export function fitted(page: PageSize, box: PageSize): PageSize {
  const fit = fitOf(page, box);
  return {
    width: Math.max(1, Math.round(page.width * fit)),
    height: Math.max(1, Math.round(page.height * fit)),
  };
}

/** Around a page in a room of its own. */
const MARGIN = 16;

/** As `fitted`, with a margin around it; null while the room has no size. */
export function roomFor(page: PageSize, room: PageSize): PageSize | null {
  const box = { width: room.width - 2 * MARGIN, height: room.height - 2 * MARGIN };
  return box.width > 0 && box.height > 0 ? fitted(page, box) : null;
}

/** Device pixels for a point. */
export function scaleFor(page: PageSize, box: PageSize, density: number): number {
  const fit = fitOf(page, box);
  const most = Math.sqrt(MOST_CANVAS_PIXELS / (page.width * page.height));
  return Math.min(fit * density, most);
}

function nameOf(pdf: OpenPdf): number {
  const known = names.get(pdf);
  if (known !== undefined) return known;
  nextName += 1;
  names.set(pdf, nextName);
  return nextName;
}
