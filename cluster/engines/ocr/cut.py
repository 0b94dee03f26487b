"""Cut boxes that run across a gutter: a finder of lines sometimes takes two columns for one line."""

import itertools
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from cluster.engines.layout.gutters import Gutter, Piece, find_gutters
from cluster.engines.layout.line import Line, Quad

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: Grey levels between the darkest and the lightest pixel of an empty strip.
_EMPTY = 60
#: Share of a box that lies in another.
_TWIN = 0.6
#: A gutter speaks for lines this many heights above and below its ends.
_REACH = 2.5


def cut_at_gutters(picture: "NDArray[Any]", boxes: Sequence[Quad]) -> list[Quad]:
    """The boxes, those across a gutter in two where the picture is empty between them.

    What reaches over it by less than a letter, into another box, is a letter of that: it is cut off.
    """
    pieces = [_piece(box) for box in boxes]
    gutters = find_gutters(pieces)
    found = (_cut(picture, box, gutters, pieces) for box in boxes)
    return list(itertools.chain.from_iterable(found))


def without_twins(boxes: Sequence[Quad]) -> list[Quad]:
    """The boxes without those that lie in another: a line, or its end, is sometimes found a second time."""
    kept: list[Quad] = []
    for box in sorted(boxes, key=lambda each: -_area(_piece(each))):
        if not any(_holds(_piece(each), _piece(box)) for each in kept):
            kept.append(box)
    return [box for box in dict.fromkeys(boxes) if box in kept]


def _holds(outer: Piece, inner: Piece) -> bool:
    """Whether nearly all of `inner` lies in `outer`, which is one line like it."""
    wide = min(outer.right, inner.right) - max(outer.left, inner.left)
    high = min(outer.bottom, inner.bottom) - max(outer.top, inner.top)
    within = min(wide, high) > 0 and wide * high > _TWIN * _area(inner)
    return within and outer.height < 2 * inner.height


def _area(piece: Piece) -> float:
    return (piece.right - piece.left) * piece.height


def _cut(picture: "NDArray[Any]", box: Quad, gutters: Sequence[Gutter], others: Sequence[Piece]) -> list[Quad]:
    piece = _piece(box)
    for gutter in gutters:
        near = gutter.top - _REACH * piece.height < piece.middle < gutter.bottom + _REACH * piece.height
        across = piece.left < gutter.left and gutter.right < piece.right
        if near and across and (place := _empty_strip(picture, piece, gutter)):
            halves = _halves(box, (place - piece.left) / (piece.right - piece.left))
            small = [half for half in map(_piece, halves) if half.right - half.left < 2 * half.height]
            if all(any(_covers(other, half) for other in others if other != piece) for half in small):
                return [half for half in halves if _piece(half) not in small]
    return [box]


def _covers(other: Piece, half: Piece) -> bool:
    """Whether it is a part of the other line that stands in this half."""
    shared = min(other.right, half.right) - max(other.left, half.left)
    return other.top < half.middle < other.bottom and shared > 0 and other.right - other.left > 2 * other.height


def _empty_strip(picture: "NDArray[Any]", piece: Piece, gutter: Gutter) -> float:
    """The middle of the widest empty strip of the line near the gutter; 0 when it is too narrow."""
    start, end = int(gutter.left - piece.height / 2), int(gutter.right + piece.height / 2)
    part = picture[int(piece.top) : int(piece.bottom) + 1, start:end, 1]
    if not part.size:
        return 0.0
    empty = (part.max(axis=0).astype(int) - part.min(axis=0)) < _EMPTY
    runs = [(value, len(list(group))) for value, group in itertools.groupby(empty.tolist())]
    ends = list(itertools.accumulate(length for _, length in runs))
    widest = max(((length, end) for (value, length), end in zip(runs, ends, strict=True) if value), default=(0, 0))
    return start + widest[1] - widest[0] / 2 if widest[0] > 0.4 * piece.height else 0.0


def _halves(box: Quad, share: float) -> list[Quad]:
    a, b, c, d = box
    upper = (a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share)
    lower = (d[0] + (c[0] - d[0]) * share, d[1] + (c[1] - d[1]) * share)
    return [(a, upper, lower, d), (upper, b, c, lower)]


def _piece(box: Quad) -> Piece:
    xs, ys = zip(*box, strict=True)
    return Piece(Line(box, "", 0.0), min(xs), min(ys), max(xs), max(ys))
