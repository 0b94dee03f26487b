"""Columns between two rules that should be one: too narrow for a letter, and without any."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from itertools import pairwise

from cluster.engines.layout.grid import Grid
from cluster.engines.layout.model import TextLine

#: Columns narrower than this (points) have room for no letter.
_NARROW = 6.5
_LEAST_COLUMNS = 2


def without_slivers(grid: Grid, lines: Iterable[TextLine]) -> Grid:
    """The grid, such columns of it parts of those beside them."""
    slots = (grid.slots[grid.slot_at(line.box)] for line in lines)
    held = {slot.column for slot in slots if slot.columns == 1}
    narrow = (at for at, (left, right) in enumerate(pairwise(grid.columns)) if right - left < _NARROW)
    spare = [at for at in narrow if at not in held][: len(grid.columns) - 1 - _LEAST_COLUMNS]
    for column in reversed(spare):
        grid = _without(grid, column)
    return grid


def _without(grid: Grid, column: int) -> Grid:
    """The grid with the column's two edges as one: that of the table, or at which more slots begin or end."""
    ends = Counter(edge for slot in grid.slots for edge in (slot.column, slot.column + slot.columns))
    last = len(grid.columns) - 1
    sides = (edge for edge in (column, column + 1) if 0 < edge < last)
    gone = min(sides, key=lambda edge: ends[edge])
    columns = [edge for at, edge in enumerate(grid.columns) if at != gone]
    slots = []
    for slot in grid.slots:
        first, end = (edge - (edge > column) for edge in (slot.column, slot.column + slot.columns))
        if end > first:
            box = columns[first], slot.box[1], columns[end], slot.box[3]
            slots.append(replace(slot, column=first, columns=end - first, box=box))
    return Grid(columns, grid.rows, slots, grid.inner)
