import { useEffect, useRef, useState } from 'react';
import { Curtain } from '../../ui/Curtain';
import type { ChosenFile, EditorProps, Json } from '../../workbench/contract';
import { sizeText } from '../../workbench/words';
import { PageSwitch } from '../PageSwitch';
import { PdfStage } from '../PdfStage';
import type { OpenPdf } from '../pdf/open';
import { PagePicture } from '../pdf/PagePicture';
import { type PageSize, roomFor } from '../pdf/render';
import { usePageSize } from '../pdf/usePageSize';
import { useViewport } from '../window';
import { wordsOf as commonWordsOf, type Words } from '../words';
import { DEFAULTS, type ScanOptions, settled } from './presets';
import { type Scanned, useScan } from './useScan';
import { type ScanWords, wordsOf } from './words';
import '../../fields/fields.css';
import '../editors.css';

const SEEDS = 9999;

/** One page as it is and as it will be, side by side under a slider. */
export default function Scan({ files, options, onChange, lang }: EditorProps) {
  const [words, common] = [wordsOf(lang), commonWordsOf(lang)];
  const given = { ...DEFAULTS, ...(options as Partial<ScanOptions>) };
  const chosen = settled(given);
  const change = (next: ScanOptions) => onChange(next as unknown as Json);
  // Who goes on by hand goes on from the preset that was chosen last.
  const apart = JSON.stringify(given) !== JSON.stringify(chosen);
  useEffect(() => {
    if (apart) change(chosen);
  });
  return (
    <PdfStage files={files} label={words.label} words={common}>
      {({ pdf, file }) => (
        <Preview pdf={pdf} file={file} options={chosen} onOptions={change} words={words} common={common} />
      )}
    </PdfStage>
  );
}

type PreviewProps = {
  pdf: OpenPdf;
  file: ChosenFile;
  options: ScanOptions;
  onOptions(options: ScanOptions): void;
  words: ScanWords;
  common: Words;
};

function Preview({ pdf, file, options, onOptions, words, common }: PreviewProps) {
  const [wanted, setPage] = useState(1);
  const shown = usePageSize(pdf, wanted);
  const page = shown?.page ?? wanted;
  const scan = useScan(file, page, options);
  const isDefault = options.preset === DEFAULTS.preset && options.seed === DEFAULTS.seed && options.vary;
  return (
    <>
      <Room pdf={pdf} page={page} view={shown?.size ?? null} scan={scan} words={words} common={common} />
      <div className="editor-bar-row editor-foot">
        <PageSwitch page={wanted} pages={pdf.pages} onPage={setPage} words={common} />
        <span>
          <button
            type="button"
            className="btn btn-quiet"
            onClick={() => onOptions({ ...options, seed: (options.seed % SEEDS) + 1 })}
          >
            {words.shuffle}
          </button>
          {!isDefault && (
            <button
              type="button"
              className="btn btn-quiet"
              onClick={() => onOptions({ ...DEFAULTS, text: options.text })}
            >
              {words.reset}
            </button>
          )}
        </span>
      </div>
      <p className="field-hint" role="status" data-testid="scan-size">
        {sizeHint(scan, pdf.pages, words)}
      </p>
    </>
  );
}

function sizeHint({ picture, phase }: Scanned, pages: number, words: ScanWords): string {
  if (phase === 'failed') return words.failed;
  if (!picture) return '';
  const all = pages > 1 ? words.total(sizeText(picture.bytes * pages)) : '';
  return words.size(sizeText(picture.bytes)) + all;
}

type RoomProps = {
  pdf: OpenPdf;
  page: number;
  view: PageSize | null;
  scan: Scanned;
  words: ScanWords;
  common: Words;
};

function Room({ pdf, page, view, scan, words, common }: RoomProps) {
  const room = useRef<HTMLDivElement>(null);
  const { width, height } = useViewport(room);
  const box = view && roomFor(view, { width, height });
  const picture = scan.picture?.page === page ? scan.picture : null;
  return (
    <div className="sheet-room" ref={room}>
      {box && (
        <div className="sheet" data-testid="scan" data-phase={scan.phase} data-page={page} style={box}>
          <Curtain
            box={box}
            label={words.compare}
            before={{
              picture: <PagePicture pdf={pdf} page={page} box={box} label={common.page(page)} />,
              tag: words.before,
            }}
            after={{
              picture: picture && <img src={picture.url} alt={words.scanned(page)} />,
              tag: words.after,
            }}
          />
        </div>
      )}
    </div>
  );
}
