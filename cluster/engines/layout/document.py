"""Sheets to one document: headers, footnotes, tables, columns, paragraphs, and what goes on over a page's end."""

import itertools
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from statistics import median_low

from cluster.engines.layout import letterhead, margins, nested, notes
from cluster.engines.layout.aligned import aligned
from cluster.engines.layout.bands import Parts, bands
from cluster.engines.layout.beside import are_cells
from cluster.engines.layout.compounds import tell_compounds
from cluster.engines.layout.continued import join_tables, join_texts
from cluster.engines.layout.counted import counted
from cluster.engines.layout.drawn import without
from cluster.engines.layout.edges import edged
from cluster.engines.layout.filled import flow_on
from cluster.engines.layout.floating import float_in, floating, floats
from cluster.engines.layout.grid import Grid, Slot
from cluster.engines.layout.grids import grids
from cluster.engines.layout.grounds import beneath, darken, ground
from cluster.engines.layout.kinds import tell_kinds
from cluster.engines.layout.letters import fits, mark_of, usual_size
from cluster.engines.layout.model import (
    Band,
    Block,
    Box,
    Cell,
    Document,
    Figure,
    Margin,
    Note,
    Paragraph,
    Picture,
    Running,
    Sheet,
    Span,
    Style,
    Table,
    TextLine,
)
from cluster.engines.layout.paper import page_margins
from cluster.engines.layout.prose import paragraphs
from cluster.engines.layout.row_names import with_names
from cluster.engines.layout.rows import level
from cluster.engines.layout.running import lost, running
from cluster.engines.layout.slivers import without_slivers
from cluster.engines.layout.spacing import even, set_spacing
from cluster.engines.layout.stacked import PAD, pads, parted
from cluster.engines.layout.turning import lying, upright_turn
from cluster.engines.layout.uncolumned import columned
from cluster.engines.layout.undivided import divided

#: Pictures lower than this (points) are ornaments.
_LOW = 6
#: A picture of this share of the page is its ground, where the page has more letters than this.
_FULL, _WORDS = 0.8, 20
#: Lines that have to be broken at the right edge, so that it is one.
_RUNNING = 2
#: A page's own edges are nearer (points) to the usual ones, or its text is as wide: it was moved, as scans are.
_NEAR = 20
#: The lower margin of a picture alone, which has no footers: its letters may turn out larger.
_LOWEST = 12
#: Lines of a short paragraph, at most.
_SHORT = 4


Sides = list[tuple[float, float]]


@dataclass
class _Page:
    """What is left of a sheet after its tables and notes are taken, which stand between `ceiling` and `floor`."""

    sheet: Sheet
    lines: list[TextLine]
    pictures: list[Picture]
    tables: list[Table]
    floor: float
    ceiling: float = math.inf


def compose(sheets: Sequence[Sheet]) -> Document:
    """The sheets as one document."""
    body = usual_size(line for sheet in sheets for line in sheet.lines)
    apart, shared = margins.part(sheets)
    shared = counted(shared)
    runs = running(sheets, shared)
    apart = [_with_lost(sheet, lost(page, runs, shared)) for page, sheet in enumerate(apart)]
    apart = letterhead.part(apart, runs)
    _with_drawn(runs, sheets)
    kept: list[Note] = []
    pages = _pages(apart, body, kept)
    left, right = _edges(pages)
    found: list[Band] = []
    known: Sides = []
    for page in pages:
        more, known = _bands(page, left, right, known if page.sheet.width == sheets[0].width else None)
        found += more
    sizes = [(sheet.width, sheet.height) for sheet in sheets]
    document = Document(found, sizes, (0, 0, 0, 0), body, runs, kept)
    even(found)
    document.margins = page_margins(document, left, right, [page.floor for page in pages])
    if len(sheets) == 1 and not sheets[0].whole:
        document.margins = (*document.margins[:3], min(document.margins[3], _LOWEST))
    join_tables(document, [page.ceiling for page in pages])
    join_texts(document)
    _rag(document)
    set_spacing(document)
    flow_on(document, [page.ceiling for page in pages])
    tell_kinds(document)
    tell_compounds(document, sheets)
    return document


def _with_lost(sheet: Sheet, own: Margin) -> Sheet:
    return replace(sheet, lines=(*own[0], *sheet.lines, *own[1])) if any(own) else sheet


def _with_drawn(runs: Sequence[Running], sheets: Sequence[Sheet]) -> None:
    """What is drawn at headers and footers: surfaces of a run's second page, for a first one may be a cover; rules."""
    for run, end in zip(runs, [*(run.page for run in runs[1:]), len(sheets)], strict=True):
        first, second = sheets[run.page], sheets[min(run.page + 1, end - 1)]
        run.drawn = (*second.fills, *first.thick_rules, *second.thick_rules)


def _edges(pages: "Sequence[_Page]") -> tuple[float, float]:
    """The text's edges on most pages: where its lines begin and end, and its tables.

    Scans lie elsewhere on each page, and what ends beyond a justified text's edge is no text that is broken there.
    """
    blocks = [block for page in pages if (block := margins.solid(page.lines, page.sheet.width))]
    if 2 * len(blocks) > len(pages):
        return median_low(block[0] for block in blocks), median_low(block[1] for block in blocks)
    left, right = margins.edges(margins.inside(line for page in pages for line in page.lines))
    if pages and _wrapped(pages, right) < _RUNNING:
        right = max(right, pages[0].sheet.width - left)
    tables = [table.box for page in pages for table in page.tables if table.ruled]
    lefts, rights = [box[0] + PAD for box in tables], [box[2] - PAD for box in tables]
    return max(0.0, min([left, *lefts])), max([right, *rights])


def _wrapped(pages: "Sequence[_Page]", right: float) -> int:
    """How many lines were broken at the right edge: where none is, the edge is not known by them."""
    pairs = (pair for page in pages for pair in itertools.pairwise(page.lines))
    return sum(
        abs(one.box[0] - two.box[0]) < one.size
        and 0 < two.base - one.base < 2.6 * one.size
        and not (mark_of(two) or fits(one, two, right))
        for one, two in pairs
    )


def tables_of(sheet: Sheet) -> list[Table]:
    """The sheet's tables alone, top to bottom."""
    sheet = without(sheet, sheet.drawn)
    found = _tables(_Page(sheet, list(sheet.lines), list(sheet.pictures), [], 0))
    return sorted(found, key=lambda table: table.box[1])


def table_of(grid: Grid, lines: list[TextLine], sheet: Sheet, *, ruled: bool) -> Table:
    """The table that the lines make in a grid of the sheet."""
    return _table(grid, lines, _Page(sheet, [], [], [], 0), ruled=ruled)


def ruled_apart(sheet: Sheet) -> tuple[list[Table], list[TextLine]]:
    """The sheet's ruled tables, and the lines outside of them; lines that are turned stand in no table."""
    page = _Page(sheet, [line for line in sheet.lines if not line.turn], [], [], 0)
    tables = _ruled(page, named=False)
    return tables, [*page.lines, *(line for line in sheet.lines if line.turn)]


def _pages(sheets: Sequence[Sheet], body: float, kept: list[Note]) -> list[_Page]:
    """The sheets without their notes, which join `kept`, and without their tables' lines."""
    parted = [notes.part(sheet, sheet.lines, body) for sheet in sheets]
    texts = notes.endnotes([notes.linked(lines, own, kept, body) for lines, own in parted], kept)
    left = {id(line) for lines in texts for line in lines}
    boxes = [[line.box for note in own for line in note.lines if id(line) not in left] for _, own in parted]
    return [_page(*each) for each in zip(sheets, texts, boxes, strict=True)]


def _page(sheet: Sheet, lines: list[TextLine], low: list[Box]) -> _Page:
    pictures = [each for each in sheet.pictures if each.box[3] - each.box[1] > _LOW and not _behind(each, sheet)]
    floor, ceiling = max((box[3] for box in low), default=0.0), min((box[1] for box in low), default=math.inf)
    page = _Page(sheet, lines, pictures, [], floor, ceiling)
    page.tables = _tables(page)
    return page


def _behind(picture: Picture, sheet: Sheet) -> bool:
    """Whether it fills the page behind its text: a scan with its words over it, or a slide's ground."""
    left, top, right, bottom = picture.box
    full = (right - left) * (bottom - top) > _FULL * sheet.width * sheet.height
    return full and not picture.cleared and sum(len(line.text) for line in sheet.lines) > _WORDS


def _tables(page: _Page) -> list[Table]:
    """Take the tables out of the page's lines."""
    sheet = page.sheet
    found = _ruled(page)
    for parts, sides in bands(page.lines, *margins.edges([line.box for line in page.lines]), (), sheet.rules):
        for part in [list(itertools.chain(*parts))] if are_cells(parts, sides, sheet.rules) else parts:
            for grid, own in aligned(part, sheet.rules, [box for box, _ in sheet.fills]):
                taken = {id(line) for line in own}
                page.lines = [line for line in page.lines if id(line) not in taken]
                found.append(_table(grid, own, page, ruled=False))
    return found


def _ruled(page: _Page, *, named: bool = True) -> list[Table]:
    """Take the ruled tables out of the page's lines; `named`: with names of rows that stand outside of the rules."""
    sheet, found = page.sheet, list[Table]()
    for grid in grids(sheet.rules, page.lines):
        left, top, right, bottom = grid.box
        whole = Slot(0, 0, 1, 1, (left - 2, top - 2, right + 2, bottom + 2))
        own = [line for line in page.lines if whole.holds(line.box)]
        page.lines = [line for line in page.lines if not whole.holds(line.box)]
        found.append(_table(grid, own, page, ruled=True, named=named))
    return found


def _table(grid: Grid, lines: list[TextLine], page: _Page, *, ruled: bool, named: bool = False) -> Table:
    for inner in grid.inner:
        own = nested.within(lines, inner.box)
        rows = nested.row_lines(_by_slot(inner, own), [slot.row for slot in inner.slots])
        lines = [*(line for line in lines if line not in own), *rows]
    grid = without_slivers(grid, lines)
    grid = divided(columned(grid, lines) if ruled else grid, lines)
    if named:
        grid, beside = with_names(grid, lines, page.lines, page.sheet.rules)
        page.lines, lines = [line for line in page.lines if line not in beside], [*lines, *beside]
    held = _by_slot(grid, lines)
    both = zip(grid.slots, held, strict=True)
    cells = [_cell(slot, own, _pictures_in(slot, page), page.sheet, ruled=ruled) for slot, own in both]
    return edged(Table(grid.columns, grid.rows, cells, page.sheet.number, ruled), page.sheet.thick_rules)


def _by_slot(grid: Grid, lines: Iterable[TextLine]) -> list[list[TextLine]]:
    held: list[list[TextLine]] = [[] for _ in grid.slots]
    for line in lines:
        held[grid.slot_at(line.box)].append(line)
    return held


def _pictures_in(slot: Slot, page: _Page) -> list[Picture]:
    own = [each for each in page.pictures if slot.holds(each.box)]
    page.pictures = [each for each in page.pictures if not slot.holds(each.box)]
    return own


def _cell(slot: Slot, lines: list[TextLine], pictures: list[Picture], sheet: Sheet, *, ruled: bool) -> Cell:
    left, top, right, bottom = slot.box
    fill, turn = beneath(sheet.fills, slot.box, lines), upright_turn(lines)
    if turn:
        lines, right, bottom = [lying(line, slot.box) for line in lines], left + bottom - top, top + right - left
    rows = level(lines)
    pad = min([PAD, *[max(0.0, line.box[0] - left) for line in rows]])
    texts = paragraphs(rows, left + pad, right - pad, sheet.number) if rows else []
    near = pads(rows, left, right, {text.align for text in texts})
    if ruled:
        texts = [each for text in texts for each in parted(text, rows, (left, top, right, bottom))]
    for text in texts:
        size = text.size
        text.left += pad - near[0] if text.align in ("left", "both") else 0
        text.align = "left" if text.align == "both" and len(text.lines) <= _SHORT else text.align
        text.pitch = text.pitch or max(0.9 * size, min(1.2 * size, (bottom - top - 0.5) / len(texts)))
    figures = [Figure(each, sheet.number) for each in pictures]
    blocks: list[Paragraph | Figure] = sorted([*texts, *figures], key=lambda block: block.box[1])
    place = slot.row, slot.column, slot.rows, slot.columns
    unread = any(map(slot.holds, sheet.unread))
    return Cell(*place, slot.box, tuple(blocks), fill, ruled=ruled, pads=near, unread=unread, turn=turn)


def _bands(page: _Page, left: float, right: float, known: Sides | None) -> tuple[list[Band], Sides]:
    """The page's bands with their blocks in order, and the columns it ends with.

    `known` are those that the page before ended with; None where the page has another width than most.
    """
    sheet, boxes, usual, sides = page.sheet, [line.box for line in page.lines], known is not None, Sides()
    if not usual or len(boxes) >= 10:
        block = margins.solid(page.lines, sheet.width)
        near = block or margins.edges(margins.inside(page.lines))
        usual = usual and not (block and abs(block[1] - block[0] - (right - left)) < _NEAR)
        left = near[0] if not usual or abs(near[0] - left) < _NEAR else left
        right = near[1] if not usual or abs(near[1] - right) < _NEAR else right
    far = _far(sheet, boxes, left, right)
    found: list[Band] = []
    items: list[TextLine | Table | Picture] = [*page.lines, *page.tables, *page.pictures]
    for parts, sides in map(_with_text, bands(items, left, right, known or (), page.sheet.rules)):
        gap = sides[1][0] - sides[0][1] if len(sides) > 1 else 0
        own = sides if len(parts) == 1 else list(map(_reach, parts, sides))
        band = Band(len(parts), gap, [], sheet.number, left, far if len(parts) == 1 else right, tuple(sides))
        for part, (start, end) in zip(parts, own, strict=True):
            blocks = _column(part, start, end, sheet)
            if band.blocks and (head := next((block for block in blocks if not floats(block)), None)):
                head.new_column = True
            band.blocks += blocks
        _widen(band, far - right)
        if band.blocks:
            band.blocks[0].new_page = sheet.number > 0 and not found
            found.append(band)
    return found or _blank(sheet, left, right), sides


def _reach(part: Sequence[TextLine | Table | Picture], side: tuple[float, float]) -> tuple[float, float]:
    """From where to where a column's items reach; what stands in the page's margin widens none."""
    own = [item.box for item in part if not (isinstance(item, TextLine) and item.turn)]
    return (min(box[0] for box in own), max(box[2] for box in own)) if own else side


def _with_text(found: Parts[TextLine | Table | Picture]) -> Parts[TextLine | Table | Picture]:
    """A column of pictures alone is none: they stand beside the text of the other."""
    parts, sides = found
    alone = [bool(part) and all(isinstance(item, Picture) for item in part) for part in parts]
    if len(parts) != 2 or alone[0] == alone[1]:
        return found
    return [list(itertools.chain(*parts))], [(sides[0][0], sides[-1][1])]


def _blank(sheet: Sheet, left: float, right: float) -> list[Band]:
    """An empty page, where one stands behind others."""
    line = TextLine((left, 90, left + 1, 102), 100, (Span("", Style("", 10.5)),))
    text = Paragraph([line], sheet.number, new_page=True)
    return [Band(1, 0, [text], sheet.number, left, right)] if sheet.number > 0 and not sheet.lines else []


def _far(sheet: Sheet, boxes: list[Box], left: float, right: float) -> float:
    """The right margin: where lines are ragged it is likely the left one's twin."""
    near = [box for box in boxes if abs(box[2] - right) < 1.5]
    twin = sheet.width - left
    return twin if len(near) < max(4, 0.08 * len(boxes)) and 0 < twin - right < 90 else right


def _widen(band: Band, more: float) -> None:
    for block in band.blocks:
        if band.columns == 1 and isinstance(block, Paragraph) and block.align != "left":
            block.right += more


def _column(items: Sequence[TextLine | Table | Picture], left: float, right: float, sheet: Sheet) -> list[Block]:
    """The column's blocks: paragraphs between tables and pictures."""
    text = level(item for item in items if isinstance(item, TextLine))
    figures = [figure for item in items if isinstance(item, Picture) and (figure := floating(item, text, sheet.number))]
    taken = [id(figure.picture) for figure in figures]
    stops = [item for item in items if not isinstance(item, TextLine) and id(item) not in taken]
    blocks: list[Block] = []
    for stop in sorted(stops, key=lambda item: item.box[1]):
        middle = (stop.box[1] + stop.box[3]) / 2
        blocks += paragraphs([line for line in text if line.base < middle], left, right, sheet.number)
        text = [line for line in text if line.base >= middle]
        blocks.append(_placed(stop, left, right, sheet.number))
    blocks += paragraphs(text, left, right, sheet.number)
    own = [block for block in blocks if isinstance(block, Paragraph)]
    for each in own:
        each.fill = ground(sheet.fills, each.box)
    darken(own, [picture.box for picture in sheet.pictures if _behind(picture, sheet)])
    return float_in(blocks, figures)


def _placed(stop: Table | Picture, left: float, right: float, page: int) -> Block:
    made = Figure(stop, page) if isinstance(stop, Picture) else stop
    made.left = made.box[0] - left
    if isinstance(made, Figure) and made.box[2] - made.box[0] <= right - left:
        made.left = max(0.0, made.left)
    if made.left > 20 and abs(made.left - (right - made.box[2])) < 12:
        made.align = "center"
    return made


def _rag(document: Document) -> None:
    """Where most long paragraphs are ragged, a short one whose lines happen to end alike is, too."""
    texts = [block for block in document.blocks if isinstance(block, Paragraph) and len(block.lines) > _SHORT]
    both = sum(text.align == "both" for text in texts)
    for block in document.blocks if len(texts) > 2 * both else ():
        if isinstance(block, Paragraph) and block.align == "both" and len(block.lines) <= _SHORT:
            block.align = "left"
