import type { Point } from '../place/marks';
import type { Leaf, Plan, Shown } from '../place/scene';
import { added, copied, copies, type EditOptions, isPlaced, removed, replaced } from './acts';
import { inkOf, noteAt, redactOf, shapeOf, textAt, type Where } from './making';
import { hintsInRow, holdsStill, wayOf } from './modes';
import { sceneOf } from './plan';
import { freedomOf, putAt } from './spots';
import { grown, type Desk } from './useDesk';
import { parsePages } from '../../ranges';

/** The desk as the surface's plan. */
export function surfacePlan(desk: Desk): Plan<EditOptions> {
  const { source, mode, pen, by, words } = desk;
  const where = ({ page, view }: Leaf): Where => ({ source, page, view });
  const drawn = (options: EditOptions, points: readonly Point[], leaf: Leaf): EditOptions => {
    const act = drawnAct(desk, points, where(leaf));
    return act ? added(options, act) : options;
  };
  return {
    scene: (options, leaf) =>
      sceneOf(options, leaf, {
        source,
        words,
        writing: desk.written?.at ?? null,
        linesOpen: mode === 'change',
        found: mode === 'find' ? (desk.search.state.found ?? []) : [],
        off: desk.search.state.off,
        known: desk.search.known,
        artOf: desk.artOf,
        lookOf: desk.lookOf,
      }),
    put(options, id, put, { view }) {
      const act = options.acts[Number(id)];
      if (!act || !isPlaced(act) || !freedomOf(act).moves) return options;
      const next = putAt(act, put, view);
      return replaced(options, Number(id), next.kind === 'text' ? grown(next) : next);
    },
    hint: () => {
      if (hintsInRow(mode)) return '';
      return mode === 'redact' && by === 'text' ? words.hints.redactText : words.hints[mode];
    },
    remove: (options, id) => removed(options, Number(id)),
    copy(options, id, pages, leaf) {
      const act = options.acts[Number(id)];
      const found = parsePages(pages, leaf.pages);
      if (!act || !isPlaced(act) || !copies(act) || !found.ok) return options;
      const others = [...new Set(found.pages)].filter((page) => page !== act.page);
      return added(options, ...others.map((page) => copied(act, page)));
    },
    open: (id) => desk.open(Number(id)),
    still: holdsStill(mode),
    trace: wayOf(mode, pen, by),
    drawn,
    traced: (points, shown) => traced(desk, points, shown, drawn),
  };
}

/** What a hand draws in the mode that is on. */
function drawnAct({ mode, pen, styles }: Desk, points: readonly Point[], where: Where) {
  if (mode === 'redact') return redactOf(points, where, styles.redact);
  if (mode !== 'draw') return null;
  return pen === 'ink'
    ? inkOf(points, where, styles.ink)
    : shapeOf(points, where, { ...styles.shape, shape: pen });
}

/** What was drawn is an act, or the place to write at. */
function traced(
  desk: Desk,
  points: readonly Point[],
  shown: Shown<EditOptions>,
  drawn: (options: EditOptions, points: readonly Point[], leaf: Leaf) => EditOptions,
): void {
  const { mode, source, styles, options } = desk;
  const { leaf } = shown;
  const where: Where = { source, page: leaf.page, view: leaf.view };
  const [first] = points;
  if (mode === 'text') desk.write({ act: textAt(points, where, styles.text), at: null });
  else if (mode === 'note' && first) desk.write({ act: noteAt(first, where, styles.note), at: null });
  else {
    const next = drawn(options, points, leaf);
    if (next !== options) shown.act(next);
    if (mode !== 'draw' || desk.pen === 'ink') return;
    shown.choose(String(options.acts.length));
  }
  desk.toMode('select');
}
