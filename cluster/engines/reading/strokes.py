"""Bold letters of a picture: those whose strokes are wider than the other lines' on the page."""

from collections.abc import Sequence
from statistics import median
from typing import TYPE_CHECKING, Any

from cluster.engines.layout.gutters import Piece

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: So many lines of so many letters tell a page's usual strokes, and a share of them at most is bold.
_LINES, _LETTERS, _MANY = 8, 6, 0.4
#: Strokes this much wider than usual are bold; and, below a bold line, the rest of its text.
_SURE, _LIKELY = 1.24, 1.12
#: Lines that are lower than this share of the usual one have other strokes, be they bold or not.
_LOW = 0.85
#: The next line of a text begins nearer (heights) below the last one than this.
_CLOSE = 1.2
#: A line is measured in so many times its pixels: strokes are few of them wide.
_FINER = 3


def bold(pieces: Sequence[Piece], sizes: Sequence[float], grey: "NDArray[Any]") -> list[bool]:
    """Which lines of a straight picture are bold, only where that is sure; sizes are of their letters, in pixels."""
    widths = [_width(piece, grey) if sum(map(str.isalpha, piece.line.text)) >= _LETTERS else 0.0 for piece in pieces]
    known = [(width, size) for width, size in zip(widths, sizes, strict=True) if width]
    if len(known) < _LINES:
        return [False] * len(pieces)
    usual = median(size for _, size in known)
    stroke = median(width for width, size in known if size > _LOW * usual)
    ways = [
        width / (stroke * max(1.0, size / usual)) if size > _LOW * usual else 0.0
        for width, size in zip(widths, sizes, strict=True)
    ]
    found = [way > _SURE for way in ways]
    if sum(found) > _MANY * len(known):
        return [False] * len(pieces)
    for at, piece in enumerate(pieces):
        above = (other for no, other in enumerate(pieces[:at]) if found[no])
        found[at] = found[at] or (ways[at] > _LIKELY and any(_is_next(other, piece) for other in above))
    return found


def _is_next(above: Piece, piece: Piece) -> bool:
    across = min(above.right, piece.right) - max(above.left, piece.left)
    return across > 0 and 0 < piece.middle - above.middle < (1 + _CLOSE) * above.height


def _width(piece: Piece, grey: "NDArray[Any]") -> float:
    """How wide the letters' strokes are: their surface by half of what surrounds it; 0 where nothing is seen."""
    import cv2
    import numpy

    part = grey[max(0, int(piece.top)) : int(piece.bottom) + 1, max(0, int(piece.left)) : int(piece.right) + 1]
    if min(part.shape) < _LETTERS:
        return 0.0
    fine = cv2.resize(part, None, fx=_FINER, fy=_FINER, interpolation=cv2.INTER_CUBIC)
    ink = cv2.threshold(fine, 0, 255, cv2.THRESH_BINARY_INV + cv2.THRESH_OTSU)[1]
    if 2 * cv2.countNonZero(ink) > ink.size:  # light letters on a dark ground
        ink = 255 - ink
    inner = cv2.erode(ink, numpy.ones((3, 3), numpy.uint8))
    surface, core = int(cv2.countNonZero(ink)), int(cv2.countNonZero(inner))
    return 2 * surface / max(1, surface - core)
