"""Cells over several rows of a slide's table, as one cell in each row where their text would make a row grow."""

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import replace

from cluster.engines.export.set_parts import bottom
from cluster.engines.layout.model import Cell, Paragraph, TextLine

#: What a line takes from its upper side to its lower one, in sizes of its letters; and points that it may miss a row.
_HIGH, _MISSED = 1.0, 2.0


def by_rows(cell: Cell, rows: Sequence[float]) -> Iterator[Cell]:
    """The cell, or its lines in the rows that they stand in: LibreOffice wants the whole text in the last of its rows.

    What stands across two rows keeps the cell whole.
    """
    edges = rows[cell.row : cell.row + cell.rows + 1]
    high = cell.lines and bottom(cell.lines[-1]) - _top(cell.lines[0])
    fits = not high or high <= edges[-1] - edges[-2]
    bands = [*itertools.pairwise(edges)]
    if fits or not all(any(_within(line, *band) for band in bands) for line in cell.lines):
        yield cell
        return
    left, _, right, _ = cell.box
    texts = [block for block in cell.blocks if isinstance(block, Paragraph)]
    for at, (top, low) in enumerate(bands):
        own = [replace(text, lines=[line for line in text.lines if _within(line, top, low)]) for text in texts]
        blocks = tuple(text for text in own if text.lines)
        yield replace(cell, row=cell.row + at, rows=1, box=(left, top, right, low), blocks=blocks)


def _top(line: TextLine) -> float:
    return bottom(line) - _HIGH * line.size


def _within(line: TextLine, top: float, low: float) -> bool:
    """Whether the line stands between the edges, by its middle; not where it reaches over them."""
    upper, lower = _top(line), bottom(line)
    return top <= (upper + lower) / 2 < low and upper > top - _MISSED and lower < low + _MISSED
