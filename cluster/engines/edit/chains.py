"""Subpaths cut along boxes of the page: what stays of them as chains, joined again or not; curves stay curves."""

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from cluster.engines.edit.scene import Box, Segment, Subpath
from cluster.engines.edit.shapes import Point, bounds, meets
from cluster.engines.pdf.matrix import Matrix, place

#: Pieces that a curve is cut into.
_PIECES = 48


class Chain(NamedTuple):
    """Segments one after another; `along`: how far from the subpath's first point they begin, in its own units."""

    first: Point
    segments: list[Segment]
    along: float

    @property
    def last(self) -> Point:
        return ends(self.segments[-1])


def ends(segment: Segment) -> Point:
    """Where a segment ends."""
    return segment[-2], segment[-1]


def sides(subpath: Subpath, *, closed: bool) -> Iterator[tuple[Point, Segment]]:
    """Each segment with the point where it begins, and the one back to the first where it is closed."""
    last, segments, _ = subpath
    for each in [*segments, subpath[0]] if closed and (not segments or ends(segments[-1]) != last) else segments:
        yield last, each
        last = ends(each)


def reach_of(matrix: Matrix, start: Point, segment: Segment) -> Box:
    """The box around a line or a curve's points, in the page's units."""
    points = [start, *zip(segment[::2], segment[1::2], strict=True)]
    return bounds([place(matrix, *point) for point in points])


def chains(matrix: Matrix, subpath: Subpath, boxes: Sequence[Box], *, closed: bool) -> list[Chain]:
    """A subpath's pieces outside of the boxes. A curve that passes through is one: any part of it tells it all, and in
    parts readers would draw it otherwise."""
    made: list[Chain] = []
    along = 0.0
    for start, each in sides(subpath, closed=closed):
        around = reach_of(matrix, start, each)
        near = [box for box in boxes if meets(around, box)]
        through = not near or (len(each) > 2 and not _ends_in(matrix, start, each, near))
        for low, begin, piece in [(0.0, start, each)] if through else _outside(matrix, start, each, near):
            if made and made[-1].last == begin:
                made[-1].segments.append(piece)
            else:
                made.append(Chain(begin, [piece], along + _length(start, each, low)))
        along += _length(start, each, 1.0)
    return made


def rounded(matrix: Matrix, subpath: Subpath, boxes: Sequence[Box]) -> Subpath | None:
    """The subpath as an area's edge, what it hides in boxes replaced by straight lines within them; None: all hidden.

    A box has no corner turned in, so these stay in it: outside of it nothing changes, however the area is told. The
    same subpath comes back where lines and curves only pass through: they tell nothing that is not seen beside.
    """
    around, made = bounds(flat(matrix, subpath)), subpath
    for box in boxes:
        if meets(around, box):
            if (left := _rounded(matrix, made, box)) is None:
                return None
            made = left
    return made


def _rounded(matrix: Matrix, subpath: Subpath, box: Box) -> Subpath | None:
    kept, hidden = list[tuple[Point, Segment]](), False
    for start, each in sides(subpath, closed=True):
        through = not _ends_in(matrix, start, each, [box])
        pieces = [(start, each)] if through else [held[1:] for held in _outside(matrix, start, each, [box])]
        hidden = hidden or pieces != [(start, each)]
        kept += pieces
    if not hidden:
        return subpath
    if not kept:
        return None
    last, segments = kept[0][0], list[Segment]()
    for start, piece in kept:
        segments += [piece] if start == last else [start, piece]
        last = ends(piece)
    if len(segments[-1]) == 2 and last == kept[0][0]:
        segments.pop()  # areas close themselves
        # A pen draws the last line only where the path is closed; where its ends are seen, it stays open.
        return kept[0][0], segments, subpath[2] or subpath[0] != last
    return kept[0][0], segments, True


def _ends_in(matrix: Matrix, start: Point, segment: Segment, boxes: Sequence[Box]) -> bool:
    points = [place(matrix, *point) for point in (start, ends(segment))]
    return any(box[0] < x < box[2] and box[1] < y < box[3] for x, y in points for box in boxes)


def flat(matrix: Matrix, subpath: Subpath) -> list[Point]:
    """The subpath in the page's units, curves as many lines."""
    last, segments, _ = subpath
    made = [place(matrix, *last)]
    for each in segments:
        steps = 1 if len(each) == 2 else _PIECES
        made += [place(matrix, *_at(last, each, step / steps)) for step in range(1, steps + 1)]
        last = ends(each)
    return made


def crosses(matrix: Matrix, subpath: Subpath, boxes: Sequence[Box], *, closed: bool) -> bool:
    """Whether its line goes through one of the boxes."""
    points = flat(matrix, subpath)
    if closed:
        points.append(points[0])
    return any(_share(a, b, box) for a, b in pairwise(points) for box in boxes)


def _outside(
    matrix: Matrix, start: Point, segment: Segment, boxes: Sequence[Box]
) -> Iterator[tuple[float, Point, Segment]]:
    """The pieces of a line or curve that lie in none of the boxes, with the share and the point where each begins."""
    steps = 1 if len(segment) == 2 else _PIECES
    points = [place(matrix, *_at(start, segment, step / steps)) for step in range(steps + 1)]
    held = sorted(
        ((step + low) / steps, (step + high) / steps)
        for step, (a, b) in enumerate(pairwise(points))
        for box in boxes
        if (share := _share(a, b, box))
        for low, high in (share,)
    )
    if not held:
        yield 0.0, start, segment
        return
    at = 0.0
    for low, high in held:
        if low > at + 1e-9:
            yield at, *_part(start, segment, at, low)
        at = max(at, high)
    if at < 1.0 - 1e-9:
        yield at, *_part(start, segment, at, 1.0)


def _at(start: Point, segment: Segment, t: float) -> Point:
    if len(segment) == 2:
        return start[0] + (segment[0] - start[0]) * t, start[1] + (segment[1] - start[1]) * t
    a, b, c, d = (1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3
    x1, y1, x2, y2, x3, y3 = segment
    return a * start[0] + b * x1 + c * x2 + d * x3, a * start[1] + b * y1 + c * y2 + d * y3


def _length(start: Point, segment: Segment, t: float) -> float:
    """How long a share of a line or curve is."""
    steps = 1 if len(segment) == 2 else _PIECES
    return sum(math.dist(a, b) for a, b in pairwise(_at(start, segment, t * step / steps) for step in range(steps + 1)))


def _part(start: Point, segment: Segment, low: float, high: float) -> tuple[Point, Segment]:
    """A line or curve between two of its shares."""
    begin, end = start if low == 0 else _at(start, segment, low), _at(start, segment, high)
    if len(segment) == 2:
        return begin, (segment[0], segment[1]) if high == 1 else end
    span = (high - low) / 3
    (ax, ay), (bx, by) = _slope(start, segment, low), _slope(start, segment, high)
    return begin, (begin[0] + ax * span, begin[1] + ay * span, end[0] - bx * span, end[1] - by * span, *end)


def _slope(start: Point, curve: Segment, t: float) -> Point:
    """The derivative of a curve."""
    points = [start, (curve[0], curve[1]), (curve[2], curve[3]), (curve[4], curve[5])]
    steps = [(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(points)]
    shares = 3 * (1 - t) ** 2, 6 * t * (1 - t), 3 * t * t
    return (
        sum(share * x for share, (x, _) in zip(shares, steps, strict=True)),
        sum(share * y for share, (_, y) in zip(shares, steps, strict=True)),
    )


def _share(a: Point, b: Point, box: Box) -> tuple[float, float] | None:
    """Which share of a line lies in the box."""
    low, high = 0.0, 1.0
    for axis in (0, 1):
        start, step = a[axis], b[axis] - a[axis]
        if abs(step) < 1e-12:
            if not box[axis] < start < box[axis + 2]:
                return None
            continue
        near, far = sorted(((box[axis] - start) / step, (box[axis + 2] - start) / step))
        low, high = max(low, near), min(high, far)
    return (low, high) if low < high else None
