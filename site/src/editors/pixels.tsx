import { parsePages } from '../ranges';
import type { EditorProps } from '../workbench/contract';
import type { OpenPdf } from './pdf/open';
import type { PageSize } from './pdf/render';
import { usePageSize } from './pdf/usePageSize';
import { usePdf } from './pdf/usePdf';
import { wordsOf } from './words';
import '../fields/fields.css';
import './editors.css';

type PixelOptions = {
  size: { how: 'dpi'; dpi: number } | { how: 'width'; width: number };
  pages: string;
};

/** PAGE_PIXELS of cluster/engines/draw/pages.py. */
const MOST_PIXELS = 100_000_000;

/** Under the options of PDF to image: how large the pictures become. */
export default function Pixels({ files, options, lang }: EditorProps) {
  const [first] = files;
  const state = usePdf(first);
  const words = wordsOf(lang);
  const chosen = options as unknown as PixelOptions;
  const pdf = state.at === 'open' ? state.pdf : null;
  const paper = usePageSize(pdf, firstPage(chosen.pages, pdf));
  if (!paper) return null;
  const { width, height } = pixelsOf(paper.size, chosen.size);
  return (
    <p className="editor-notice" role="status">
      {words.predicted(paper.page)}
      <strong>{words.pixels(width, height)}</strong>
      {width * height > MOST_PIXELS && <span className="field-problem">{words.tooManyPixels}</span>}
    </p>
  );
}

/** As the server rounds it (cluster/engines/draw/pages.py). */
export function pixelsOf(paper: PageSize, size: PixelOptions['size']): PageSize {
  const scale = size.how === 'dpi' ? size.dpi / 72 : size.width / paper.width;
  return {
    width: Math.max(1, Math.ceil(paper.width * scale - 0.01)),
    height: Math.max(1, Math.ceil(paper.height * scale - 0.01)),
  };
}

function firstPage(range: string, pdf: OpenPdf | null): number {
  const found = pdf && parsePages(range, pdf.pages);
  return found?.ok ? Math.min(...found.pages.slice(0, 1)) : 1;
}
