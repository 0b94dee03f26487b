/** What a preview takes of the pdf.js engine; the one place that knows where it stands. */
export type { OpenPdf } from '../../editors/pdf/open';
export { PagePicture } from '../../editors/pdf/PagePicture';
export { usePageSize } from '../../editors/pdf/usePageSize';
export { type PdfState, usePdf } from '../../editors/pdf/usePdf';
export { useViewport } from '../../editors/window';
