"""A page that was read, turned by quarters; writing that runs from top to bottom, its lines from right to left; and
lines of a cell that stand upright."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from cluster.engines.layout.line import Line, Page, Point
from cluster.engines.layout.model import Box, TextLine

#: A line of a few letters tells its direction by so much more length one way than the other.
_TELLS = 2.0


def turned(page: Page, degrees: int) -> Page:
    """The same page turned clockwise by quarters: corners still begin where reading does, `turned` stays."""
    degrees %= 360
    if not degrees:
        return page
    wide, high = page.width, page.height

    def moved(point: Point) -> Point:
        x, y = point
        return {90: (high - y, x), 180: (wide - x, high - y), 270: (y, wide - x)}[degrees]

    def each(line: Line) -> Line:
        a, b, c, d = line.box
        return replace(line, box=(moved(a), moved(b), moved(c), moved(d)))

    size = (wide, high) if degrees == 180 else (high, wide)
    lines, unread = tuple(map(each, page.lines)), tuple(map(each, page.unread))
    return replace(page, width=size[0], height=size[1], lines=lines, unread=unread)


def runs_down(lines: Iterable[Line]) -> bool:
    """Whether most of the writing, by its length, runs from top to bottom."""
    down = across = 0.0
    for line in lines:
        (x0, y0), (x1, y1), *_ = line.box
        if y1 - y0 > _TELLS * abs(x1 - x0):
            down += y1 - y0
        else:
            across += abs(x1 - x0)
    return down > across


#: The turns of lines that run downwards and upwards.
DOWNWARDS, UPWARDS = 90, 270
#: A base line lies at this share of its line's height.
_BASE = 0.8


def upright_turn(lines: Sequence[TextLine]) -> int:
    """The turn of lines that all run downwards or all upwards; 0 of others."""
    turn = lines[0].turn if lines else 0
    return turn if turn in (DOWNWARDS, UPWARDS) and all(line.turn == turn for line in lines) else 0


def lying(line: TextLine, box: Box) -> TextLine:
    """The upright line of that box as it lies when the box is turned about its upper left corner, back into it."""
    left, top, right, low = box
    x0, y0, x1, y1 = line.box
    if line.turn == UPWARDS:
        made = left + low - y1, top + x0 - left, left + low - y0, top + x1 - left
    else:
        made = left + y0 - top, top + right - x1, left + y1 - top, top + right - x0
    spans = tuple(replace(span, places=()) for span in line.spans)
    return replace(line, box=made, base=made[1] + _BASE * (made[3] - made[1]), spans=spans, tabs=(), turn=0)
