"""Places on a page and what touches them: boxes in the page's units, and outlines of four corners."""

import math
from collections.abc import Iterable, Sequence

from cluster.engines.edit.fonts import TextFont
from cluster.engines.edit.scene import Box, Glyph
from cluster.engines.pdf.matrix import WHOLE, Matrix, place

Point = tuple[float, float]
Outline = tuple[Point, ...]
"""A convex polygon."""
#: A letter's body as shares of its advance and of an em above its baseline; its whole room likewise.
_BODY = (0.2, 0.05, 0.8, 0.6)
_ROOM = (-0.25, -0.4, 1.25, 1.2)
_NARROW = 0.12
#: Boxes are kept by rows of so many units; one that stands in more of them is asked for by all.
_ROW, _MANY = 16.0, 100
#: What is no wider is nothing.
_THIN = 0.01


def corners(box: Box) -> Outline:
    """The corners of a box."""
    x0, y0, x1, y1 = box
    return (x0, y0), (x1, y0), (x1, y1), (x0, y1)


def landed(matrix: Matrix, outline: Sequence[Point]) -> Outline:
    """Where an outline lands."""
    return tuple(place(matrix, x, y) for x, y in outline)


def bounds(outline: Sequence[Point]) -> Box:
    """The upright box around points."""
    xs, ys = [x for x, _ in outline], [y for _, y in outline]
    return min(xs), min(ys), max(xs), max(ys)


def body(glyph: Glyph, font: TextFont, shares: Box = _BODY) -> Outline:
    """The part of the page that a letter's body takes."""
    left, low, right, high = shares
    if font.vertical:
        # Its matrix begins below and to the left of where it hangs, as a letter's of a line does.
        return landed(glyph.matrix, corners((left, low - 0.1, right, high + 0.1)))
    across = glyph.code.advance if abs(glyph.code.advance) > _NARROW else _NARROW
    below, above = font.reach
    rise = above - below
    return landed(glyph.matrix, corners((left * across, below + low * rise, right * across, below + high * rise)))


def room(glyph: Glyph, font: TextFont) -> Outline:
    """All that a letter may paint, accents and overhang too."""
    return body(glyph, font, _ROOM)


def overlap(one: Outline, other: Outline, slack: float = 0.0) -> bool:
    """Whether two convex outlines share more than their edges (by more than `slack`)."""
    for a, b in ((one, other), (other, one)):
        for at, (x0, y0) in enumerate(a):
            x1, y1 = a[(at + 1) % len(a)]
            across, along = y1 - y0, x0 - x1
            size = (across * across + along * along) ** 0.5
            if size < 1e-9:
                continue
            mine = [(x * across + y * along) / size for x, y in a]
            their = [(x * across + y * along) / size for x, y in b]
            if min(max(mine), max(their)) - max(min(mine), min(their)) <= slack:
                return False
    return True


def grown(box: Box, by: float) -> Box:
    """The box with so much more on every side."""
    return box[0] - by, box[1] - by, box[2] + by, box[3] + by


def meets(one: Box, other: Box) -> bool:
    """Whether two boxes overlap."""
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def within(one: Box, other: Box) -> Box | None:
    """What two boxes share."""
    made = max(one[0], other[0]), max(one[1], other[1]), min(one[2], other[2]), min(one[3], other[3])
    return made if meets(one, other) else None


def spared(boxes: Sequence[Box], taken: Sequence[Box]) -> list[Box]:
    """What the second ones leave of the first."""
    left = list(boxes)
    for one in taken:
        left = [piece for box in left for piece in (_pieces(box, one) if meets(box, one) else [box])]
    return left


def _pieces(box: Box, taken: Box) -> list[Box]:
    """Beside, below and above."""
    x0, y0, x1, y1 = max(box[0], taken[0]), max(box[1], taken[1]), min(box[2], taken[2]), min(box[3], taken[3])
    sides = [(box[0], box[1], x0, box[3]), (x1, box[1], box[2], box[3]), (x0, box[1], x1, y0), (x0, y1, x1, box[3])]
    return [each for each in sides if each[2] - each[0] > _THIN and each[3] - each[1] > _THIN]


class Boxes:
    """Boxes of a page, found by where they are: there may be thousands, and a letter asks for each of them.

    `frame`: the page's units to points as seen, from the upper left.
    """

    def __init__(self, boxes: Iterable[Box], frame: Matrix = WHOLE) -> None:
        self.all, self.frame = list(boxes), frame
        self._rows: dict[int, list[Box]] = {}
        self._high: list[Box] = []
        for box in self.all:
            rows = _rows(box)
            if len(rows) > _MANY:
                self._high.append(box)
            else:
                for row in rows:
                    self._rows.setdefault(row, []).append(box)

    def near(self, one: Box) -> list[Box]:
        """Those that overlap a box."""
        rows = _rows(one)
        if len(rows) > _MANY:
            return [box for box in self.all if meets(one, box)]
        held = [box for row in rows for box in self._rows.get(row, ())]
        return [box for box in dict.fromkeys(self._high + held) if meets(one, box)]


def _rows(box: Box) -> range:
    return range(math.floor(box[1] / _ROW), math.floor(box[3] / _ROW) + 1)
