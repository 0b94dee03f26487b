"""Cells of tiling patterns: which of them lie where a path is painted, and in places to be cleared."""

import math
from typing import Any

from cluster.engines.edit.scene import Box
from cluster.engines.edit.shapes import Boxes, bounds, corners, landed, overlap
from cluster.engines.pdf.matrix import WHOLE, Matrix, inverse, times
from cluster.engines.pdf.nodes import items

#: A path that more cells fill shows a texture.
_MOST = 64
#: Units that a cell must reach in to be seen.
_SLACK = 0.01


def cells(pattern: Any, base: Matrix, reach: Box, boxes: Boxes, *, letters: bool) -> list[Matrix]:
    """Where the cells lie that the boxes touch: pattern units to the page's. `base`: of the content that names the
    pattern; `reach`: what is painted with it. None where another whole cell is seen there: it shows the same; nor where
    `letters` are painted and show of another cell anything at all.
    """
    told, matrix = _numbers(pattern.get("/BBox")), matrix_of(pattern, base)
    across, up = (_number(pattern.get(key)) for key in ("/XStep", "/YStep"))
    back = inverse(matrix)
    if pattern.get("/PatternType") != 1 or len(told) != 4 or back is None:
        return []
    box = bounds([(told[0], told[1]), (told[2], told[3])])
    area = bounds(landed(back, corners(reach)))
    rows = _steps(box[1], box[3], abs(up), area[1], area[3])
    columns = _steps(box[0], box[2], abs(across), area[0], area[2])
    if len(rows) * len(columns) > _MOST:
        return []
    placed = [times((1, 0, 0, 1, abs(across) * i, abs(up) * j), matrix) for j in rows for i in columns]
    touched = [each for each in placed if any(overlap(landed(each, corners(box)), corners(one)) for one in boxes.all)]
    beside = [bounds(landed(each, corners(box))) for each in placed if each not in touched]
    if letters:
        return touched if len(placed) == 1 else []
    seen = any(reach[0] <= x0 and reach[1] <= y0 and x1 <= reach[2] and y1 <= reach[3] for x0, y0, x1, y1 in beside)
    return [] if seen else touched


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
