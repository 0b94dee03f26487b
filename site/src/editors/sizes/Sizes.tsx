import { useEffect, useState } from 'react';
import type { EditorProps, Lang } from '../../workbench/contract';
import type { OpenPdf } from '../pdf/open';
import { type PageSize, pageSize } from '../pdf/render';
import { usePdf } from '../pdf/usePdf';
import { namedSizes, type UniformOptions, uniformed } from './uniform';
import '../editors.css';

/** Pages that are looked at; a longer document tells of its beginning. */
const MOST = 500;
const NAMED = 4;

const zh = {
  before: '现在',
  after: '统一后',
  pages: (count: number) => `${count} 页`,
  more: (count: number) => `还有 ${count} 种大小`,
  first: (count: number) => `按前 ${count} 页`,
};

const en: typeof zh = {
  before: 'Now',
  after: 'Then',
  pages: (count) => (count === 1 ? '1 page' : `${count} pages`),
  more: (count) => (count === 1 ? 'and 1 other size' : `and ${count} other sizes`),
  first: (count) => `of the first ${count} pages`,
};

/** Under the options of uniform width: which sizes there are, and which there will be. */
export default function Sizes({ files, options, lang }: EditorProps) {
  const [first] = files;
  const state = usePdf(first);
  const sizes = useSizes(state.at === 'open' ? state.pdf : null);
  const after = sizes && uniformed(sizes, options as unknown as UniformOptions);
  if (!sizes || !after) return null;
  const words = lang === 'zh' ? zh : en;
  return (
    <dl className="editor-notice" data-testid="sizes">
      <Row name={words.before} sizes={sizes} lang={lang} />
      <Row name={words.after} sizes={after} lang={lang} />
      {(first?.pages ?? 0) > MOST && <dd>{words.first(MOST)}</dd>}
    </dl>
  );
}

function Row({ name, sizes, lang }: { name: string; sizes: readonly PageSize[]; lang: Lang }) {
  const words = lang === 'zh' ? zh : en;
  const named = namedSizes(sizes);
  return (
    <div>
      <dt>{name}</dt>
      {named.slice(0, NAMED).map(([size, count]) => (
        <dd key={size} className="editor-notice-line">
          <strong>{size}</strong>
          {words.pages(count)}
        </dd>
      ))}
      {named.length > NAMED && <dd>{words.more(named.length - NAMED)}</dd>}
    </div>
  );
}

/** The sizes of the first pages, once all are known. */
function useSizes(pdf: OpenPdf | null): PageSize[] | null {
  const [sizes, setSizes] = useState<PageSize[] | null>(null);
  useEffect(() => {
    setSizes(null);
    if (!pdf) return;
    let current = true;
    const wanted = Array.from({ length: Math.min(MOST, pdf.pages) }, (_, at) => pageSize(pdf, at + 1));
    Promise.all(wanted).then(
      (found) => current && setSizes(found),
      () => undefined,
    );
    return () => {
      current = false;
    };
  }, [pdf]);
  return sizes;
}
