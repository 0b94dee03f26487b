"""Lines of text on a page, whoever found them."""

from dataclasses import dataclass

Point = tuple[float, float]
Quad = tuple[Point, Point, Point, Point]

#: Less sure than this of a line, a reader may be wrong: somebody should look.
SURE = 0.9


@dataclass(frozen=True)
class Line:
    """One line of text: its corners (clockwise from where reading begins), and how sure the reader is (0 to 1).

    `passed_over`: it holds letters that the reader does not know and left out. `said` is what somebody corrected it
    to, instead of the text that was read, which still tells the size of its letters; None where nobody did.
    """

    box: Quad
    text: str
    score: float
    passed_over: bool = False
    said: str | None = None

    @property
    def doubtful(self) -> bool:
        """Whether somebody should look at it, and nobody did."""
        return self.score < SURE and self.said is None

    @property
    def words(self) -> str:
        """What counts: as corrected, else as read."""
        return self.text if self.said is None else self.said


@dataclass(frozen=True)
class Page:
    """What was read. `turned` is the clockwise turn that made the picture upright; sizes and boxes are after it.

    `unread` are lines of which nothing could be read; `engines` those that read it, by name.
    """

    width: int
    height: int
    turned: int
    lines: tuple[Line, ...]
    unread: tuple[Line, ...] = ()
    engines: tuple[str, ...] = ()
