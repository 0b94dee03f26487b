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
  close(): Promise<void>;
};

const PART = 256 * 1024;
const ASSETS = '/pdfjs/';

let loading: Promise<PdfJs> | null = null;

function loadPdfJs(): Promise<PdfJs> {
  loading ??= Promise.all([import('pdfjs-dist'), import('pdfjs-dist/build/pdf.worker.min.mjs?url')]).then(
    ([pdfjs, worker]) => {
      pdfjs.GlobalWorkerOptions.workerSrc = worker.default;
      return pdfjs;
    },
  );
  return loading;
}

export async function openPdf(file: Blob, password?: string): Promise<OpenPdf> {
  const pdfjs = await loadPdfJs();
  const task = pdfjs.getDocument({
    range: rangeOf(pdfjs, file),
    rangeChunkSize: PART,
    disableAutoFetch: true,
    disableStream: true,
    password,
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

function opened(pdf: PDFDocumentProxy): OpenPdf {
  return {
    pages: pdf.numPages,
    page: (number) => pdf.getPage(number),
    close: () => pdf.loadingTask.destroy(),
  };
}

function rangeOf(pdfjs: PdfJs, file: Blob) {
  const transport = new pdfjs.PDFDataRangeTransport(file.size, null);
  transport.requestDataRange = async (begin: number, end: number) => {
    const bytes = await file.slice(begin, end).arrayBuffer();
    transport.onDataRange(begin, new Uint8Array(bytes));
  };
  return transport;
}

function problemOf(pdfjs: PdfJs, error: unknown): PdfProblem {
  if (!(error instanceof pdfjs.PasswordException)) return new PdfProblem('damaged_file');
  const missing = error.code === pdfjs.PasswordResponses.NEED_PASSWORD;
  return new PdfProblem(missing ? 'password_required' : 'password_wrong');
}
