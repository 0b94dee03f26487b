"""Cells of tiling patterns: which of them lie where a path is painted, and in places to be cleared."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from cluster.engines.edit.scene import Box
from cluster.engines.edit.shapes import Boxes, bounds, corners, landed, overlap, spared
from cluster.engines.pdf.matrix import WHOLE, Matrix, inverse, times
from cluster.engines.pdf.nodes import items

#: A path that more cells fill shows a texture.
_MOST = 64
#: Cells behind letters that are looked at.
_MANY = 2048
#: Units that a cell must reach in to be seen.
_SLACK = 0.01


@dataclass(frozen=True)
class _Grid:
    """Cells of a pattern: each shows `box` of the pattern's units, so far from the next."""

    box: Box
    matrix: Matrix
    back: Matrix
    across: float
    up: float

    def near(self, reach: Box, most: int) -> list[tuple[int, int]] | None:
        """Columns and rows of the cells that reach into a box of the page; None where they are more than so many."""
        area = bounds(landed(self.back, corners(reach)))
        rows = _steps(self.box[1], self.box[3], self.up, area[1], area[3])
        columns = _steps(self.box[0], self.box[2], self.across, area[0], area[2])
        if len(rows) * len(columns) > most:
            return None
        return [(i, j) for j in rows for i in columns]

    def at(self, i: int, j: int) -> Matrix:
        return times((1, 0, 0, 1, self.across * i, self.up * j), self.matrix)

    def brought(self, boxes: Sequence[Box], most: int) -> list[Box] | None:
        """What cells show in these boxes, as the first cell shows it; None where they are more than so many."""
        own, made = landed(self.matrix, corners(self.box)), list[Box]()
        for box in boxes:
            placed = self.near(box, most - len(made))
            if placed is None:
                return None
            moves = [(self.at(i, j)[4] - self.matrix[4], self.at(i, j)[5] - self.matrix[5]) for i, j in placed]
            moved = [(box[0] - x, box[1] - y, box[2] - x, box[3] - y) for x, y in moves]
            made += [each for each in moved if overlap(own, corners(each))]
        return made


def _grid(pattern: Any, base: Matrix) -> _Grid | None:
    told, matrix = _numbers(pattern.get("/BBox")), matrix_of(pattern, base)
    across, up = (abs(_number(pattern.get(key))) for key in ("/XStep", "/YStep"))
    back = inverse(matrix)
    if pattern.get("/PatternType") != 1 or len(told) != 4 or back is None:
        return None
    return _Grid(bounds([(told[0], told[1]), (told[2], told[3])]), matrix, back, across, up)


def cells(pattern: Any, base: Matrix, reach: Box, boxes: Boxes) -> list[Matrix]:
    """Where the cells lie that the boxes touch: pattern units to the page's. `base`: of the content that names the
    pattern; `reach`: what a path paints with it. None where another whole cell is seen there: it shows the same.
    """
    grid = _grid(pattern, base)
    near = grid.near(reach, _MOST) if grid else None
    if not grid or near is None:
        return []
    placed = [grid.at(*each) for each in near]
    own = corners(grid.box)
    touched = [each for each in placed if any(overlap(landed(each, own), corners(one)) for one in boxes.all)]
    beside = [bounds(landed(each, own)) for each in placed if each not in touched]
    seen = any(reach[0] <= x0 and reach[1] <= y0 and x1 <= reach[2] and y1 <= reach[3] for x0, y0, x1, y1 in beside)
    return [] if seen else touched


def lone(pattern: Any, base: Matrix, hidden: Sequence[Box], kept: Sequence[Box]) -> tuple[Matrix, list[Box]]:
    """Where the first cell lies, and what of it is seen in what will be hidden alone: in what is `kept` no cell shows
    it. Nothing where so many cells are seen there that they show a texture.
    """
    grid = _grid(pattern, base)
    gone = grid.brought(hidden, _MOST) if grid else None
    stays = grid.brought(kept, _MANY) if grid else None
    if not grid or gone is None or stays is None:
        return base, []
    return grid.matrix, spared(gone, stays)


def matrix_of(pattern: Any, base: Matrix) -> Matrix:
    """Takes the units of a pattern to the page's, as those of the content that names it by `base`."""
    own = _numbers(pattern.get("/Matrix"))
    return times((own[0], own[1], own[2], own[3], own[4], own[5]) if len(own) == 6 else WHOLE, base)


def _steps(low: float, high: float, step: float, first: float, last: float) -> range:
    """Which of the cells, `step` from each other, reach between two ends."""
    if not step:
        return range(1)
    return range(math.floor((first + _SLACK - high) / step) + 1, math.ceil((last - _SLACK - low) / step))


def _numbers(node: Any) -> list[float]:
    return [_number(each) for each in items(node)]


def _number(node: Any) -> float:
    try:
        return float(node)
    except (TypeError, ValueError):
        return 0.0
