import { Eye, FileText } from 'lucide-react';
import { lazy, Suspense, useEffect, useState } from 'react';
import { proofreadOf, type ReviewName } from '../../editors/facts';
import type { Lines } from '../../editors/lines/model';
import type { Tables } from '../../editors/table/model';
import type { Lang } from '../../lib/lang';
import { correctedText, correctionOf, noteText } from '../corrections';
import { loadCorrection, loadLineReview, loadTableReview } from '../later';
import type { Shown } from '../shown';
import { FileName } from '../panels/FileName';
import { Compare } from './Compare';
import { SHOWN_PICTURES } from './FilePreview';
import { Gallery } from './Gallery';
import { asFile, Empty, Opened } from './Opened';
import { PageScroll } from './PageScroll';
import { Picture } from './Picture';
import { WordPages } from './WordPages';
import { type PreviewWords, previewWords } from './words';

const Correction = lazy(() => loadCorrection());
const LineReview = lazy(() => loadLineReview());
const TableReview = lazy(() => loadTableReview());

type StageProps = {
  /** All results, of which `chosen` is shown large. */
  results: Shown[];
  chosen: Shown;
  lang: Lang;
  /** A picture of the gallery is taken large. */
  onChoose(shown: Shown | null): void;
  /** Nothing is large: the gallery of all. */
  gallery: boolean;
  review: ReviewName | null;
  /** Corrections go into the results, to be looked at; false where that failed. */
  write(): Promise<boolean>;
};

/** The results as they are: pictures as a gallery, text to copy, a compressed file beside what it was. */
export function ResultStage({ results, chosen, lang, onChoose, gallery, review, write }: StageProps) {
  const t = previewWords[lang];
  if (gallery) return <Gallery results={results} onChoose={onChoose} t={t} />;
  const proofread = proofreadOf(review, chosen.output.kind);
  // What is written anew has another key.
  const own = proofread && proofread !== 'text' ? chosen.input : chosen.output.key;
  return <OneResult key={own} shown={chosen} lang={lang} review={review} write={write} t={t} />;
}

const SHOWN = ['pdf', 'docx', ...SHOWN_PICTURES];

type OneProps = { shown: Shown; lang: Lang; t: PreviewWords } & Pick<StageProps, 'review' | 'write'>;

function OneResult({ shown, lang, review, write, t }: OneProps) {
  const [asked, setAsked] = useState(shown.atOnce);
  const { kind } = shown.output;
  const proofread = proofreadOf(review, kind);
  const known = proofread === 'text' || (proofread && shown.data);
  if (!known && !SHOWN.includes(kind)) return <Empty>{t.noResultPicture}</Empty>;
  if (!asked) return <Ask shown={shown} onAsk={() => setAsked(true)} t={t} />;
  if (proofread === 'text') return <TextResult shown={shown} lang={lang} />;
  if (proofread === 'lines' && shown.data)
    return <LineResult shown={shown} load={shown.data} lang={lang} write={write} t={t} />;
  if (proofread && shown.data) return <TableResult shown={shown} load={shown.data} lang={lang} />;
  return <Fetched shown={shown} t={t} />;
}

/** After a reload, and for what is large, nothing is fetched unasked: it would count as a download. */
function Ask({ shown, onAsk, t }: Pick<OneProps, 'shown' | 't'> & { onAsk(): void }) {
  return (
    <div className="preview-empty">
      <FileText size={40} strokeWidth={1.25} aria-hidden="true" />
      <FileName name={shown.output.name} className="max-w-full font-medium text-ink" />
      <button type="button" className="btn btn-plain" onClick={onAsk} data-testid="show-preview">
        <Eye size={18} aria-hidden="true" />
        {t.show}
      </button>
      <p className="text-xs">{t.showLead}</p>
    </div>
  );
}

export function useBlob(shown: Shown): Blob | 'lost' | null {
  const [blob, setBlob] = useState<Blob | 'lost' | null>(null);
  useEffect(() => {
    let current = true;
    shown.fetch().then(
      (found) => current && setBlob(found),
      () => current && setBlob('lost'),
    );
    return () => {
      current = false;
    };
  }, [shown]);
  return blob;
}

function Fetched({ shown, t }: Pick<OneProps, 'shown' | 't'>) {
  const blob = useBlob(shown);
  const { output, before, password } = shown;
  if (blob === 'lost') return <Empty>{t.lost}</Empty>;
  if (!blob) return <Empty busy>{t.opening}</Empty>;
  if (output.kind === 'docx') return <WordPages blob={blob} name={output.name} t={t} />;
  if (output.kind !== 'pdf') return <Picture blob={blob} name={output.name} t={t} />;
  return (
    <Opened file={asFile(blob, output.name, password)} t={t} locked={t.resultLocked}>
      {(pdf) =>
        before ? (
          <Opened file={asFile(before.blob, before.name, before.password)} t={t}>
            {(old) => <Compare before={old} after={pdf} sizes={[before.blob.size, output.size]} t={t} />}
          </Opened>
        ) : (
          <PageScroll pdf={pdf} t={t} />
        )
      }
    </Opened>
  );
}

function TextResult({ shown, lang }: Pick<OneProps, 'shown' | 'lang'>) {
  const load = () => shown.fetch().then((blob) => blob.text());
  return (
    <div className="h-full overflow-y-auto p-4 text-left sm:p-5" data-testid="correction">
      <Suspense fallback={<div className="skeleton h-64 w-full" />}>
        <Correction
          file={shown.file}
          name={shown.output.name}
          load={load}
          loadData={async () => (await shown.data?.())?.text() ?? null}
          corrected={correctedText(shown.output.key)}
          onText={(text) => noteText(shown.output.key, text)}
          lang={lang}
        />
      </Suspense>
    </div>
  );
}

type LineProps = Omit<OneProps, 'review'> & { load(): Promise<Blob> };

/** The lines beside their picture, or the document that they make. */
function LineResult({ shown, load, lang, write, t }: LineProps) {
  const [view, setView] = useState<'lines' | 'writing' | 'pages'>('lines');
  const look = async () => {
    setView('writing');
    setView((await write()) ? 'pages' : 'lines');
  };
  if (view === 'writing') return <Empty busy>{t.writing}</Empty>;
  if (view === 'pages')
    return (
      <div className="preview-corrected">
        <button
          type="button"
          className="btn btn-quiet"
          onClick={() => setView('lines')}
          data-testid="proofread"
        >
          {t.proofread}
        </button>
        <Fetched shown={shown} t={t} />
      </div>
    );
  return (
    <Suspense fallback={<div className="skeleton size-full" />}>
      <LineReview
        kept={correctionOf<Lines>(shown.input ?? '')}
        load={() => load().then((blob) => blob.text())}
        file={shown.file}
        lang={lang}
        onPreview={() => void look()}
      />
    </Suspense>
  );
}

type TableProps = Pick<OneProps, 'shown' | 'lang'> & { load(): Promise<Blob> };

function TableResult({ shown, load, lang }: TableProps) {
  return (
    <Suspense fallback={<div className="skeleton size-full" />}>
      <TableReview
        kept={correctionOf<Tables>(shown.input ?? '')}
        load={() => load().then((blob) => blob.text())}
        file={shown.file}
        lang={lang}
      />
    </Suspense>
  );
}
