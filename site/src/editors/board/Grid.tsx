import { type KeyboardEvent, type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import type { ChosenFile } from '../../workbench/contract';
import { useStable } from '../useStable';
import { extended } from './choice';
import { Carried, Frame } from './Hand';
import { LeafCell } from './LeafCell';
import {
  closestFit,
  columnsIn,
  itemAfterKey,
  type Layout,
  layoutOf,
  type Stretch,
  scrollFor,
  shownIn,
} from './layout';
import { isBlank, type Leaf } from './model';
import { Notice } from './Notice';
import { type Named, pictureOf } from './naming';
import type { BoardProps, Press, Section } from './types';
import { useGestures } from './useGestures';
import type { Opened } from './useOpened';
import { useScroll, type Window } from './useScroll';
import type { BoardWords } from './words';

export type GridProps = BoardProps & {
  leaves: readonly Leaf[];
  words: BoardWords;
  opened: Opened;
  named: Named;
  /** Columns fewer than the width has room for; null: as few as show all pages. */
  closer: number | null;
  /** Tells how many columns the width has room for, and how many fewer show all pages. */
  onRoom(columns: number, fit: number): void;
  onPress(press: Press, id: number, withShift?: boolean): void;
  /** A key on an item; true when it was used. */
  onKey(event: KeyboardEvent, item: number): boolean;
  /** The files that have something in sight. */
  onSeen(files: readonly ChosenFile[]): void;
};

const EDGE = 12;
const LEAST_CELL = 148;
const PHONE = { width: 520, share: 0.86, gap: 8 };

/** Every page as a scrolling grid; only the rows in sight are in the tree. */
export function Grid(props: GridProps) {
  const { sections, leaves, words, choice, deeds, onChoice } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const window = useScroll(scroller);
  const layout = useLayout(props, window);
  const rows = window.width > 0 ? shownIn(layout, window.from - EDGE, window.to - EDGE) : [];
  const { active, setActive, onKeyDown } = useFocus(props, scroller, layout);
  const { gesture, onPointerDown, onClickCapture } = useGestures({
    scroller,
    layout,
    leaves,
    choice,
    edge: EDGE,
    onChoice,
    onMove: deeds.move,
  });
  useSeenFiles(
    props,
    rows.map(({ stretch }) => stretch),
    rows.flatMap(({ first, last }) => leaves.slice(first, last)),
  );
  const inTree = rows.flatMap(({ first, last }) => leaves.slice(first, last));
  const reachable = inTree.find(({ id }) => id === active)?.id ?? inTree[0]?.id;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would not scroll as this does
    <div
      ref={scroller}
      className="board-grid"
      role="group"
      aria-label={words.pagesGrid}
      aria-description={deeds.move ? words.keysAndMove : words.keys}
      // What scrolls is reached by the keyboard, also while no page is there to be.
      tabIndex={reachable === undefined ? 0 : undefined}
      data-gesture={gesture?.at}
      onKeyDown={onKeyDown}
      onPointerDown={onPointerDown}
      onClickCapture={onClickCapture}
    >
      <div className="board-space" style={{ height: layout.height }}>
        {rows.map(({ stretch, first, last, top }) => (
          <Rows
            key={sections[stretch]?.file?.id ?? 'all'}
            {...props}
            layout={layout}
            section={sections[stretch] as Section}
            stretch={stretch}
            first={first}
            last={last}
            top={top}
            carried={gesture?.at === 'carry' ? gesture.ids : null}
            reachable={reachable}
            onFocus={setActive}
          />
        ))}
        {leaves.length === 0 && sections.every(({ file }) => file === null) && <Nothing {...props} />}
        {gesture?.at === 'frame' && <Frame rect={gesture.rect} />}
        {gesture?.at === 'carry' && <Carried gesture={gesture} height={layout.cell} words={words} />}
      </div>
    </div>
  );
}

const HEIGHTS = { foot: 44, heading: 52, notice: 208 };

function useLayout({ sections, leastCell = LEAST_CELL, closer, onRoom }: GridProps, window: Window): Layout {
  const { width, height } = window;
  const stretches = useMemo(
    () => sections.map((section) => stretchOf(section, sections.length > 1)),
    [sections],
  );
  const fullest = useFullest(stretches);
  const metrics = useMemo(() => {
    const phone = width < PHONE.width;
    const cell = { leastCell: phone ? leastCell * PHONE.share : leastCell, gap: phone ? PHONE.gap : 12 };
    return { width: width - 2 * EDGE, ...cell, ...HEIGHTS };
  }, [width, leastCell]);
  const columns = columnsIn(metrics);
  const fit = useMemo(() => closestFit(fullest, metrics, height - 2 * EDGE), [fullest, metrics, height]);
  useEffect(() => onRoom(columns, fit), [columns, fit, onRoom]);
  return useMemo(
    () => layoutOf(stretches, { ...metrics, closer: closer ?? fit }),
    [stretches, metrics, closer, fit],
  );
}

const stretchOf = ({ file, leaves }: Section, many: boolean): Stretch => ({
  count: leaves.length,
  heading: file !== null && many,
  notice: file !== null && leaves.length === 0,
});

const countOf = (stretches: readonly Stretch[]) => stretches.reduce((sum, { count }) => sum + count, 0);

/** The most pages there were: when one goes the others keep their size. */
function useFullest(stretches: readonly Stretch[]): readonly Stretch[] {
  const [fullest, setFullest] = useState(stretches);
  const now = countOf(stretches) > countOf(fullest) ? stretches : fullest;
  useEffect(() => setFullest(now), [now]);
  return now;
}

/** Tells which files are looked at; blank pages belong to none. */
function useSeenFiles(props: GridProps, stretches: number[], leaves: readonly Leaf[]) {
  const { sections, files, onSeen } = props;
  const ids = new Set(leaves.flatMap((leaf) => (isBlank(leaf) ? [] : [leaf.file])));
  for (const stretch of stretches) {
    const file = sections[stretch]?.file;
    if (file) ids.add(file.id);
  }
  const hidden = leaves.length === 0 && uncounted(props);
  if (hidden) ids.add(hidden.id);
  const key = [...ids].join('/');
  const report = useStable(() => onSeen(files.filter(({ id }) => ids.has(id))));
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is seen is told by its key
  useEffect(report, [key, files, report]);
}

/** One page takes the focus; arrow keys move it, also to rows that are not in the tree yet. */
function useFocus(props: GridProps, scroller: React.RefObject<HTMLElement | null>, layout: Layout) {
  const { leaves, choice, deeds, onChoice } = props;
  const [active, setActive] = useState<number | null>(null);
  const wantsFocus = useRef(false);
  useEffect(() => {
    if (!wantsFocus.current) return;
    const target = scroller.current?.querySelector<HTMLElement>(`[data-item="${active}"]`);
    if (!target) return;
    wantsFocus.current = false;
    target.focus({ preventScroll: true });
  });
  const show = (item: number) => {
    const target = scroller.current;
    const scroll = target && scrollFor(layout, item, target.scrollTop - EDGE, target.clientHeight);
    if (typeof scroll === 'number') target?.scrollTo({ top: scroll + EDGE });
  };
  const focus = (item: number) => {
    wantsFocus.current = true;
    setActive(leaves[item]?.id ?? null);
    show(item);
  };
  const carry = (from: number, to: number) => {
    const leaf = leaves[from];
    if (!leaf || !deeds.move) return;
    const ids = choice?.ids.has(leaf.id) ? choice.ids : new Set([leaf.id]);
    deeds.move(ids, to > from ? to + 1 : to);
    wantsFocus.current = true;
    setActive(leaf.id);
    show(to);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (isElsewhere(event)) return;
    const item = Math.max(
      0,
      leaves.findIndex(({ id }) => id === active),
    );
    if (props.onKey(event, item)) return event.preventDefault();
    const height = scroller.current?.clientHeight ?? 0;
    const to = itemAfterKey(layout, event.key, item, height);
    if (to === null || leaves.length === 0) return;
    event.preventDefault();
    if (event.altKey) return carry(item, to);
    const [from, target] = [leaves[item], leaves[to]];
    if (event.shiftKey && choice && from && target) {
      onChoice(extended({ ...choice, anchor: from.id }, leaves, target.id));
    }
    focus(to);
  };
  return { active, setActive, onKeyDown };
}

/** Fields have their own keys, and a button below a page is pressed as any other. */
function isElsewhere({ target, key }: KeyboardEvent): boolean {
  const element = target as Element;
  if (element.closest('input, .board-head')) return true;
  return (key === ' ' || key === 'Enter') && element.closest('.leaf-face') === null;
}

type RowsProps = GridProps & {
  layout: Layout;
  section: Section;
  stretch: number;
  first: number;
  last: number;
  top: number;
  carried: ReadonlySet<number> | null;
  reachable: number | undefined;
  onFocus(id: number): void;
};

function Rows(props: RowsProps) {
  const { layout, section, stretch, first, last, top, leaves, words, fileTools, opened } = props;
  const { file } = section;
  const placed = layout.stretches[stretch];
  const many = props.sections.length > 1;
  return (
    <>
      {file && many && (
        <Head
          file={file}
          top={placed?.top ?? 0}
          words={words}
          count={section.leaves.length}
          tools={fileTools?.(file)}
        />
      )}
      {file && section.leaves.length === 0 && (
        <div className="board-instead" style={{ top: (placed?.top ?? 0) + (many ? 52 : 0) }}>
          <Notice file={file} state={opened.get(file.id)} words={words} onPassword={props.onPassword} />
        </div>
      )}
      <ol
        className="board-rows"
        style={{
          top,
          gridTemplateColumns: `repeat(${layout.columns}, ${layout.cell}px)`,
          columnGap: layout.gap,
        }}
      >
        {leaves.slice(first, last).map((leaf, index) => (
          <li
            key={leaf.id}
            style={{ height: layout.row }}
            aria-setsize={leaves.length}
            aria-posinset={first + index + 1}
            data-carried={props.carried?.has(leaf.id) || undefined}
            onFocus={() => props.onFocus(leaf.id)}
          >
            <Item {...props} leaf={leaf} place={first + index} />
          </li>
        ))}
      </ol>
    </>
  );
}

type HeadProps = { file: ChosenFile; top: number; count: number; words: BoardWords; tools: ReactNode };

function Head({ file, top, count, words, tools }: HeadProps) {
  return (
    <div className="board-head" style={{ top }}>
      <strong className="filename" title={file.name}>
        {file.name}
      </strong>
      {count > 0 && <span>{words.pages(count)}</span>}
      {tools}
    </div>
  );
}

function Item({ leaf, place, ...props }: RowsProps & { leaf: Leaf; place: number }) {
  const {
    choice,
    deeds,
    named,
    files,
    opened,
    words,
    layout,
    reachable,
    partAt,
    shape = 'any',
    onPress,
  } = props;
  const { name, number } = named(leaf);
  const mixed = props.section.file === null && files.length > 1 && !isBlank(leaf);
  return (
    <LeafCell
      leaf={leaf}
      number={number}
      name={name}
      size={layout.cell}
      chosen={choice ? choice.ids.has(leaf.id) : null}
      focusable={leaf.id === reachable}
      state={isBlank(leaf) ? undefined : opened.get(leaf.file)}
      picture={pictureOf(leaf, files)}
      hue={mixed ? hueOf(files.findIndex(({ id }) => id === leaf.file)) : null}
      quick={quickOf(deeds)}
      shape={shape}
      part={partAt?.(place) ?? null}
      words={words}
      onPress={onPress}
    />
  );
}

/** Neighbouring files are far apart on the wheel. */
const hueOf = (file: number): number => Math.round((155 + file * 137.5) % 360);

const QUICK: readonly [key: 'turn' | 'copy' | 'remove', presses: readonly Press[]][] = [
  ['turn', ['left', 'right']],
  ['copy', ['copy']],
  ['remove', ['remove']],
];
const known = new Map<string, readonly Press[]>();

/** At most four; the same array each time, or every cell would be drawn anew. */
function quickOf(deeds: GridProps['deeds']): readonly Press[] {
  const offered = QUICK.flatMap(([key, presses]) => (deeds[key] ? presses : []));
  const some = (
    offered.length > 3 ? offered.filter((press) => press !== 'left' && press !== 'copy') : offered
  ).slice(0, 3);
  const key = some.join();
  const quick = known.get(key) ?? [...some, 'look'];
  known.set(key, quick as readonly Press[]);
  return quick as readonly Press[];
}

/** A file whose pages nobody could count: it has no leaves on a board without sections. */
const uncounted = ({ files }: GridProps) => files.find(({ kind, pages }) => kind === 'pdf' && pages === null);

function Nothing(props: GridProps) {
  const { words, opened, onPassword } = props;
  const file = uncounted(props);
  if (file) return <Notice file={file} state={opened.get(file.id)} words={words} onPassword={onPassword} />;
  return (
    <div className="board-notice">
      <strong>{words.emptyBoard}</strong>
      <span>{words.emptyHint}</span>
    </div>
  );
}
