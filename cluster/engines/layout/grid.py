"""What a grid of columns and rows is, and the slots in it that cells stand in."""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from cluster.engines.layout.model import Box, TextLine


@dataclass(frozen=True)
class Slot:
    """A cell's place in a grid, and its box."""

    row: int
    column: int
    rows: int
    columns: int
    box: Box

    def holds(self, box: Box) -> bool:
        """Whether the middle of `box` lies in the cell."""
        x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
        return self.box[0] <= x <= self.box[2] and self.box[1] <= y <= self.box[3]


@dataclass(frozen=True)
class Grid:
    """Edges of columns and rows, and the slots between them; `inner` are the tables within one of those."""

    columns: list[float]
    rows: list[float]
    slots: list[Slot]
    inner: "tuple[Grid, ...]" = ()

    @property
    def box(self) -> Box:
        return self.columns[0], self.rows[0], self.columns[-1], self.rows[-1]

    @cached_property
    def _places(self) -> dict[tuple[int, int], int]:
        return {
            (row, column): at
            for at, slot in enumerate(self.slots)
            for row in range(slot.row, slot.row + slot.rows)
            for column in range(slot.column, slot.column + slot.columns)
        }

    def slot_at(self, box: Box) -> int:
        """The number of the slot in which the middle of `box` lies, or that is nearest to it."""
        x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
        column = min(max(0, bisect_right(self.columns, x) - 1), len(self.columns) - 2)
        row = min(max(0, bisect_right(self.rows, y) - 1), len(self.rows) - 2)
        return self._places[row, column]

    def held(self, lines: Iterable[TextLine]) -> dict[int, list[TextLine]]:
        """What each slot holds, by its number."""
        held: dict[int, list[TextLine]] = defaultdict(list)
        for line in lines:
            held[self.slot_at(line.box)].append(line)
        return held
