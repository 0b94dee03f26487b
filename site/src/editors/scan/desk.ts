import { type OpenPdf, openPdf } from '../pdf/open';
import { sizeOf } from '../pdf/render';
import { pixelsOf } from '../pixels';
import { mostBytes, type ScanOptions } from './presets';
import type { Look } from './scanner';

/** What the scanner's worker is sent: the page's pixels (RGBA), and how they are scanned. */
export type Order = {
  pixels: Uint8ClampedArray;
  width: number;
  height: number;
  look: Look;
  page: number;
  dpi: number;
  quality: number;
  most: number | null;
};

/** As cluster/engines/draw/scans.py: larger pages are scanned coarser. */
const [MOST_PIXELS, LONGEST] = [17_500_000, 16_000];

type Raster = { pixels: Uint8ClampedArray; width: number; height: number; dpi: number };
type Named = { name: string; raster: Raster };

/** Scans pages of one document beside the page, one after another; what is not wanted any more is never begun. */
export class Desk {
  #worker = new Worker(new URL('./scan.worker.ts', import.meta.url), { type: 'module' });
  #last: Promise<unknown> = Promise.resolve();
  /** The page that was drawn last: its look is changed more often than the page. */
  #drawn: Named | null = null;

  /** Its own, beside the one that is shown: this one draws letters as outlines. */
  readonly #pdf: Promise<OpenPdf>;

  constructor(file: Blob, password?: string) {
    this.#pdf = openPdf(file, password, true);
    // Who scans is told.
    this.#pdf.catch(() => undefined);
  }

  /** The scan of a page as the JPEG that the result will hold. */
  scan(page: number, options: ScanOptions, signal: AbortSignal): Promise<Blob> {
    const turn = this.#last.then(async () => {
      signal.throwIfAborted();
      const raster = await this.#raster(page, options.dpi, signal);
      return this.#ask(orderOf(raster, page, options));
    });
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  close(): void {
    this.#worker.terminate();
    this.#pdf.then((pdf) => pdf.close()).catch(() => undefined);
  }

  async #raster(page: number, dpi: number, signal: AbortSignal): Promise<Raster> {
    const name = `${page}@${dpi}`;
    if (this.#drawn?.name !== name) {
      this.#drawn = null;
      this.#drawn = { name, raster: await rasterOf(await this.#pdf, page, dpi, signal) };
    }
    return this.#drawn.raster;
  }

  #ask(order: Order): Promise<Blob> {
    return new Promise((resolve, reject) => {
      const fail = () => reject(new Error('not scanned'));
      this.#worker.onmessage = ({ data }: MessageEvent<Blob | null>) => (data ? resolve(data) : fail());
      this.#worker.onerror = fail;
      this.#worker.postMessage(order);
    });
  }
}

function orderOf({ dpi, ...raster }: Raster, page: number, options: ScanOptions): Order {
  const { quality, grey, tone, tilt, noise, blur, brightness, contrast, border, vary, seed } = options;
  const look = { grey, tone, tilt, noise, blur, brightness, contrast, border, vary, seed };
  return { ...raster, look, page, dpi, quality, most: mostBytes(options) };
}

async function rasterOf(pdf: OpenPdf, number: number, wanted: number, signal: AbortSignal): Promise<Raster> {
  const page = await pdf.page(number);
  signal.throwIfAborted();
  const paper = sizeOf(page);
  const room = Math.min(
    Math.sqrt(MOST_PIXELS / (paper.width * paper.height)),
    LONGEST / Math.max(paper.width, paper.height),
  );
  const dpi = Math.min(wanted, room * 72);
  const { width, height } = pixelsOf(paper, { how: 'dpi', dpi });
  // Browsers know but four heights within a pixel where outlines have many points: twice as fine they know eight.
  const finer = 4 * width * height <= MOST_PIXELS ? 2 : 1;
  const drawn = canvasOf(finer * width, finer * height);
  const viewport = page.getViewport({ scale: (finer * dpi) / 72 });
  const fill = [drawn.width / viewport.width, 0, 0, drawn.height / viewport.height, 0, 0];
  const canvasContext = contextOf(drawn);
  const task = page.render({ canvas: drawn, canvasContext, viewport, transform: fill });
  signal.addEventListener('abort', () => task.cancel(), { once: true });
  await task.promise;
  const context = finer > 1 ? contextOf(canvasOf(width, height)) : canvasContext;
  if (finer > 1) context.drawImage(drawn, 0, 0, width, height);
  return { pixels: context.getImageData(0, 0, width, height).data, width, height, dpi };
}

const canvasOf = (width: number, height: number) =>
  Object.assign(document.createElement('canvas'), { width, height });

const contextOf = (canvas: HTMLCanvasElement) =>
  canvas.getContext('2d', { willReadFrequently: true }) as CanvasRenderingContext2D;
