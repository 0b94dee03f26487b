import { type CSSProperties, useState } from 'react';
import type { ChosenFile, EditorProps, Json } from '../workbench/contract';
import { useOwnPicture } from './FileThumb';
import { Close, Grip, TurnRight } from './icons';
import { type MountOptions, mounted, type Size } from './mount';
import { type Handle, SortableGrid } from './SortableGrid';
import { type Order, sorted, sortedByTaken } from './sorting';
import { type Words, wordsOf } from './words';
import './editors.css';
import './album.css';

type AlbumOptions = MountOptions & { order: 'given' | 'name' | 'taken'; turns: number[] };

/** The longer side of a small page, in pixels. */
const SIDE = 136;

/** Pictures as the pages they become: in their order, turned, on their paper. */
export default function Album({ files, options, onChange, lang, list }: EditorProps) {
  const words = wordsOf(lang);
  const chosen = options as unknown as AlbumOptions;
  const turns = new Map(files.map(({ id }, index) => [id, chosen.turns[index] ?? 0]));
  const write = (ids: readonly string[], by: ReadonlyMap<string, number>) =>
    onChange({ ...(options as object), order: 'given', turns: ids.map((id) => by.get(id) ?? 0) } as Json);
  const ids = files.map(({ id }) => id);
  const reorder = (next: string[]) => {
    write(next, turns);
    list?.onReorder(next);
  };
  const turn = (id: string) => write(ids, new Map(turns).set(id, ((turns.get(id) ?? 0) + 90) % 360));
  const nameOf = (id: string) => files.find((file) => file.id === id)?.name ?? '';
  return (
    <section className="editor" aria-label={words.pictureList}>
      {files.length > 1 && <AlbumBar files={files} words={words} onOrder={reorder} />}
      <SortableGrid
        ids={ids}
        nameOf={nameOf}
        onOrder={reorder}
        className="album"
        label={words.pictureList}
        words={words}
        item={(id, handle) => (
          <Leaf
            file={files.find((file) => file.id === id) as ChosenFile}
            turn={turns.get(id) ?? 0}
            options={chosen}
            handle={handle}
            words={words}
            onTurn={() => turn(id)}
            onRemove={list && (() => list.onRemove(id))}
          />
        )}
      />
    </section>
  );
}

type BarProps = { files: ChosenFile[]; words: Words; onOrder(ids: string[]): void };

function AlbumBar({ files, words, onOrder }: BarProps) {
  const by = (order: Order) => onOrder(sorted(files, order));
  const byTaken = () => void sortedByTaken(files).then(onOrder);
  return (
    <div className="editor-bar-row">
      <span className="field-chips">
        <button type="button" className="field-chip" onClick={() => by('name')}>
          {words.sortName}
        </button>
        <button type="button" className="field-chip" onClick={byTaken}>
          {words.sortTaken}
        </button>
        <button type="button" className="field-chip" onClick={() => by('date')}>
          {words.sortDate}
        </button>
        <button type="button" className="field-chip" onClick={() => by('reverse')}>
          {words.reverse}
        </button>
      </span>
      <span className="editor-count" role="status">
        {words.picturesTotal(files.length)}
      </span>
    </div>
  );
}

type LeafProps = {
  file: ChosenFile;
  /** Degrees clockwise. */
  turn: number;
  options: MountOptions;
  handle: Handle;
  words: Words;
  onTurn(): void;
  onRemove: (() => void) | undefined;
};

function Leaf({ file, turn, options, handle, words, onTurn, onRemove }: LeafProps) {
  const { ref, ...grip } = handle;
  return (
    <div className="album-leaf">
      {/* A mouse drags the page itself; a finger, which scrolls there, drags the grip. */}
      <span className="album-face" onPointerDown={grip.onPointerDown}>
        <Page file={file} turn={turn} options={options} />
      </span>
      <span className="album-name filename" title={file.name}>
        {file.name}
      </span>
      <span className="album-buttons">
        <button type="button" className="album-grip" ref={ref} {...grip} aria-label={words.handle(file.name)}>
          <Grip />
        </button>
        <button type="button" aria-label={words.turnPicture(file.name)} onClick={onTurn}>
          <TurnRight />
        </button>
        {onRemove && (
          <button type="button" aria-label={words.remove(file.name)} onClick={onRemove}>
            <Close />
          </button>
        )}
      </span>
    </div>
  );
}

type PageProps = Pick<LeafProps, 'file' | 'turn' | 'options'>;

/** The page in small; of pictures that browsers cannot show, their kind on it. */
function Page({ file, turn, options }: PageProps) {
  const url = useOwnPicture(file);
  const [size, setSize] = useState<Size>([3, 4]);
  const seen: Size = turn % 180 === 0 ? size : [size[1], size[0]];
  const { page, picture, cut } = mounted(seen, options);
  const scale = SIDE / Math.max(...page);
  const [wide, high] = picture.map((side) => side * scale) as [number, number];
  const style: CSSProperties = {
    width: turn % 180 === 0 ? wide : high,
    height: turn % 180 === 0 ? high : wide,
    rotate: `${turn}deg`,
  };
  return (
    <span className="album-page" style={{ width: page[0] * scale, height: page[1] * scale }}>
      <span className="album-room" style={{ inset: cut * scale }}>
        {url ? (
          <img
            src={url}
            alt=""
            draggable={false}
            style={style}
            onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
              setSize([naturalWidth || 1, naturalHeight || 1])
            }
          />
        ) : (
          <span className="album-kind" style={style}>
            {file.kind.toUpperCase()}
          </span>
        )}
      </span>
    </span>
  );
}
