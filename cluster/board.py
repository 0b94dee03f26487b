"""Board: pages of several documents in a new order, as options small enough for 20,000 of them.

[{"kind": "pages", "file": 0, "first": 1, "last": 40}, {"kind": "blank"}, {"kind": "pages", "first": 9, "last": 1}]
"""

from typing import Annotated, Literal

from pydantic import Field

from cluster.fields import shown
from cluster.tool import options

Turn = Literal[0, 90, 180, 270]
_FILE = Field(ge=0, le=49)
_PAGE = Field(ge=1, le=200_000)


@options
class Run:
    """Pages of one file, each `step` pages from the one before, down where `last` is before `first`.

    `file` counts from 0, pages from 1; `turn` is degrees clockwise.
    """

    kind: Literal["pages"] = "pages"
    file: Annotated[int, _FILE] = 0
    first: Annotated[int, _PAGE]
    last: Annotated[int, _PAGE]
    step: Annotated[int, Field(ge=1, le=1000)] = 1
    turn: Turn = 0

    def pages(self) -> range:
        """Page numbers from 1."""
        return range(self.first, self.last + 1, self.step) if self.first <= self.last else self._down()

    def _down(self) -> range:
        return range(self.first, self.last - 1, -self.step)


@options
class Blanks:
    """Blank pages, in points; 0 takes the size of the page before them, else after them."""

    kind: Literal["blank"] = "blank"
    count: Annotated[int, Field(ge=1, le=1000)] = 1
    width: Annotated[float, Field(ge=0, le=14400)] = 0.0
    height: Annotated[float, Field(ge=0, le=14400)] = 0.0


Board = Annotated[
    tuple[Annotated[Run | Blanks, Field(discriminator="kind")], ...],
    Field(max_length=20_000),
    shown("页面", "Pages", "hidden"),
]


def count(board: tuple[Run | Blanks, ...]) -> int:
    """Pages on the board, without laying them out."""
    return sum(len(run.pages()) if isinstance(run, Run) else run.count for run in board)
