import { Maximize, Redo2, Undo2, ZoomIn, ZoomOut } from 'lucide-react';
import {
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { ACTUAL, type Size, stepped, type Zoom } from '../../workbench/preview/zoom';
import { sameJson, type Steps, useHistory } from '../board/useHistory';
import type { OpenPdf } from '../pdf/open';
import { type PageSize, pageSize } from '../pdf/render';
import { useViewport } from '../window';
import { type Words, wordsOf } from '../words';
import type { Lang } from '../../workbench/contract';
import type { Hold } from './Frame';
import { PageSwitch } from '../PageSwitch';
import { type Hands, PlacePage, type Tracing } from './PlacePage';
import { Rail } from './Rail';
import { type Act, type Leaf, NOTHING, type Plan, type Shown } from './scene';
import type { Guide } from './snap';
import { ThingList } from './ThingList';
import { bounded, useZoom } from './useZoom';
import { type PlaceWords, placeWordsOf } from './words';
import './canvas.css';
import './modes.css';

const GAP = 16;
/** Pages kept drawn before and after those in sight. */
const BEYOND = 1;

type Props<O> = {
  pdf: OpenPdf;
  options: O;
  onChange(options: O): void;
  plan: Plan<O>;
  lang: Lang;
  children?: ReactNode;
  /** Above the pages, and beside them; they are told how to write acts. */
  bar?(hold: Holding<O>): ReactNode;
  panel?(hold: Holding<O>): ReactNode;
  /** With a list of all pages, and those of them that something was done to. */
  touched?: ReadonlySet<number>;
  fit?: Fit;
  onKey?(event: KeyboardEvent, hold: Holding<O>): void;
};

/** The page in the middle, what is chosen on it, and how acts are written. */
export type Holding<O> = {
  current: Leaf | null;
  chosen: string | null;
  choose(id: string | null): void;
  act: Act<O>;
  go(page: number): void;
};

/** What a hand does just now: the options as they would be, and the lines that hold it. */
type Draft<O> = { options: O; page: number; guides: Guide[] };

/** The pages one below the other with what a tool puts on them: to see, to move, to size, to turn. */
export function Surface<O>(props: Props<O>) {
  const { pdf, options, onChange, plan, lang, children } = props;
  const words = placeWordsOf(lang);
  const steps = useHistory(options, onChange, sameJson);
  const [draft, setDraft] = useState<Draft<O> | null>(null);
  const [chosen, choose] = useState<string | null>(null);
  const { sizes, learn } = useSizes(pdf);
  const room = useRef<HTMLElement>(null);
  const pages = usePages(room, pdf, sizes, props.fit);
  const leafOf = (page: number): Leaf | null => {
    const view = sizes.get(page);
    return view ? { page, pages: pdf.pages, view } : null;
  };
  const shown = draft?.options ?? options;
  const current = leafOf(pages.current);
  const scene = current ? plan.scene(shown, current) : NOTHING;
  const settle = (put: O) => {
    setDraft(null);
    steps.act(put);
  };
  const handsOf = (leaf: Leaf): Hands => ({
    chosen,
    onChoose: choose,
    onDrag: ({ thing, ...put }, guides) =>
      setDraft({ options: plan.put(options, thing.id, put, leaf), page: leaf.page, guides }),
    onDrop: ({ thing, ...put }: Hold) => settle(plan.put(options, thing.id, put, leaf)),
    onCancel: () => setDraft(null),
    onRemove: plan.remove && ((id) => settle(plan.remove?.(options, id) ?? options)),
    onOpen: plan.open && ((id) => plan.open?.(id, leaf)),
  });
  const tracingOn = (shownOn: Shown<O>): Tracing | null =>
    plan.trace
      ? {
          way: plan.trace,
          onDraw: (points) =>
            setDraft({
              options: plan.drawn?.(options, points, shownOn.leaf) ?? options,
              page: shownOn.leaf.page,
              guides: [],
            }),
          onDone: (points) => {
            setDraft(null);
            if (plan.traced) plan.traced(points, shownOn);
            else if (plan.drawn) settle(plan.drawn(options, points, shownOn.leaf));
          },
          onCancel: () => setDraft(null),
        }
      : null;
  const hold: Holding<O> = { current, chosen, choose, act: settle, go: pages.go };
  const press = (event: KeyboardEvent) => {
    undoBy(event, steps);
    if (!event.defaultPrevented) props.onKey?.(event, hold);
  };
  const letGo = ({ target }: PointerEvent) => {
    const pressed = target as HTMLElement;
    if (room.current?.contains(pressed) && !pressed.closest('.canvas-handle')) choose(null);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys for undo work wherever the focus is in here
    <div className="surface" onKeyDown={press} onPointerDown={letGo}>
      {props.bar?.(hold)}
      <div className="surface-row">
        {props.touched && pdf.pages > 1 && (
          <Rail
            pdf={pdf}
            current={pages.current}
            onPage={pages.go}
            touched={props.touched}
            words={wordsOf(lang)}
          />
        )}
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard */}
        <section className="canvas-room" ref={room} aria-label={words.surface} tabIndex={0}>
          <ol className="canvas-pages" style={{ height: pages.height, minWidth: pages.width }}>
            {pages.inSight.map((page) => (
              <Sheet
                key={page}
                page={page}
                view={sizes.get(page)}
                onSize={learn}
                top={pages.topOf(page)}
                height={pages.step - GAP}
              >
                {(view) => {
                  const leaf = { page, pages: pdf.pages, view };
                  const box = pages.boxOf(view);
                  const shownOn = { leaf, scale: box.width / view.width, act: settle, choose };
                  return (
                    <PlacePage
                      pdf={pdf}
                      page={page}
                      view={view}
                      box={box}
                      scene={plan.scene(shown, leaf)}
                      guides={draft?.page === page ? draft.guides : []}
                      hands={handsOf(leaf)}
                      tracing={tracingOn(shownOn)}
                      over={plan.over?.(shownOn)}
                      still={plan.still ?? false}
                      label={wordsOf(lang).page(page)}
                      words={words}
                    />
                  );
                }}
              </Sheet>
            ))}
          </ol>
        </section>
        {props.panel?.(hold)}
      </div>
      <Foot pages={pages} total={pdf.pages} steps={steps} words={words} pageWords={wordsOf(lang)}>
        {current ? plan.hint(shown, current) : ''}
      </Foot>
      {children}
      {current && (
        <ThingList
          things={scene.things}
          leaf={current}
          onPut={(id, put) => settle(plan.put(options, id, put, current))}
          onAdd={plan.add && (() => settle(plan.add?.(options, current) ?? options))}
          onRemove={plan.remove && ((id) => settle(plan.remove?.(options, id) ?? options))}
          onCopy={plan.copy && ((id, to) => settle(plan.copy?.(options, id, to, current) ?? options))}
          words={words}
        />
      )}
    </div>
  );
}

function undoBy<O>(event: KeyboardEvent, { undo, redo }: Steps<O>): void {
  if (!(event.ctrlKey || event.metaKey) || (event.target as HTMLElement).matches('input, textarea')) return;
  const key = event.key.toLowerCase();
  const act = key === 'y' || (key === 'z' && event.shiftKey) ? redo : key === 'z' ? undo : null;
  if (!act) return;
  event.preventDefault();
  act();
}

type Sizes = ReadonlyMap<number, PageSize>;

/** Sizes of the pages that were seen. */
function useSizes(pdf: OpenPdf) {
  const [sizes, setSizes] = useState<Sizes>(new Map());
  const learn = useCallback(
    (page: number) => {
      pageSize(pdf, page).then(
        (size) => setSizes((old) => (old.has(page) ? old : new Map(old).set(page, size))),
        () => undefined,
      );
    },
    [pdf],
  );
  return { sizes, learn };
}

/** CSS pixels for an actual pixel at which a page is fitted in a room. */
export type Fit = (page: Size, room: Size) => number;

export type Pages = ReturnType<typeof usePages>;

/** Which pages are in sight and how large; every page has the room of the tallest one seen. */
function usePages(
  room: React.RefObject<HTMLElement | null>,
  pdf: OpenPdf,
  sizes: Sizes,
  fitting: Fit = wholeIn,
) {
  const { width, height, scroll } = useViewport(room);
  const inner = { width: Math.max(1, width - 2 * GAP), height: Math.max(1, height - 2 * GAP) };
  const known = useMemo(() => [...sizes.values()], [sizes]);
  const first = sizes.get(1) ?? { width: 595, height: 842 };
  const scaleOf = (zoom: Zoom, page: PageSize = first) =>
    zoom === 'fit' ? fitting(actual(page), inner) : zoom;
  const stepAt = (zoom: Zoom) =>
    GAP +
    Math.max(...(known.length ? known : [first]).map((page) => actual(page).height * scaleOf(zoom, page)));
  const { zoom, setZoom, step } = useZoom(room, scaleOf, stepAt);
  const boxOf = (page: PageSize): Size => wholePixels(actual(page), scaleOf(zoom, page));
  const begin = Math.max(0, Math.floor((scroll - GAP) / step) - BEYOND);
  const end = width > 0 ? Math.min(pdf.pages, Math.ceil((scroll + height - GAP) / step) + BEYOND) : 0;
  const go = (page: number) => room.current?.scrollTo({ top: (page - 1) * step });
  return {
    step,
    zoom,
    scale: scaleOf(zoom),
    setZoom,
    boxOf,
    go,
    current: Math.min(pdf.pages, Math.max(1, Math.floor((scroll + height / 2) / step) + 1)),
    inSight: Array.from({ length: Math.max(0, end - begin) }, (_, index) => begin + index + 1),
    topOf: (page: number) => GAP + (page - 1) * step,
    height: pdf.pages * step + GAP,
    width: Math.max(...known.map((page) => boxOf(page).width), 0) + 2 * GAP,
  };
}

const actual = ({ width, height }: PageSize): Size => ({ width: width * ACTUAL, height: height * ACTUAL });

/** To put a thing somewhere one has to see all of the page. */
const wholeIn: Fit = (page, room) => Math.min(room.width / page.width, room.height / page.height);

/** Where words have to be read: as wide as there is room, up to their actual size, whatever the height. */
export const readable: Fit = (page, room) =>
  Math.max(wholeIn(page, room), Math.min(room.width / page.width, 1));

/** Page and marks are drawn for this box, and nothing is stretched by part of a pixel. */
const wholePixels = ({ width, height }: Size, scale: number): Size => ({
  width: Math.max(1, Math.round(width * scale)),
  height: Math.max(1, Math.round(height * scale)),
});

type SheetProps = {
  page: number;
  view: PageSize | undefined;
  top: number;
  height: number;
  onSize(page: number): void;
  children(view: PageSize): ReactNode;
};

/** The room of a page; the page is in it once its size is known. */
function Sheet({ page, top, height, onSize, children, view }: SheetProps) {
  useEffect(() => onSize(page), [page, onSize]);
  return <li style={{ top, height }}>{view && children(view)}</li>;
}

type FootProps = {
  pages: Pages;
  total: number;
  steps: { undo: (() => void) | null; redo: (() => void) | null };
  words: PlaceWords;
  pageWords: Words;
  children: ReactNode;
};

function Foot({ pages, total, steps: { undo, redo }, words, pageWords, children }: FootProps) {
  const { scale, zoom, setZoom } = pages;
  const button = (label: string, icon: ReactNode, press: (() => void) | null, on?: boolean) => (
    <button
      type="button"
      className="canvas-tool"
      aria-label={label}
      title={label}
      aria-pressed={on}
      disabled={!press}
      onClick={() => press?.()}
    >
      {icon}
    </button>
  );
  const by = (way: 1 | -1) => () => setZoom(bounded(stepped(scale, way)));
  return (
    <div className="editor-bar-row canvas-foot">
      <PageSwitch page={pages.current} pages={total} onPage={pages.go} words={pageWords} />
      <span className="canvas-tools">
        {button(words.undo, <Undo2 size={18} aria-hidden="true" />, undo)}
        {button(words.redo, <Redo2 size={18} aria-hidden="true" />, redo)}
        {button(words.zoomOut, <ZoomOut size={18} aria-hidden="true" />, scale > 0.5 ? by(-1) : null)}
        <span className="canvas-scale" aria-live="polite">
          {Math.round(scale * 100) || '–'}%
        </span>
        {button(words.zoomIn, <ZoomIn size={18} aria-hidden="true" />, scale < 4 ? by(1) : null)}
        {button(words.fit, <Maximize size={18} aria-hidden="true" />, () => setZoom('fit'), zoom === 'fit')}
      </span>
      <p className="field-hint" role="status" data-testid="place-hint">
        {children}
      </p>
    </div>
  );
}
