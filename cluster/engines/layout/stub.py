"""The names of rows that stand left of a ruled table, outside of its rules: its first column."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import replace

from cluster.engines.layout.grid import Grid, Slot
from cluster.engines.layout.model import TextLine

#: So many names at least, as near (points) to the table, no longer than this share of its width.
_LEAST, _NEAR, _WIDE = 3, 40.0, 0.5
#: A name stands in the middle of its row, this share of its height off at most; so large a share of the rows has one.
_OFF, _MOST = 0.35, 0.8
#: What is left free left of the names, in points, and by which they reach over the table's edge.
_PAD, _OVER = 2.0, 2.0


def names(grid: Grid, own: Sequence[TextLine], others: Sequence[TextLine]) -> list[TextLine]:
    """Those of the `others` on the page that name rows of a table with `own` lines; none where they are other text."""
    left, top, right, low = grid.box
    beside = [line for line in others if not line.turn and line.box[2] <= left + _OVER and top < _middle(line) < low]
    if len(beside) < _LEAST or max(line.box[2] for line in beside) < left - _NEAR:
        return []
    if max(line.box[2] - line.box[0] for line in beside) > _WIDE * (right - left):
        return []
    named, filled = [_row(grid, line) for line in beside], {_row(grid, line) for line in own if not line.turn}
    asked = {row for row in filled if row >= min(named)}
    alone = len({*named}) == len(named) and all(_is_centred(grid, line) for line in beside)
    return beside if alone and len(asked & {*named}) >= _MOST * max(len(asked), len(named)) else []


def with_names(grid: Grid, found: Sequence[TextLine]) -> Grid:
    """The grid with a column for them."""
    edge, start = grid.columns[0], min(line.box[0] for line in found) - _PAD
    rows = enumerate(zip(grid.rows, grid.rows[1:], strict=False))
    first = [Slot(row, 0, 1, 1, (start, top, edge, low)) for row, (top, low) in rows]
    slots = [*first, *(replace(slot, column=slot.column + 1) for slot in grid.slots)]
    return Grid([start, *grid.columns], grid.rows, slots)


def _middle(line: TextLine) -> float:
    return (line.box[1] + line.box[3]) / 2


def _row(grid: Grid, line: TextLine) -> int:
    return min(max(0, bisect_right(grid.rows, _middle(line)) - 1), len(grid.rows) - 2)


def _is_centred(grid: Grid, line: TextLine) -> bool:
    row = _row(grid, line)
    top, low = grid.rows[row], grid.rows[row + 1]
    return abs(2 * _middle(line) - top - low) < 2 * _OFF * (low - top)
