"""The names of rows that stand left of a ruled table, outside of its rules: its first column.

A name is one row's, or that of the rows between two rules that reach out of the table to its left.
"""

import itertools
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import replace

from cluster.engines.layout.grid import Grid, Slot
from cluster.engines.layout.model import Box, TextLine

#: So many names of rows at least, or of groups of rows, as near (points) to the table, no longer than this share of its
#: width.
_LEAST, _GROUPS, _NEAR, _WIDE = 3, 2, 40.0, 0.5
#: A name stands in the middle of its row, this share of its height off at most; so large a share of the rows has one.
_OFF, _MOST = 0.35, 0.8
#: What is left free left of the names, in points, and by which they reach over the table's edge.
_PAD, _OVER = 2.0, 2.0
#: So near (points) to a row's edge a rule is that edge's; it reaches out by so much at least.
_SAME, _OUT = 2.0, 10.0


def with_names(
    grid: Grid, own: Sequence[TextLine], others: Sequence[TextLine], rules: Sequence[Box]
) -> tuple[Grid, list[TextLine]]:
    """The grid of a table with `own` lines, with a column for those of the `others` that name its rows; and these."""
    left, top, right, low = grid.box
    beside = [line for line in others if not line.turn and line.box[2] <= left + _OVER and top < _middle(line) < low]
    near = beside and max(line.box[2] for line in beside) > left - _NEAR
    if not near or max(line.box[2] - line.box[0] for line in beside) > _WIDE * (right - left):
        return grid, []
    edges = _edges(grid, rules)
    if not _are_names(beside, own, [grid.rows[at] for at in edges], grouped=len(edges) < len(grid.rows)):
        return grid, []
    return _widened(grid, edges, min(line.box[0] for line in beside) - _PAD), beside


def _edges(grid: Grid, rules: Sequence[Box]) -> list[int]:
    """The edges of rows between which a name stands: those whose rules reach out to the left, or else all."""
    left, out = grid.columns[0], set[int]()
    for rule in rules:
        middle = (rule[1] + rule[3]) / 2
        if rule[0] < left - _OUT and rule[2] > left + _OUT:
            out |= {at for at, edge in enumerate(grid.rows) if abs(edge - middle) < _SAME}
    return sorted({0, *out, len(grid.rows) - 1}) if len(out) >= _LEAST else list(range(len(grid.rows)))


def _are_names(found: Sequence[TextLine], own: Sequence[TextLine], edges: list[float], *, grouped: bool) -> bool:
    """Whether each has rows of its own, and nearly all rows from the first of them on have one."""
    named, filled = [_band(edges, line) for line in found], {_band(edges, line) for line in own if not line.turn}
    asked = {band for band in filled if band >= min(named)}
    alone = len({*named}) == len(named) >= (_GROUPS if grouped else _LEAST)
    placed = grouped or all(_is_centred(edges, line) for line in found)
    return alone and placed and len(asked & {*named}) >= _MOST * max(len(asked), len(named))


def _widened(grid: Grid, edges: Sequence[int], start: float) -> Grid:
    left = grid.columns[0]
    names = [
        Slot(top, 0, low - top, 1, (start, grid.rows[top], left, grid.rows[low]))
        for top, low in itertools.pairwise(edges)
    ]
    slots = [*names, *(replace(slot, column=slot.column + 1) for slot in grid.slots)]
    return Grid([start, *grid.columns], grid.rows, slots)


def _middle(line: TextLine) -> float:
    return (line.box[1] + line.box[3]) / 2


def _band(edges: list[float], line: TextLine) -> int:
    return min(max(0, bisect_right(edges, _middle(line)) - 1), len(edges) - 2)


def _is_centred(edges: list[float], line: TextLine) -> bool:
    top, low = edges[_band(edges, line) :][:2]
    return abs(2 * _middle(line) - top - low) < 2 * _OFF * (low - top)
