"""Filled boxes to a fraction of a pixel: pdfium fills a rectangle by whole pixels, up to one wider than it is written,
so that a table's rules came out a quarter thicker than in the preview.

What is no rectangle to it gets its share of each pixel: so a box is told in two halves that are filled together.
"""

from collections.abc import Iterator
from contextlib import suppress

from cluster.engines.pdf.tokens import Operation

_POLYGON = (b"m", b"l", b"l", b"l")
_BOXES = {(b"re",), _POLYGON, (*_POLYGON, b"h"), (*_POLYGON, b"l"), (*_POLYGON, b"l", b"h")}
_MOST = max(map(len, _BOXES))

Edit = tuple[int, int, bytes]


class Boxes:
    """Follows the operations of some content, in order."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._path = list[Operation]()

    def follow(self, operation: Operation) -> Iterator[Edit]:
        """What is to stand instead of the path that this operation fills, where that is a box."""
        if operation.operator in (b"re", b"m", b"l", b"h"):
            if len(self._path) <= _MOST:  # a longer one is no box
                self._path.append(operation)
            return
        if operation.operator in (b"f", b"F", b"f*") and tuple(each.operator for each in self._path) in _BOXES:
            with suppress(ValueError, IndexError):  # what has too few numbers, or none, stays
                yield from self._halved()
        self._path.clear()

    def _halved(self) -> Iterator[Edit]:
        points = [point for each in self._path if (point := self._numbers(each))]
        box = points[0] if len(self._path) == 1 else _box_of(points)
        if not box or 0 in box[2:]:
            return
        x, y, width, height = box
        halves = (x, y, width / 2, height, x + width / 2, y, width / 2, height)
        yield self._path[0].start, self._path[-1].end, b"%.5f %.5f %.5f %.5f re %.5f %.5f %.5f %.5f re" % halves

    def _numbers(self, operation: Operation) -> list[float]:
        return [float(self._data[each.start : each.end]) for each in operation.operands]


def _box_of(points: list[list[float]]) -> list[float] | None:
    """Left, bottom, width and height of four corners, the first of them maybe told again."""
    if any(len(each) != 2 for each in points) or points[4:] not in ([], points[:1]):
        return None
    (left, low), (right, high) = points[0], points[2]
    if points[1] not in ([left, high], [right, low]) or points[3] not in ([left, high], [right, low]):
        return None
    return [left, low, right - left, high - low]
