"""Paths cut along boxes: what lies inside is gone from the path itself, the rest is painted as it was."""

import math
from collections.abc import Iterator, Sequence

from cluster.engines.edit.scene import Path, Segment
from cluster.engines.edit.shapes import Box, Point, bounds, corners, grown, landed, meets
from cluster.engines.edit.writing import numbers
from cluster.engines.pdf.matrix import Matrix, inverse, place

#: Units of pyclipper in one of the page; pieces that a curve is cut into.
_FINE, _PIECES = 10_000, 48
#: A path of more points is dropped whole where it is touched: cutting it would cost minutes.
_MOST = 200_000
_FILLS = {b"f": b"f", b"F": b"f", b"f*": b"f*", b"B": b"f", b"B*": b"f*", b"b": b"f", b"b*": b"f*"}
_STROKES = (b"S", b"s", b"B", b"B*", b"b", b"b*")
_CLOSING = (b"s", b"b", b"b*")
#: Everything that a page can show.
_FAR = 30_000.0


def cut(path: Path, boxes: Sequence[Box]) -> bytes | None:
    """What paints the path without what lies in the boxes (in the page's units); None where it touches none."""
    back = inverse(path.matrix)
    pen = path.width * _scale(path.matrix)
    stroked = path.operator in _STROKES
    reach = grown(bounds(list(_points(path))), pen / 2 + 1e-6 if stroked else 1e-6)
    near = [box for box in boxes if meets(reach, box)]
    if not near:
        return None
    if back is None or sum(len(segments) for _, segments, _ in path.subpaths) > _MOST:
        return _clip(path)
    fill = _filled(path, near, back) if path.operator in _FILLS else b""
    stroke = _stroked(path, near, back, pen) if stroked else b""
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
    made: list[bytes] = []
    for first, segments, closed in path.subpaths:
        made.append(numbers(*first) + b" m ")
        made += [numbers(*each) + (b" l " if len(each) == 2 else b" c ") for each in segments]
        made += [b"h "] if closed or close else []
    return b"".join(made)


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
    told = [_polygon(landed(back, [(x / _FINE, y / _FINE) for x, y in each])) for each in left]
    return b"".join(told) + b"f* " if told else b" "


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


def _stroked(path: Path, boxes: Sequence[Box], back: Matrix, pen: float) -> bytes | None:
    """The lines without what lies in the boxes, clipped so that their ends do not reach in; None where none does."""
    inner = [grown(box, pen / 2) for box in boxes]
    pieces: list[bytes] = []
    changed = False
    for first, segments, closed in path.subpaths:
        told = _lines(path.matrix, back, first, segments, closed or path.operator in _CLOSING, (inner, boxes, pen))
        changed = changed or told is not None
        pieces.append(_construction(first, segments, closed or path.operator in _CLOSING) if told is None else told)
    if not changed:
        return None
    clip = around(boxes, path.matrix) or b""
    return b"q " + clip + b"".join(pieces) + b"S Q " if b"".join(pieces).strip() else b" "


def _construction(first: Point, segments: Sequence[Segment], closed: bool) -> bytes:
    lines = [numbers(*each) + (b" l " if len(each) == 2 else b" c ") for each in segments]
    return numbers(*first) + b" m " + b"".join(lines) + (b"h " if closed else b"")


def _lines(
    matrix: Matrix,
    back: Matrix,
    first: Point,
    segments: Sequence[Segment],
    closed: bool,
    cutting: tuple[Sequence[Box], Sequence[Box], float],
) -> bytes | None:
    """A subpath's pieces outside of the boxes; None where it does not come near one."""
    touching, boxes, pen = cutting
    flat = _flat(matrix, first, segments) + ([place(matrix, *first)] if closed else [])
    pairs = list(zip(flat, flat[1:], strict=False))
    if not any(_inside(a, b, box) for a, b in pairs for box in touching):
        return None
    # What the pen paints outside from just within stays: the clip cuts it.
    cores = [grown(box, -min(pen / 2, 0.45 * min(box[2] - box[0], box[3] - box[1]))) for box in boxes]
    chains: list[list[Point]] = []
    for a, b in pairs:
        for start, end in _outside(a, b, cores):
            if chains and chains[-1][-1] == start:
                chains[-1].append(end)
            else:
                chains.append([start, end])
    if closed and len(chains) > 1 and chains[-1][-1] == chains[0][0]:
        chains[0] = chains.pop() + chains[0][1:]
    made = [landed(back, chain) for chain in chains]
    return b"".join(_open(each) for each in made)


def _open(chain: Sequence[Point]) -> bytes:
    return b"".join(numbers(*each) + (b" l " if at else b" m ") for at, each in enumerate(chain))


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


def _outside(a: Point, b: Point, boxes: Sequence[Box]) -> Iterator[tuple[Point, Point]]:
    """The pieces of a line that lie in none of the boxes."""
    held = sorted(share for box in boxes if (share := _inside(a, b, box)))
    at = 0.0
    for low, high in held:
        if low > at:
            yield _between(a, b, at), _between(a, b, low)
        at = max(at, high)
    if at < 1.0:
        yield _between(a, b, at), b


def _between(a: Point, b: Point, share: float) -> Point:
    return a if share == 0 else (a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share)


