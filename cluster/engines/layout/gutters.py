"""Gutters: the upright empty strips that part columns of text."""

import statistics
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from cluster.engines.layout.line import Line

#: Rows with text on both sides before a gap is a gutter.
_ROWS = 3
#: Lines beside a gutter are this many letters long at least; shorter ones are cells of a table.
_LONG = 6
#: The narrowest gutter, in heights of a line; boxes are drawn wider than the letters by about _WIDER each side.
_NARROW = 0.05
_WIDER = 0.2
#: Cells stand beside a gutter in more than this share of its rows where it is a table's.
_MOSTLY = 0.5
#: Rows of one table stand level: where most of so many pairs at a strip lie off by more than this (heights of a line),
#: and hardly any at strips on both its sides, tables stand side by side. Cells in the middle of high rows lie off, too:
#: so the strip has to be as wide as columns of text are apart, and the cells at one of its sides wider than this.
_PAIRS, _OFF, _MANY, _HARDLY, _WIDE = 12, 0.1, 0.6, 0.2, 2.0
#: A column goes on after a gap of this at most, and its lines begin or end this near to the gutter (heights of a line).
_GAP, _NEAR = 1.6, 3


@dataclass(frozen=True)
class Piece:
    """A line with the upright rectangle it fills once the page is straight."""

    line: Line
    left: float
    top: float
    right: float
    bottom: float

    @property
    def height(self) -> float:
        return self.bottom - self.top

    @property
    def middle(self) -> float:
        return (self.top + self.bottom) / 2


@dataclass(frozen=True)
class Gutter:
    """An empty strip; `in_table`: it parts cells, whose rows go on across it."""

    left: float
    right: float
    top: float
    bottom: float
    in_table: bool = False


@dataclass
class _Strip:
    """A gutter that is being followed downwards."""

    left: float
    right: float
    top: float
    bottom: float
    sides: tuple[list[float], list[float]]
    off: list[float]

    def take(self, one: Piece, other: Piece, left: float, right: float) -> None:
        self.left, self.right = left, right
        self.bottom = max(self.bottom, one.bottom, other.bottom)
        self.sides[0].append(one.right - one.left)
        self.sides[1].append(other.right - other.left)
        self.off.append(abs(one.middle - other.middle) / min(one.height, other.height))

    @property
    def uneven(self) -> float:
        """The share of its pairs that do not stand level."""
        return sum(off > _OFF for off in self.off) / len(self.off)


def find_gutters(pieces: Sequence[Piece]) -> list[Gutter]:
    """Every gutter of the page."""
    if not pieces:
        return []
    size = statistics.median(piece.height for piece in pieces)
    pieces = [_slim(piece) for piece in pieces]
    strips: list[_Strip] = []
    for one, other in sorted(_gaps(pieces, size), key=lambda pair: pair[0].top):
        for strip in strips:
            left, right = _narrowed(strip, one, other, pieces)
            if right - left > _NARROW * size:
                strip.take(one, other, left, right)
                break
        else:
            strip = _Strip(one.right, other.left, min(one.top, other.top), 0, ([], []), [])
            strip.take(one, other, one.right, other.left)
            strips.append(strip)
    apart = {id(each) for each in strips if _parts_tables(each, strips, size)}
    found = [
        Gutter(each.left, each.right, each.top, each.bottom, id(each) not in apart and _parts_cells(each, strips, size))
        for each in strips
        if id(each) in apart or _parts_columns(each, size)
    ]
    return [each if each.in_table else _drawn_out(each, pieces, size) for each in found]


def _slim(piece: Piece) -> Piece:
    edge = min(_WIDER * piece.height, (piece.right - piece.left) / 4)
    return replace(piece, left=piece.left + edge, right=piece.right - edge)


def _gaps(pieces: Sequence[Piece], size: float) -> Iterator[tuple[Piece, Piece]]:
    """Neighbours at the same height with a gap between them."""
    for one in pieces:
        mates = [each for each in pieces if each.left > one.left and _level(one, each)]
        if mates:
            nearest = min(mates, key=lambda each: each.left)
            if nearest.left - one.right > _NARROW * size:
                yield one, nearest


def _level(one: Piece, other: Piece) -> bool:
    shared = min(one.bottom, other.bottom) - max(one.top, other.top)
    return shared > 0.5 * min(one.height, other.height)


def _narrowed(strip: _Strip, one: Piece, other: Piece, pieces: Sequence[Piece]) -> tuple[float, float]:
    """What is left of the strip down to the gap between `one` and `other`: lines between may reach into it."""
    left, right = max(strip.left, one.right), min(strip.right, other.left)
    centre, until = (left + right) / 2, max(one.top, other.top)
    for piece in pieces:
        if strip.bottom - 1 < piece.middle < until and piece.left < right and piece.right > left:
            if piece.left < left and (piece.left + piece.right) / 2 < centre:
                left = max(left, piece.right)
            else:
                right = min(right, piece.left)
    return left, right


def _parts_columns(strip: _Strip, size: float) -> bool:
    return len(strip.sides[0]) >= _ROWS and all(statistics.median(side) > _LONG * size for side in strip.sides)


def _parts_cells(strip: _Strip, strips: Sequence[_Strip], size: float) -> bool:
    """Whether columns of short words stand beside it in most of its rows, as in a table with some long cells."""
    rows = len(strip.sides[0])
    return any(
        not _parts_columns(each, size) and _within(strip, each) > _MOSTLY and len(each.sides[0]) > _MOSTLY * rows
        for each in strips
    )


def _parts_tables(strip: _Strip, strips: Sequence[_Strip], size: float) -> bool:
    """Whether tables stand at both its sides whose rows know nothing of each other."""
    wide = min(strip.right - strip.left, max(statistics.median(side) for side in strip.sides))
    if len(strip.off) < _PAIRS or strip.uneven < _MANY or wide < _WIDE * size:
        return False
    level = [each for each in strips if len(each.off) >= _ROWS and each.uneven < _HARDLY and _within(each, strip) > 0]
    return any(each.right <= strip.left for each in level) and any(each.left >= strip.right for each in level)


def _within(strip: _Strip, other: _Strip) -> float:
    """The share of the strip's height that the other stands beside."""
    return (min(strip.bottom, other.bottom) - max(strip.top, other.top)) / max(1.0, strip.bottom - strip.top)


def _drawn_out(gutter: Gutter, pieces: Sequence[Piece], size: float) -> Gutter:
    """As long as the column at one of its sides, where at the other stand a figure's words or nothing at all."""
    reach = _GAP * size
    beside = [each for each in pieces if _is_beside(each, gutter, size)]
    across = [each for each in pieces if each.left < gutter.right and each.right > gutter.left]
    top, bottom = gutter.top, gutter.bottom
    for each in sorted(beside, key=lambda each: -each.bottom):
        if each.top < top <= each.bottom + reach and not any(each.top < one.bottom and one.top < top for one in across):
            top = each.top
    for each in sorted(beside, key=lambda each: each.top):
        over = any(each.bottom > one.top and one.bottom > bottom for one in across)
        if each.bottom > bottom >= each.top - reach and not over:
            bottom = each.bottom
    return replace(gutter, top=top, bottom=bottom)


def _is_beside(piece: Piece, gutter: Gutter, size: float) -> bool:
    """Whether it is a line of a column at the gutter."""
    near = min(abs(piece.left - gutter.right), abs(gutter.left - piece.right))
    return piece.right - piece.left > _LONG * size and near < _NEAR * size
