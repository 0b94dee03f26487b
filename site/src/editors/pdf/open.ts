import type { PDFDocumentProxy, PDFPageProxy } from 'pdfjs-dist';

type PdfJs = typeof import('pdfjs-dist');

export type PasswordReason = 'password_required' | 'password_wrong';

export class PdfProblem extends Error {
  constructor(readonly reason: PasswordReason | 'damaged_file') {
    super(reason);
  }
}

/** One opened document. Only the parts of the file that a page needs are ever read. */
export type OpenPdf = {
  pages: number;
  page(number: number): Promise<PDFPageProxy>;
  /** Whether it is encrypted, be it only to restrict what readers may do. */
  encrypted(): Promise<boolean>;
  /** Whether it has fields to fill. */
  fillable(): Promise<boolean>;
  /** Pages with fields for signatures. */
  signable(): Promise<number[]>;
  /** The uppermost level, from 1, at which a bookmark leads somewhere; null where none does. */
  bookmarked(): Promise<number | null>;
  close(): Promise<void>;
};

/** What one read takes at least. A flat page tree is read page by page, all over the file. */
const PART = 64 * 1024;
const ASSETS = '/pdfjs/';

let loading: Promise<PdfJs> | null = null;

function loadPdfJs(): Promise<PdfJs> {
  loading ??= import('pdfjs-dist').then((pdfjs) => {
    pdfjs.GlobalWorkerOptions.workerSrc = __PDF_WORKER__;
    return pdfjs;
  });
  return loading;
}

/**
 * `outlines`: letters are drawn as outlines, exactly where they stand, as the server draws them for a scan; by the
 * browser's own faces, which is faster, they stand on whole pixels.
 */
export async function openPdf(file: Blob, password?: string, outlines = false): Promise<OpenPdf> {
  const pdfjs = await loadPdfJs();
  const range = rangeOf(pdfjs, file, () => void task.destroy());
  const task = pdfjs.getDocument({
    range,
    rangeChunkSize: PART,
    disableAutoFetch: true,
    disableStream: true,
    password,
    disableFontFace: outlines,
    cMapUrl: `${ASSETS}cmaps/`,
    standardFontDataUrl: `${ASSETS}standard_fonts/`,
    wasmUrl: `${ASSETS}wasm/`,
    iccUrl: `${ASSETS}iccs/`,
    verbosity: pdfjs.VerbosityLevel.ERRORS,
  });
  try {
    return opened(await task.promise);
  } catch (error) {
    await task.destroy();
    throw problemOf(pdfjs, error);
  }
}

/** What pdf.js tells of a field: its kind, and the page (from 0) where it stands. */
type FieldObject = { type?: string; page?: number };

const fieldsOf = async (pdf: PDFDocumentProxy) =>
  (await pdf.getFieldObjects()) as Map<string, FieldObject[]> | null;

type Bookmark = { dest: unknown; items: Bookmark[] };

/** Level by level: outlines nest a handful of levels, hostile ones as deep as they like. */
function uppermost(bookmarks: Bookmark[]): number | null {
  let level = 1;
  for (let here = bookmarks; here.length > 0; here = here.flatMap(({ items }) => items)) {
    if (here.some(({ dest }) => dest !== null)) return level;
    level += 1;
  }
  return null;
}

function opened(pdf: PDFDocumentProxy): OpenPdf {
  return {
    pages: pdf.numPages,
    page: (number) => pdf.getPage(number),
    encrypted: async () => (await pdf.getPermissions()) !== null,
    fillable: async () => (await fieldsOf(pdf)) !== null,
    signable: async () => {
      const fields = [...((await fieldsOf(pdf)) ?? new Map()).values()].flat();
      const pages = fields.flatMap(({ type, page = -1 }) =>
        type === 'signature' && page >= 0 ? [page + 1] : [],
      );
      return [...new Set(pages)].toSorted((a, b) => a - b);
    },
    bookmarked: async () => uppermost((await pdf.getOutline()) ?? []),
    close: () => pdf.loadingTask.destroy(),
  };
}

/** A file that was changed or unplugged after it was chosen cannot be read: pdf.js would wait for ever. */
function rangeOf(pdfjs: PdfJs, file: Blob, onUnreadable: () => void) {
  const transport = new pdfjs.PDFDataRangeTransport(file.size, null);
  transport.requestDataRange = (begin: number, end: number) => {
    file
      .slice(begin, end)
      .arrayBuffer()
      .then((bytes) => transport.onDataRange(begin, new Uint8Array(bytes)), onUnreadable);
  };
  return transport;
}

function problemOf(pdfjs: PdfJs, error: unknown): PdfProblem {
  if (!(error instanceof pdfjs.PasswordException)) return new PdfProblem('damaged_file');
  const missing = error.code === pdfjs.PasswordResponses.NEED_PASSWORD;
  return new PdfProblem(missing ? 'password_required' : 'password_wrong');
}
