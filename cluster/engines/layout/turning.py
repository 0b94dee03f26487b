"""A page that was read, turned by quarters; and writing that runs from top to bottom, its lines from right to left."""

from collections.abc import Iterable
from dataclasses import replace

from cluster.engines.layout.line import Line, Page, Point

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
