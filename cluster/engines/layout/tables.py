"""Tables alone: those of each page, and those that go on over the page's end as one."""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from cluster.engines.layout import margins
from cluster.engines.layout.chosen import lines_in, table_in
from cluster.engines.layout.document import tables_of
from cluster.engines.layout.letters import dense, mark_of, text_of
from cluster.engines.layout.model import Box, Cell, Paragraph, Sheet, Table

#: Edges of columns that differ by less than this (points, after shifting) agree.
_AGREE = 9.0
#: … and those of columns that nothing but their text tells.
_LOOSE = 24.0
#: Header rows that are looked for again, at most.
_HEADERS = 3
_ENDS = ".!?。！？;；"


@dataclass(frozen=True)
class Found:
    """A table and the pages (from 0) that it stands on, each from the row in `starts` on.

    `dropped` header rows came again and were left out.
    """

    table: Table
    pages: tuple[int, ...]
    dropped: int = 0
    starts: tuple[int, ...] = (0,)

    def page_of(self, cell: Cell) -> int:
        """The page (from 0) that the cell stands on."""
        return self.pages[bisect_right(self.starts, cell.row) - 1]


def text_in(cell: Cell) -> str:
    """The cell's text as one line; a new one begins after the end of a sentence, and with every mark of a list."""
    if cell.said is not None:
        return cell.said
    out: list[str] = []
    for block in cell.blocks:
        text = text_of(block.lines).replace("\t", " ").strip() if isinstance(block, Paragraph) else ""
        if not isinstance(block, Paragraph) or not text:
            continue
        if not out or out[-1][-1] in _ENDS or mark_of(block.lines[0]):
            out.append(text)
        else:
            out[-1] += text if dense(out[-1][-1]) and dense(text[0]) else f" {text}"
    return "\n".join(out)


def tables(
    sheets: Sequence[Sheet], *, join: bool = True, areas: Mapping[int, Sequence[Box]] | None = None
) -> list[Found]:
    """Every table of the sheets, in order; with `join` those that go on are one.

    On a sheet whose number has `areas` (on its page as it is shown), these are its tables, and nothing else is.
    """
    found: list[Found] = []
    last: Sheet | None = None
    for whole, body in zip(sheets, margins.part(sheets)[0], strict=True):
        drawn = (areas or {}).get(whole.number)
        sheet = _within(whole, drawn) if drawn else body
        own = [table for area in drawn or () if (table := table_in(whole, area))] if drawn else tables_of(sheet)
        for number, table in enumerate(own):
            if join and found and last and number == 0 and _goes_on(found[-1], table, last, sheet):
                found[-1] = _joined(found[-1], table)
            else:
                found.append(Found(table, (sheet.number,)))
        last = sheet
    return found


def _within(sheet: Sheet, areas: Sequence[Box]) -> Sheet:
    """The sheet with nothing but what stands in the areas."""
    return replace(sheet, lines=tuple(line for area in areas for line in lines_in(sheet, area)))


def _goes_on(one: Found, table: Table, above: Sheet, below: Sheet) -> bool:
    """Whether nothing stands between the two and their columns agree."""
    if one.pages[-1] != above.number or below.number != above.number + 1:
        return False
    first = one.table
    low = first.rows[-1] if len(one.pages) == 1 else _bottom(one)
    after = any(line.base > low + 2 for line in above.lines)
    before = any(line.base < table.rows[0] - 2 for line in below.lines)
    near = _AGREE if first.ruled or table.ruled else _LOOSE
    return not after and not before and _alike(first.columns, table.columns, near)


def _bottom(found: Found) -> float:
    """Where a table that was joined ends on its last page: rows of it keep their places there."""
    return found.table.cells[-1].box[3]


def _alike(one: Sequence[float], other: Sequence[float], near: float) -> bool:
    if len(one) != len(other):
        return False
    shift = other[0] - one[0]
    inner = list(zip(one, other, strict=True))[1:-1]
    return all(abs(b - a - shift) < near for a, b in inner) or all(abs(b - a) < near for a, b in inner)


def _joined(one: Found, table: Table) -> Found:
    first, dropped = one.table, _repeated(one.table, table)
    down = len(first.rows) - 1 - dropped
    more = [replace(cell, row=cell.row + down) for cell in table.cells if cell.row >= dropped]
    step = first.rows[-1] - table.rows[dropped]
    rows = [*first.rows, *(row + step for row in table.rows[dropped + 1 :])]
    made = Table(first.columns, rows, [*first.cells, *more], first.page, first.ruled, first.left, first.before)
    return Found(made, (*one.pages, table.page), one.dropped + dropped, (*one.starts, len(first.rows) - 1))


def _repeated(first: Table, table: Table) -> int:
    """How many rows at the top say the same as the first table's."""
    for count in range(min(_HEADERS, len(first.rows) - 2, len(table.rows) - 2), 0, -1):
        heads = [[text_in(cell) for cell in each.cells if cell.row < count] for each in (first, table)]
        whole = all(cell.row + cell.rows <= count for cell in table.cells if cell.row < count)
        if heads[0] == heads[1] and whole and any(heads[0]):
            return count
    return 0
