"""Tables alone: those of each page, and those that go on over the page's end as one."""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from cluster.engines.layout import margins
from cluster.engines.layout.chosen import lines_in, table_in
from cluster.engines.layout.continued import agree, joined, repeated
from cluster.engines.layout.document import tables_of
from cluster.engines.layout.model import Box, Cell, Sheet, Table


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
    low = first.rows[-1] if first.floor is None else first.floor
    after = any(line.base > low + 2 for line in above.lines)
    before = any(line.base < table.rows[0] - 2 for line in below.lines)
    return not after and not before and agree(first, table)


def _joined(one: Found, table: Table) -> Found:
    heads = repeated(one.table, table)
    made = joined(one.table, table, heads)
    return Found(made, (*one.pages, table.page), one.dropped + heads, (*one.starts, len(one.table.rows) - 1))
