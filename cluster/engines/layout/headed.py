"""Columns that only a table's head draws: the rows below stand in them, with no rules between their texts."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from cluster.engines.layout.grid import Grid, Slot
from cluster.engines.layout.model import TextLine
from cluster.engines.layout.rows import rows_of

#: Points by which a text may reach over an edge, and so many rows of several texts in a cell each tell columns.
_OVER, _ROWS = 2.0, 2
#: … or so many in the only cell below the head.
_LISTED = 3
#: … of which texts of this share respect an edge that is to part them.
_MOST = 0.6


def under_head(grid: Grid, lines: Iterable[TextLine]) -> Grid:
    """The grid, its rows of one wide cell parted where edges of the head go through between their texts."""
    own = grid.held(lines)
    texts = {at: rows_of(held) for at, held in own.items() if grid.slots[at].columns > 1}
    slots: defaultdict[tuple[int, int], list[int]] = defaultdict(list)
    for at, rows in texts.items():
        if any(_is_beside(row, grid.columns) for row in rows):
            slots[grid.slots[at].column, grid.slots[at].columns].append(at)
    parted = {
        at: [*_parts(grid.slots[at], edges, grid.columns)]
        for (column, columns), ats in slots.items()
        if sum(_is_beside(row, grid.columns) for at in ats for row in texts[at]) >= (_ROWS if len(ats) > 1 else _LISTED)
        and (inner := [*_edges(grid, range(column + 1, column + columns), [row for at in ats for row in texts[at]])])
        for at in ats
        if (edges := [edge for edge in inner if not _crosses(own[at], grid.columns[edge])])
    }
    if not parted:
        return grid
    made = [part for at, slot in enumerate(grid.slots) for part in parted.get(at, [slot])]
    return replace(grid, slots=sorted(made, key=lambda slot: (slot.row, slot.column)))


def _is_beside(lines: Sequence[TextLine], columns: Sequence[float]) -> bool:
    """Whether two texts stand beside each other with an edge between them."""
    ordered = sorted(lines, key=lambda line: line.box[0])
    return any(
        one.box[3] > (other.box[1] + other.box[3]) / 2 > one.box[1]
        and any(one.box[2] - _OVER < edge < other.box[0] + _OVER for edge in columns)
        for one, other in pairwise(ordered)
    )


def _edges(grid: Grid, inner: Iterable[int], rows: Sequence[Sequence[TextLine]]) -> Iterator[int]:
    """Those of the edges that texts of most rows respect."""
    for edge in inner:
        if sum(not _crosses(lines, grid.columns[edge]) for lines in rows) >= _MOST * len(rows):
            yield edge


def _crosses(lines: Iterable[TextLine], edge: float) -> bool:
    return any(line.box[0] + _OVER < edge < line.box[2] - _OVER for line in lines)


def _parts(slot: Slot, edges: Sequence[int], columns: Sequence[float]) -> Iterator[Slot]:
    top, bottom = slot.box[1], slot.box[3]
    for one, other in pairwise([slot.column, *edges, slot.column + slot.columns]):
        yield replace(slot, column=one, columns=other - one, box=(columns[one], top, columns[other], bottom))
