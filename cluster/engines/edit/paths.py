"""Paths cut along boxes: what lies inside is gone from the path itself, the rest is painted as it was."""

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise

from cluster.engines.edit.scene import Box, Path, Segment
from cluster.engines.edit.shapes import Boxes, Outline, Point, bounds, corners, grown, landed
from cluster.engines.edit.writing import numbers
from cluster.engines.pdf.matrix import Matrix, inverse, place

#: Units of pyclipper in one of the page; pieces that a curve is cut into.
_FINE, _PIECES = 10_000, 48
#: Clips that one rectangle may get; every one costs readers a page's pixels.
_CLIPS = 16
#: A path of more points is dropped whole where it is touched: cutting it would cost minutes.
_MOST = 200_000
_FILLS = {b"f": b"f", b"F": b"f", b"f*": b"f*", b"B": b"f", b"B*": b"f*", b"b": b"f", b"b*": b"f*"}
_STROKES = (b"S", b"s", b"B", b"B*", b"b", b"b*")
_CLOSING = (b"s", b"b", b"b*")
#: Everything that a page can show.
_FAR = 30_000.0


def cut(path: Path, boxes: Boxes) -> bytes | None:
    """What paints the path without what lies in the boxes (in the page's units); None where it touches none."""
    back = inverse(path.matrix)
    pen = path.width * _scale(path.matrix)
    stroked = path.operator in _STROKES
    reach = grown(bounds(list(_points(path))), pen / 2 + 1e-6 if stroked else 1e-6)
    near = boxes.near(reach)
    if not near:
        return None
    if back is None or sum(len(segments) for _, segments, _ in path.subpaths) > _MOST:
        return _clip(path)
    fill = _filled(path, near, back) if path.operator in _FILLS else b""
    stroke = _stroked(path, near, pen) if stroked else b""
    if fill is None and stroke is None:
        return None
    fill = _whole(path) + _FILLS[path.operator] + b" " if fill is None else fill
    stroke = _whole(path, close=path.operator in _CLOSING) + b"S " if stroke is None else stroke
    return fill + stroke + _clip(path)


def around(boxes: Sequence[Box], matrix: Matrix) -> bytes | None:
    """A clip in the units of `matrix` that leaves out the boxes; None where the matrix has no way back."""
    back = inverse(matrix)
    if back is None:
        return None
    parts = [_polygon(landed(back, corners((-_FAR, -_FAR, _FAR, _FAR))))]
    for box in boxes:
        # Overlapping boxes would let each other in again, so each is a clip of its own.
        parts.append(_polygon(landed(back, corners(box))) + b"W* n ")
        parts.append(parts[0])
    return b"".join(parts[:-1]) if boxes else b""


def _clip(path: Path) -> bytes:
    return _whole(path) + path.clips + b" n" if path.clips else b""


def _scale(matrix: Matrix) -> float:
    return math.sqrt(abs(matrix[0] * matrix[3] - matrix[1] * matrix[2]))


def _points(path: Path) -> Iterator[Point]:
    for first, segments, _ in path.subpaths:
        yield place(path.matrix, *first)
        for each in segments:
            yield from (place(path.matrix, each[at], each[at + 1]) for at in range(0, len(each), 2))


def _whole(path: Path, *, close: bool = False) -> bytes:
    """The path's construction as it was."""
    return b"".join(_construction(first, segments, closed=closed or close) for first, segments, closed in path.subpaths)


def _polygon(outline: Sequence[Point]) -> bytes:
    return b"".join(numbers(*each) + (b" l " if at else b" m ") for at, each in enumerate(outline)) + b"h "


def _filled(path: Path, boxes: Sequence[Box], back: Matrix) -> bytes | None:
    """The filled area without the boxes; None where they take nothing of it."""
    import pyclipper

    def fine(outline: Sequence[Point]) -> list[tuple[int, int]]:
        return [(round(x * _FINE), round(y * _FINE)) for x, y in outline]

    rule = pyclipper.PFT_EVENODD if path.operator.endswith(b"*") else pyclipper.PFT_NONZERO
    rounds = [fine(_flat(path.matrix, first, segments)) for first, segments, _ in path.subpaths]
    clipper = pyclipper.Pyclipper()
    rounds = [each for each in rounds if len(each) > 2]
    if not rounds or not clipper.AddPaths(rounds, pyclipper.PT_SUBJECT, True):
        return None
    clipper.AddPaths([fine(corners(box)) for box in boxes], pyclipper.PT_CLIP, True)
    if not clipper.Execute(pyclipper.CT_INTERSECTION, rule, pyclipper.PFT_NONZERO):
        return None
    left = clipper.Execute(pyclipper.CT_DIFFERENCE, rule, pyclipper.PFT_NONZERO)
    outlines = [tuple((x / _FINE, y / _FINE) for x, y in each) for each in left]
    if len(rounds) == 1 and _is_upright(rounds[0]) and len(boxes) <= _CLIPS:
        holed = any(len(each) != 4 or not pyclipper.Orientation(each) for each in left)
        return _rectangles(outlines, path.matrix, back, boxes if holed else ())
    told = [_polygon(landed(back, each)) for each in outlines]
    return b"".join(told) + b"f* " if told else b" "


def _is_upright(outline: Sequence[tuple[int, int]]) -> bool:
    """Whether these are the corners of a rectangle whose sides lie as the page's do."""
    around_once = outline if outline[0] == outline[-1] else [*outline, outline[0]]
    turns = [(a == c, b == d) for (a, b), (c, d) in pairwise(around_once)]
    return len(turns) == 4 and all(one != other and sum(one) == 1 for one, other in pairwise(turns))


def _rectangles(outlines: Sequence[Outline], matrix: Matrix, back: Matrix, boxes: Sequence[Box]) -> bytes:
    """What is left of a rectangle, as rectangles: PDFium puts these on whole pixels, and no other path.

    Where the boxes leave no rectangles, the one around what is left is painted but where they are: it tells no more of
    what went than what is still seen.
    """
    if not outlines:
        return b" "
    if not boxes:
        return b"".join(_polygon(landed(back, each)) + b"f* " for each in outlines)
    whole = bounds([point for each in outlines for point in each])
    return b"q %b%b f* Q " % (around(boxes, matrix) or b"", _polygon(landed(back, corners(whole))))


def _flat(matrix: Matrix, first: Point, segments: Sequence[Segment]) -> list[Point]:
    """The subpath in the page's units, curves as many lines."""
    made, last = [place(matrix, *first)], first
    for each in segments:
        if len(each) == 2:
            made.append(place(matrix, *each))
        else:
            made += [place(matrix, *_on(last, each, step / _PIECES)) for step in range(1, _PIECES + 1)]
        last = each[-2], each[-1]
    return made


def _on(start: Point, curve: Segment, t: float) -> Point:
    a, b, c, d = (1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3
    x1, y1, x2, y2, x3, y3 = curve
    return a * start[0] + b * x1 + c * x2 + d * x3, a * start[1] + b * y1 + c * y2 + d * y3


def _stroked(path: Path, boxes: Sequence[Box], pen: float) -> bytes | None:
    """The lines without what lies in the boxes, clipped so that their ends do not reach in; None where none does."""
    closes = path.operator in _CLOSING
    touching = [grown(box, pen / 2) for box in boxes]
    if not any(
        _crosses(path.matrix, first, segments, closed or closes, touching) for first, segments, closed in path.subpaths
    ):
        return None
    # What the pen paints outside from just within stays: the clip cuts it.
    cores = [grown(box, -min(pen / 2, 0.45 * min(box[2] - box[0], box[3] - box[1]))) for box in boxes]
    told = b"".join(
        _lines(path.matrix, first, segments, closed or closes, cores) for first, segments, closed in path.subpaths
    )
    return b"q " + (around(boxes, path.matrix) or b"") + told + b"S Q " if told else b" "


def _crosses(matrix: Matrix, first: Point, segments: Sequence[Segment], closed: bool, boxes: Sequence[Box]) -> bool:
    flat = _flat(matrix, first, segments) + ([place(matrix, *first)] if closed else [])
    return any(_inside(a, b, box) for a, b in pairwise(flat) for box in boxes)


def _lines(matrix: Matrix, first: Point, segments: Sequence[Segment], closed: bool, boxes: Sequence[Box]) -> bytes:
    """A subpath's pieces outside of the boxes; curves stay curves."""
    chains: list[tuple[Point, list[Segment]]] = []
    last, whole = first, True
    for each in [*segments, first] if closed else segments:
        kept = list(_outside(matrix, last, each, boxes))
        whole = whole and kept == [(last, each)]
        for start, piece in kept:
            if chains and _last(chains[-1]) == start:
                chains[-1][1].append(piece)
            else:
                chains.append((start, [piece]))
        last = each[-2], each[-1]
    if closed and len(chains) > 1 and _last(chains[-1]) == chains[0][0]:
        start, pieces = chains.pop()
        chains[0] = start, pieces + chains[0][1]
    return b"".join(_construction(start, pieces, closed=closed and whole) for start, pieces in chains)


def _last(chain: tuple[Point, list[Segment]]) -> Point:
    return chain[1][-1][-2], chain[1][-1][-1]


def _construction(first: Point, segments: Sequence[Segment], *, closed: bool) -> bytes:
    lines = [numbers(*each) + (b" l " if len(each) == 2 else b" c ") for each in segments]
    return numbers(*first) + b" m " + b"".join(lines) + (b"h " if closed else b"")


def _outside(matrix: Matrix, start: Point, segment: Segment, boxes: Sequence[Box]) -> Iterator[tuple[Point, Segment]]:
    """The pieces of a line or curve that lie in none of the boxes, with the point where each begins."""
    steps = 1 if len(segment) == 2 else _PIECES
    points = [place(matrix, *_at(start, segment, step / steps)) for step in range(steps + 1)]
    held = sorted(
        ((step + low) / steps, (step + high) / steps)
        for step, (a, b) in enumerate(pairwise(points))
        for box in boxes
        if (share := _inside(a, b, box))
        for low, high in (share,)
    )
    if not held:
        yield start, segment
        return
    at = 0.0
    for low, high in held:
        if low > at + 1e-9:
            yield _part(start, segment, at, low)
        at = max(at, high)
    if at < 1.0 - 1e-9:
        yield _part(start, segment, at, 1.0)


def _at(start: Point, segment: Segment, t: float) -> Point:
    if len(segment) == 2:
        return start[0] + (segment[0] - start[0]) * t, start[1] + (segment[1] - start[1]) * t
    return _on(start, segment, t)


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


def _inside(a: Point, b: Point, box: Box) -> tuple[float, float] | None:
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
