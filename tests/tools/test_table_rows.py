"""Rows of tables without rules: cells that stand between two rows never lie over each other."""

from collections import Counter

from cluster.engines.layout.attached import rows_in
from cluster.engines.layout.model import Box

CUTS = [0.0, 100.0, 200.0, 300.0]


def _places(lines: list[list[Box]]) -> Counter[tuple[int, int]]:
    """How many cells lie at each row and column."""
    return Counter(
        (row, column)
        for slot in rows_in(lines, CUTS, []).slots
        for row in range(slot.row, slot.row + slot.rows)
        for column in range(slot.column, slot.column + slot.columns)
    )


def _row(top: float, *sides: tuple[float, float]) -> list[Box]:
    return [(left, top, right, top + 10) for left, right in sides]


def test_each_place_is_one_cell_s() -> None:
    full, middle = ((10, 60), (210, 260)), ((110, 160),)
    twice = [_row(0, *full), _row(7, *middle), _row(14, *full), _row(22, *middle), _row(28, *full)]
    across = [_row(0, *full), _row(14, (10, 180), (210, 260)), _row(21, (150, 190)), _row(28, *full)]
    for lines in (twice, across):
        assert set(_places(lines).values()) == {1}
        assert len(_places(lines)) == 9
