import { type ChangeEvent, useRef, useState } from 'react';
import { rememberUpload } from '../../fields/uploads';
import type { Holding } from '../place/Surface';
import { ToolBar } from '../place/ToolBar';
import { type Act, copied, copies, type EditOptions, isPlaced, removed, replaced } from './acts';
import type { Desk } from './useDesk';
import { hintsInRow } from './modes';
import { isStyled, pictureAt, type Styled, type Styles } from './making';
import {
  Deeds,
  InkFields,
  MarkFields,
  NoteFields,
  PenChoice,
  PictureFields,
  RedactFields,
  ReflowField,
  ShapeFields,
  TextFields,
} from './StyleRow';

type Props = { desk: Desk; hold: Holding<EditOptions> };

/** The tools, and below them what belongs to the tool or to what is chosen. */
export function Bar({ desk, hold }: Props) {
  const { words, modes, mode, toMode } = desk;
  const at = Number(hold.chosen ?? Number.NaN);
  const act = desk.options.acts[at];
  const chosen = act && isPlaced(act) && act.source === desk.source ? act : undefined;
  return (
    <div className="edit-bars">
      <ToolBar
        modes={modes}
        chosen={mode}
        onChoose={(name) => {
          hold.choose(null);
          toMode(name);
        }}
        label={words.tools}
      />
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset does not lay out its children as this does */}
      <div
        className="style-row"
        data-hints={(!chosen && hintsInRow(mode)) || undefined}
        role="group"
        aria-label={words.style}
        data-testid="style-row"
      >
        {chosen ? (
          <OfThing key={chosen.kind} act={chosen} at={at} desk={desk} hold={hold} />
        ) : (
          <OfMode desk={desk} hold={hold} />
        )}
      </div>
    </div>
  );
}

function OfThing({ act, at, desk, hold }: Props & { act: Act; at: number }) {
  const { options, words } = desk;
  const write = (patch: object) => {
    hold.act(replaced(options, at, { ...act, ...patch } as Act));
    if (isStyled(act.kind)) desk.restyle(act.kind, patch);
  };
  const opens = act.kind === 'text' || act.kind === 'note' || act.kind === 'change';
  return (
    <>
      {act.kind === 'change' ? (
        <ReflowField
          value={act.reflow}
          onValue={(reflow) => hold.act(replaced(options, at, { ...act, reflow }))}
          words={words}
        />
      ) : (
        isStyled(act.kind) && <Fields kind={act.kind} style={act as never} onStyle={write} desk={desk} />
      )}
      <Deeds
        act={act}
        onCopy={
          copies(act) && isPlaced(act)
            ? () => {
                hold.act({ ...options, acts: [...options.acts, copied(act)] });
                hold.choose(String(options.acts.length));
              }
            : null
        }
        onOpen={opens ? () => desk.open(at) : null}
        onRemove={() => {
          hold.choose(null);
          hold.act(removed(options, at));
        }}
        words={words}
      />
    </>
  );
}

type FieldsProps<Kind extends Styled> = {
  kind: Kind;
  style: Styles[Kind];
  onStyle(patch: Partial<Styles[Kind]>): void;
  desk: Desk;
};

function Fields<Kind extends Styled>({ kind, style, onStyle, desk }: FieldsProps<Kind>) {
  const shared = { style: style as never, onStyle: onStyle as never, words: desk.words };
  switch (kind) {
    case 'text':
      return <TextFields {...shared} />;
    case 'picture':
      return <PictureFields {...shared} />;
    case 'shape':
      return <ShapeFields {...shared} />;
    case 'ink':
      return <InkFields {...shared} />;
    case 'mark':
      return <MarkFields {...shared} />;
    case 'note':
      return <NoteFields {...shared} />;
    default:
      return <RedactFields {...shared} />;
  }
}

/** What the next thing will look like. */
function OfMode({ desk, hold }: Props) {
  const { mode, styles, restyle, words, pen, setPen, by, setBy } = desk;
  const fields = <Kind extends Styled>(kind: Kind) => (
    <Fields kind={kind} style={styles[kind]} onStyle={(patch) => restyle(kind, patch)} desk={desk} />
  );
  switch (mode) {
    case 'text':
      return fields('text');
    case 'picture':
      return <ChoosePicture desk={desk} hold={hold} />;
    case 'draw':
      return (
        <>
          <PenChoice pen={pen} onPen={setPen} words={words} />
          {pen === 'ink' ? fields('ink') : fields('shape')}
        </>
      );
    case 'mark':
      return (
        <>
          {fields('mark')}
          <Apply desk={desk} hold={hold} word={words.applyMark} />
        </>
      );
    case 'note':
      return fields('note');
    case 'redact':
      return (
        <>
          <RedactFields
            style={styles.redact}
            onStyle={(patch) => restyle('redact', patch)}
            by={by}
            onBy={setBy}
            words={words}
          />
          {by === 'text' && <Apply desk={desk} hold={hold} word={words.applyRedact} />}
        </>
      );
    default:
      return <p className="style-hint">{words.hints[mode]}</p>;
  }
}

/** Where a selection is made without letting go of anything: by fingers and by keys. */
const Apply = ({ desk, hold, word }: Props & { word: string }) => (
  <button
    type="button"
    className="style-apply"
    disabled={!desk.pending}
    onClick={() => desk.applyPending(hold)}
    data-testid="apply-selection"
  >
    {word}
  </button>
);

const ACCEPTED = '.png,.jpg,.jpeg,.webp,.tif,.tiff,.bmp,.gif';

function ChoosePicture({ desk, hold }: Props) {
  const { words, options, source, styles, upload } = desk;
  const [phase, setPhase] = useState<'idle' | 'uploading' | 'uploadFailed' | 'notPicture'>('idle');
  const input = useRef<HTMLInputElement>(null);
  const newest = useRef(options);
  newest.current = options;
  const take = async ({ target }: ChangeEvent<HTMLInputElement>) => {
    const file = target.files?.[0];
    const { current } = hold;
    target.value = '';
    if (!file || !upload || !current) return;
    setPhase('uploading');
    const size = await createImageBitmap(file).catch(() => null);
    if (!size) return setPhase('notPicture');
    try {
      const key = await upload(file);
      rememberUpload(key, file);
      const act = pictureAt(key, size, { source, page: current.page, view: current.view }, styles.picture);
      hold.act({ ...newest.current, acts: [...newest.current.acts, act] });
      desk.toMode('select');
      hold.choose(String(newest.current.acts.length));
    } catch {
      setPhase('uploadFailed');
    }
  };
  return (
    <>
      <button
        type="button"
        className="style-apply"
        disabled={phase === 'uploading'}
        onClick={() => input.current?.click()}
      >
        {words.choosePicture}
      </button>
      <input
        ref={input}
        type="file"
        hidden
        accept={ACCEPTED}
        aria-label={words.choosePicture}
        onChange={take}
        data-testid="edit-picture"
      />
      <span role="status" className="style-hint">
        {phase === 'idle' ? words.hints.picture : words[phase]}
      </span>
    </>
  );
}
