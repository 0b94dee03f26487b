"""Columns that stand beside each other: of text, or the cells of one table."""

import itertools
from collections.abc import Sequence
from statistics import median

from cluster.engines.layout.model import Box, TextLine
from cluster.engines.layout.rows import rows_of

#: Letters of most cells are fewer, and columns of text are filled more.
_CELL, _FILLED = 16, 0.72
#: Flat rules that a column has of its own, at least; those less apart (points) are level, which most of a table's are.
_RULES, _LEVEL, _MOST = 3, 2, 0.5
#: A rule is thinner (points), reaches into a column by more, and over most of its width: else it is a box's edge.
_THIN, _INTO, _OVER = 2, 2, 0.8


def are_cells(parts: Sequence[Sequence[TextLine]], sides: Sequence[tuple[float, float]], rules: Sequence[Box]) -> bool:
    """Whether what stands in columns beside each other is a table's: short, side by side, and far from filling them."""
    if len(parts) < 2 or not all(parts):
        return False
    texts = [len(line.text) for part in parts for line in part]
    beside = [row for row in rows_of(list(itertools.chain(*parts))) if len(row) >= len(parts)]
    filled = [
        median(line.box[2] - line.box[0] for line in part) / (right - left)
        for part, (left, right) in zip(parts, sides, strict=True)
    ]
    short = median(texts) < _CELL and len(beside) > 0.6 * max(map(len, parts)) and min(filled) < _FILLED
    return short and not ruled_apart([line.box for part in parts for line in part], sides, rules)


def ruled_apart(boxes: Sequence[Box], sides: Sequence[tuple[float, float]], rules: Sequence[Box]) -> bool:
    """Whether each column has flat rules of its own, few of them level with another's: lists beside each other."""
    top, bottom = min(box[1] for box in boxes), max(box[3] for box in boxes)
    flat = [rule for rule in rules if rule[3] - rule[1] < _THIN and top < rule[1] < bottom]
    own = [[rule for rule in flat if min(rule[2], side[1]) - max(rule[0], side[0]) > _INTO] for side in sides]
    if sum(map(len, own)) > len({id(rule) for part in own for rule in part}):
        return False
    heights = [
        {round(rule[1]) for rule in part if rule[2] - rule[0] > _OVER * (right - left)}
        for part, (left, right) in zip(own, sides, strict=True)
    ]
    level = sum(_is_level(height, heights, at) for at, part in enumerate(heights) for height in part)
    return min(map(len, heights)) >= _RULES and level < _MOST * sum(map(len, heights))


def _is_level(height: float, heights: Sequence[set[int]], own: int) -> bool:
    return any(abs(height - other) <= _LEVEL for at, others in enumerate(heights) if at != own for other in others)
