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
  more: '等',
  first: (count: number) => `按前 ${count} 页`,
};

const en: typeof zh = {
  before: 'Now',
  after: 'Then',
  pages: (count) => (count === 1 ? '1 page' : `${count} pages`),
  more: '…',
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
  const told = named.slice(0, NAMED).map(([size, count]) => `${size} (${words.pages(count)})`);
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <strong>
          {[...told, ...(named.length > NAMED ? [words.more] : [])].join(lang === 'zh' ? '，' : ', ')}
        </strong>
      </dd>
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
