import { BoxSelect, X } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { ChosenFile, EditorProps, Json, Lang } from '../../workbench/contract';
import { FileSwitch } from '../FileSwitch';
import { PdfStage } from '../PdfStage';
import type { OpenPdf } from '../pdf/open';
import { type OpenPicture, openPicture } from '../pdf/picture';
import type { Shown } from '../place/scene';
import { type Holding, readable, Surface } from '../place/Surface';
import { wordsOf } from '../words';
import { type Area, type AreaOptions, added, cleared, planOf, refiled } from './plan';
import { type AreaWords, areaWordsOf } from './words';
import '../../fields/fields.css';
import '../editors.css';
import './areas.css';

/** The pages, with a box around each table that somebody wants read whatever the finder finds. */
export default function Areas({ files, options, onChange, lang }: EditorProps) {
  const words = areaWordsOf(lang);
  const chosen = options as unknown as AreaOptions;
  const change = (next: AreaOptions) => onChange(next as unknown as Json);
  useFiles(files, chosen, change);
  const given = { options: chosen, change, lang, words };
  if (files.some(({ kind }) => kind !== 'pdf')) return <PictureStage files={files} {...given} />;
  return (
    <PdfStage files={files} label={words.label} words={wordsOf(lang)}>
      {({ pdf, index }) => <Drawn pdf={pdf} file={index} unit={1} {...given} />}
    </PdfStage>
  );
}

function useFiles(files: ChosenFile[], options: AreaOptions, change: (options: AreaOptions) => void) {
  const ids = files.map(({ id }) => id).join('\n');
  const before = useRef(ids);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only other files are news
  useEffect(() => {
    const next = refiled(options, before.current.split('\n'), ids.split('\n'));
    before.current = ids;
    if (next !== options) change(next);
  }, [ids]);
}

type Given = {
  options: AreaOptions;
  change(options: AreaOptions): void;
  lang: Lang;
  words: AreaWords;
};

type DrawnProps = Given & { pdf: OpenPdf; file: number; unit: number };

function Drawn({ pdf, file, unit, options, change, lang, words }: DrawnProps) {
  const [drawing, setDrawing] = useState(false);
  const onDrawn = (area: Area, { act, choose }: Shown<AreaOptions>) => {
    act(added(options, area));
    choose(String(options.areas.length));
    // The hand goes back to taking hold.
    setDrawing(false);
  };
  const plan = planOf({ file, unit }, words, { drawing, onDrawn });
  const own = options.areas.filter((area) => area.file === file);
  return (
    <Surface
      pdf={pdf}
      options={options}
      onChange={change}
      plan={plan}
      lang={lang}
      fit={readable}
      touched={new Set(own.map(({ page }) => page))}
      onKey={({ key }) => key === 'Escape' && setDrawing(false)}
      bar={(hold) => (
        <Tools
          drawing={drawing}
          onDrawing={setDrawing}
          file={file}
          options={options}
          hold={hold}
          words={words}
        />
      )}
    />
  );
}

type ToolsProps = {
  drawing: boolean;
  onDrawing(drawing: boolean): void;
  file: number;
  options: AreaOptions;
  hold: Holding<AreaOptions>;
  words: AreaWords;
};

function Tools({ drawing, onDrawing, file, options, hold, words }: ToolsProps) {
  const page = hold.current?.page;
  const here = options.areas.some((area) => area.file === file && area.page === page);
  return (
    <div className="area-tools">
      <button
        type="button"
        className="btn btn-plain"
        aria-pressed={drawing}
        onClick={() => {
          hold.choose(null);
          onDrawing(!drawing);
        }}
        data-testid="draw-area"
      >
        <BoxSelect size={18} aria-hidden="true" />
        {words.draw}
      </button>
      {here && page && (
        <button
          type="button"
          className="btn btn-quiet"
          onClick={() => hold.act(cleared(options, file, page))}
          data-testid="clear-areas"
        >
          <X size={18} aria-hidden="true" />
          {words.clear}
        </button>
      )}
    </div>
  );
}

/** As `PdfStage`, of pictures. */
function PictureStage({ files, ...given }: Given & { files: ChosenFile[] }) {
  const [chosen, setChosen] = useState(0);
  const index = Math.min(chosen, files.length - 1);
  const file = files[index];
  const { words, lang } = given;
  return (
    <section className="editor" aria-label={words.label}>
      <FileSwitch files={files} chosen={index} onChoose={setChosen} words={wordsOf(lang)} />
      {file && (
        <Opened key={file.id} blob={file.blob} words={words}>
          {({ pdf, unit }) => <Drawn pdf={pdf} file={index} unit={unit} {...given} />}
        </Opened>
      )}
    </section>
  );
}

type OpenedProps = { blob: Blob | null; words: AreaWords; children(picture: OpenPicture): ReactNode };

function Opened({ blob, words, children }: OpenedProps) {
  const [state, setState] = useState<OpenPicture | 'opening' | 'unseen'>('opening');
  useEffect(() => {
    if (!blob) return;
    let current = true;
    setState('opening');
    openPicture(blob).then(
      (picture) => current && setState(picture),
      () => current && setState('unseen'),
    );
    return () => {
      current = false;
    };
  }, [blob]);
  if (blob && typeof state !== 'string') return children(state);
  return (
    <p className="editor-empty" role="status">
      {blob ? words[state as 'opening' | 'unseen'] : words.absent}
    </p>
  );
}
