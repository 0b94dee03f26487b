"""What goes on over a page's end: paragraphs, and tables, whose rows a page's end may cut."""

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import replace

from cluster.engines.layout.floating import floats
from cluster.engines.layout.letters import CONTENTS, family, fits, mark_of, value_of
from cluster.engines.layout.model import Band, Cell, Document, Paragraph, Table
from cluster.engines.layout.stacked import text_in

#: Edges of columns that differ by less than this (points, after shifting) agree.
_AGREE = 9.0
#: … those of columns that nothing but their text tells, and of rules where the tables have not equally many columns.
_LOOSE, _SAME = 24.0, 3.0
#: Header rows that are looked for again, at most.
_HEADERS = 3
#: A table that ends above this share of its page was ended; the next row would not have fitted, give or take (points).
_LOW, _GIVE = 0.75, 4.0


def join_texts(document: Document) -> None:
    """A paragraph that goes on in the next column or on the next page is one."""
    flat = [(band, block) for band in document.bands for block in band.blocks]
    whole: dict[int, Paragraph] = {}
    # What pictures float beside stays on their page.
    stays = {id(block) for (_, block), (_, after) in itertools.pairwise(flat) if floats(after)}
    for (band, one), (other, two) in itertools.pairwise(flat):
        if not isinstance(one, Paragraph) or not isinstance(two, Paragraph) or id(two) in stays:
            continue
        edge = max(block.box[2] for block in band.blocks if band.columns == 1 or abs(block.box[0] - one.box[0]) < 60)
        above = two.lines[0].base < one.lines[-1].base and (one.page != two.page or band is other)
        if above and _goes_on(one, two, edge):
            one = whole.get(id(one), one)
            _append(one, two)
            whole[id(two)] = one
    _without(document, whole)


def join_tables(document: Document, ceilings: Sequence[float]) -> None:
    """A table that goes on at the top of the next page is one; `ceilings` are where each page's notes begin."""
    whole: dict[int, Table] = {}
    for band, other in itertools.pairwise(document.bands):
        one, two = band.blocks[-1], other.blocks[0]
        if not isinstance(one, Table) or not isinstance(two, Table) or not band.columns == other.columns == 1:
            continue
        if not is_next(document, band, other):
            continue
        first = whole.get(id(one), one)
        heads = repeated(first, two)
        high = document.sizes[band.page][1]
        floor = min(max(high - document.margins[3], _LOW * high), ceilings[band.page])
        if floor - one.box[3] < two.rows[heads + 1] - two.rows[0] + _GIVE and agree(first, two):
            made = joined(first, two, heads)
            first.columns, first.rows, first.cells, first.heads = made.columns, made.rows, made.cells, made.heads
            first.ends_on, first.floor = made.ends_on, made.floor
            whole[id(two)] = first
    _without(document, whole)


def is_next(document: Document, band: Band, other: Band) -> bool:
    """Whether both are on a page and the next one, which are alike."""
    pages = band.page, other.page
    same = document.sizes[band.page] == document.sizes[other.page]
    begins = any(run.page == other.page for run in document.running)
    return pages[1] == pages[0] + 1 and same and not begins


def _without(document: Document, taken: dict[int, Paragraph] | dict[int, Table]) -> None:
    for band in document.bands:
        band.blocks = [block for block in band.blocks if id(block) not in taken]
    document.bands = [band for band in document.bands if band.blocks]


def _append(one: Paragraph, two: Paragraph) -> None:
    """The longer part tells how the whole is set."""
    if len(two.lines) > len(one.lines):
        one.align, one.right, one.pitch = two.align, two.right, two.pitch or one.pitch
        one.left, one.first = (
            (two.left, one.lines[0].box[0] - two.lines[-1].box[0]) if len(one.lines) == 1 else (one.left, one.first)
        )
    if one.page != two.page:
        one.together = min(len(one.lines), len(two.lines)) > 1
    one.lines += two.lines
    one.ends_on = two.page


def _goes_on(one: Paragraph, two: Paragraph, edge: float) -> bool:
    """Whether the text, whose lines reach to `edge`, goes on in the other."""
    last, first = one.lines[-1], two.lines[0]
    if one.align in ("center", "right") or not (last.text.strip() and first.text.strip()) or one.kind != two.kind:
        return False
    if abs(last.size - first.size) > 0.3 or last.bold != first.bold or mark_of(first) or CONTENTS.search(last.text):
        return False
    open_ended = last.text.rstrip()[-1:] not in ".!?。！？:："
    return open_ended and not fits(last, first, edge) and (len(two.lines) == 1 or two.first <= 1)


def agree(one: Table, two: Table) -> bool:
    """Whether two tables have the same columns, or of drawn ones the one has all edges of the other or a row is cut."""
    if _alike(one, two):
        return True
    wide, other = (table.columns[-1] - table.columns[0] for table in (one, two))
    if not (one.ruled and two.ruled and abs(wide - other) < _SAME):
        return False
    columns, upper, lower = _on_one_grid(one, two)
    return len(columns) == max(len(one.columns), len(two.columns)) or bool(_rest(upper, lower, len(one.rows) - 1))


def _alike(one: Table, two: Table) -> bool:
    if len(one.columns) != len(two.columns):
        return False
    near = _AGREE if one.ruled or two.ruled else _LOOSE
    shift = two.columns[0] - one.columns[0]
    inner = list(zip(one.columns, two.columns, strict=True))[1:-1]
    return all(abs(b - a - shift) < near for a, b in inner) or all(abs(b - a) < near for a, b in inner)


def joined(one: Table, two: Table, heads: int) -> Table:
    """Both as one; of the second the `heads` rows that came again are left out, and a row that was cut is whole.

    Its height is what it had on its first page: a row that has to be higher than the rest of a page goes to the next.
    """
    columns, upper, lower = _on_one_grid(one, two)
    lower = [replace(cell, row=cell.row - heads) for cell in lower if cell.row >= heads]
    cut = _rest(upper, lower, len(one.rows) - 1)
    down = len(one.rows) - 1 - bool(cut)
    more = [replace(cell, row=cell.row + down) for cell in lower if not cut or cell.row > 0]
    own = heads + bool(cut)
    rows = [*one.rows, *(row - two.rows[own] + one.rows[-1] for row in two.rows[own + 1 :])]
    cells = [_whole(cell, cut[id(cell)]) if id(cell) in cut else cell for cell in upper]
    made = replace(one, columns=columns, rows=rows, cells=[*cells, *more], heads=max(one.heads, heads))
    made.ends_on, made.floor = two.page, two.box[3]
    return made


def _on_one_grid(one: Table, two: Table) -> tuple[list[float], list[Cell], list[Cell]]:
    """The columns of both, and their cells in these; where they are alike, the first's."""
    if _alike(one, two):
        return one.columns, one.cells, two.cells
    shift = two.columns[0] - one.columns[0]
    below = [edge - shift for edge in two.columns]
    own = [edge for edge in below if not any(abs(edge - each) < _SAME for each in one.columns)]
    columns = sorted([*one.columns, *own])
    return columns, list(_moved(one.cells, one.columns, columns)), list(_moved(two.cells, below, columns))


def _moved(cells: Sequence[Cell], edges: Sequence[float], columns: Sequence[float]) -> Iterator[Cell]:
    """The cells between the columns that are nearest to the edges they had."""
    places = [min(range(len(columns)), key=lambda at: abs(columns[at] - edge)) for edge in edges]
    for cell in cells:
        start, end = places[cell.column], places[cell.column + cell.columns]
        yield replace(cell, column=start, columns=end - start)


def _rest(upper: Sequence[Cell], lower: Sequence[Cell], rows: int) -> dict[int, Cell]:
    """For the cells of the last row the rest of their text in the first row below, where that row was cut.

    Then every text in it goes on from the cell above it.
    """
    above = {(cell.column, cell.columns): cell for cell in upper if cell.row + cell.rows == rows}
    pairs = [(above.get((cell.column, cell.columns)), cell) for cell in lower if cell.row == 0]
    known = all(one is not None and two.rows == 1 for one, two in pairs) and len(pairs) == len(above)
    full = [(one, two) for one, two in pairs if one and two.blocks]
    if not known or not full or not all(_is_cut(one, two) for one, two in full):
        return {}
    return {id(one): two for one, two in full}


def _is_cut(one: Cell, two: Cell) -> bool:
    """Whether the text, or a list, goes on in the other cell."""
    return _cut_text(one, two) is not None or _counts_on(one, two)


def _cut_text(one: Cell, two: Cell) -> Paragraph | None:
    """The last paragraph of the one with the first of the other, where that is its rest."""
    last, first = one.blocks[-1] if one.blocks else None, two.blocks[0]
    if not isinstance(last, Paragraph) or not isinstance(first, Paragraph):
        return None
    if not _goes_on(last, first, one.box[2] - (last.box[0] - one.box[0])):
        return None
    text = replace(last, lines=list(last.lines))
    _append(text, first)
    return text


def _counts_on(one: Cell, two: Cell) -> bool:
    """Whether the other begins with the next number of a list, of which two items or more stand in the one.

    Where each row has a number, only one stands in a cell.
    """
    texts = (block for block in (*one.blocks, two.blocks[0]) if isinstance(block, Paragraph))
    marks = [(mark, text) for text in texts if (mark := mark_of(text.lines[0])) and mark != "•"][-3:]
    if len(marks) < 3 or marks[-1][1] is not two.blocks[0]:
        return False
    return all(
        family(a) == family(b) and value_of(b) == value_of(a) + 1 for (a, _), (b, _) in itertools.pairwise(marks)
    )


def _whole(one: Cell, two: Cell) -> Cell:
    """The cell with the rest of its text."""
    text = _cut_text(one, two)
    blocks = (*one.blocks[:-1], text, *two.blocks[1:]) if text else (*one.blocks, *two.blocks)
    return replace(one, blocks=blocks)


def repeated(first: Table, table: Table) -> int:
    """How many rows at the top say the same as the first table's."""
    for count in range(min(_HEADERS, len(first.rows) - 2, len(table.rows) - 2), 0, -1):
        heads = [[text_in(cell) for cell in each.cells if cell.row < count] for each in (first, table)]
        whole = all(cell.row + cell.rows <= count for cell in table.cells if cell.row < count)
        if heads[0] == heads[1] and whole and any(heads[0]):
            return count
    return 0
