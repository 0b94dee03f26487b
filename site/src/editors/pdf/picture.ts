import type { PDFPageProxy } from 'pdfjs-dist';
import type { OpenPdf } from './open';

/** Points of the longer side of a picture that is shown as a page; pixels kept of it. */
const SIDE = 842;
const MOST = 2400;

/** A picture as a document of one page, so that what shows pages shows it; `unit` is its pixels for a point. */
export type OpenPicture = { pdf: OpenPdf; unit: number };

/** Fails where the browser does not know the kind of picture. */
export async function openPicture(file: Blob): Promise<OpenPicture> {
  const whole = await createImageBitmap(file);
  const unit = Math.max(whole.width, whole.height) / SIDE;
  const page = pageOf({ width: whole.width / unit, height: whole.height / unit }, lesser(whole));
  const pdf: OpenPdf = {
    pages: 1,
    // What shows pages asks only how large they are and to draw them.
    page: async () => page as unknown as PDFPageProxy,
    encrypted: async () => false,
    fillable: async () => false,
    signable: async () => [],
    bookmarked: async () => null,
    close: async () => undefined,
  };
  return { pdf, unit };
}

function lesser(whole: ImageBitmap): HTMLCanvasElement {
  const shrink = Math.min(1, MOST / Math.max(whole.width, whole.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(whole.width * shrink));
  canvas.height = Math.max(1, Math.round(whole.height * shrink));
  const pen = canvas.getContext('2d');
  if (pen) {
    pen.fillStyle = '#fff';
    pen.fillRect(0, 0, canvas.width, canvas.height);
    pen.imageSmoothingQuality = 'high';
    pen.drawImage(whole, 0, 0, canvas.width, canvas.height);
  }
  whole.close();
  return canvas;
}

type Size = { width: number; height: number };

const pageOf = ({ width, height }: Size, picture: HTMLCanvasElement) => ({
  getViewport: ({ scale }: { scale: number }) => ({ width: width * scale, height: height * scale }),
  render({ canvas }: { canvas: HTMLCanvasElement }) {
    const pen = canvas.getContext('2d');
    if (pen) pen.imageSmoothingQuality = 'high';
    pen?.drawImage(picture, 0, 0, canvas.width, canvas.height);
    return { promise: Promise.resolve(), cancel: () => undefined };
  },
});
