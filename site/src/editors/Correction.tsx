import { useEffect, useId, useMemo, useRef, useState } from 'react';
import type { ChosenFile, Lang } from '../workbench/contract';
import { saveText } from '../lib/save';
import { Doubts } from './Doubts';
import type { Lines } from './lines/model';
import { type Words, wordsOf } from './words';
import '../fields/fields.css';
import './editors.css';
import './correction.css';

export type CorrectionProps = {
  /** The picture that was read; without its bytes when only its key is known. */
  file: ChosenFile | null;
  /** Name of the text or Markdown file to save, for example "发票_文字.txt". */
  name: string;
  load(): Promise<string>;
  /** The lines beside the text, with their places and certainty. */
  loadData(): Promise<string | null>;
  /** What it was corrected to before the page was loaded again. */
  corrected?: string | undefined;
  /** Tells what downloads shall hold; null is what was read. */
  onText(text: string | null): void;
  lang: Lang;
};

/** What stands after a line read with little certainty: _DOUBT of cluster/tools/image_to_text.py. */
const DOUBT = '[?]';

/** Whether a doubtful line is no longer in the text as it was read, or its mark was taken away. */
function isMended(original: string, text: string, line: string): boolean {
  const read = original.includes(line + DOUBT) ? line + DOUBT : line;
  return original.includes(read) && !text.includes(read);
}

type Phase = { at: 'loading' } | { at: 'failed' } | { at: 'ready'; original: string };

/** Picture and recognised text side by side; what is corrected here is what gets copied and saved. */
export default function Correction({ file, name, load, loadData, corrected, onText, lang }: CorrectionProps) {
  const [phase, setPhase] = useState<Phase>({ at: 'loading' });
  const [text, setText] = useState('');
  const [data, setData] = useState<Lines | null>(null);
  const room = useRef<HTMLElement>(null);
  const words = wordsOf(lang);
  // biome-ignore lint/correctness/useExhaustiveDependencies: one load for one result
  useEffect(() => {
    let current = true;
    load().then(
      (original) => {
        if (!current) return;
        setPhase({ at: 'ready', original });
        setText(corrected ?? original);
      },
      () => current && setPhase({ at: 'failed' }),
    );
    // Without it the text is corrected all the same.
    loadData().then(
      (told) => current && told && setData(JSON.parse(told) as Lines),
      () => undefined,
    );
    return () => {
      current = false;
    };
  }, [name]);
  const write = (next: string, original: string) => {
    setText(next);
    onText(next === original ? null : next);
  };
  const find = (line: string) => {
    const field = room.current?.querySelector('textarea');
    const at = text.indexOf(line);
    if (!field) return;
    field.focus();
    if (at < 0) return;
    // Whoever types it anew takes the mark of doubt away with it.
    const end = at + line.length;
    field.setSelectionRange(at, text.startsWith(DOUBT, end) ? end + DOUBT.length : end);
  };
  if (phase.at === 'failed') return <p className="editor-empty">{words.loadFailed}</p>;
  if (phase.at === 'loading') return <p className="editor-empty">{words.opening}</p>;
  return (
    <section className="correction-room" aria-label={words.recognised} ref={room}>
      {data && (
        <Doubts
          data={data}
          file={file}
          words={words}
          mended={(line) => isMended(phase.original, text, line)}
          onFind={find}
        />
      )}
      <div className="correction">
        {file?.blob && <Picture picture={file.blob} words={words} />}
        <TextSide
          words={words}
          text={text}
          onText={(next) => write(next, phase.original)}
          original={phase.original}
          name={name}
        />
      </div>
    </section>
  );
}

function Picture({ picture, words }: { picture: Blob; words: Words }) {
  const url = useMemo(() => URL.createObjectURL(picture), [picture]);
  const [large, setLarge] = useState(false);
  useEffect(() => () => URL.revokeObjectURL(url), [url]);
  return (
    <figure className="correction-picture" data-large={large || undefined}>
      <figcaption>{words.picture}</figcaption>
      <button type="button" aria-pressed={large} aria-label={words.zoom} onClick={() => setLarge(!large)}>
        <img src={url} alt={words.picture} />
      </button>
    </figure>
  );
}

type TextProps = { words: Words; text: string; onText(text: string): void; original: string; name: string };

function TextSide({ words, text, onText, original, name }: TextProps) {
  const id = useId();
  const [said, setSaid] = useState('');
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setSaid(words.copied),
      () => setSaid(words.copyFailed),
    );
  return (
    <div className="correction-text">
      <label htmlFor={id}>
        {words.recognised}
        <span>{words.characters(countOf(text))}</span>
      </label>
      <textarea
        id={id}
        className="field-input"
        spellCheck={false}
        value={text}
        aria-describedby={`${id}-hint`}
        onChange={(event) => {
          onText(event.target.value);
          setSaid('');
        }}
      />
      <p className="field-hint" id={`${id}-hint`}>
        {words.correctHint}
      </p>
      <div className="editor-bar-row">
        <button type="button" className="btn btn-primary" onClick={() => void copy()}>
          {words.copy}
        </button>
        <button type="button" className="btn btn-plain" onClick={() => saveText(text, name)}>
          {words.download(name.endsWith('.md') ? 'Markdown' : 'TXT')}
        </button>
        {text !== original && (
          <button type="button" className="btn btn-quiet" onClick={() => onText(original)}>
            {words.undoEdits}
          </button>
        )}
        <span role="status" className="editor-count">
          {said}
        </span>
      </div>
    </div>
  );
}

export const countOf = (text: string): number => [...text.replace(/\s/g, '')].length;
