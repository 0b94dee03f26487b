"""Paths cut along boxes: what lies inside is gone from the path itself, the rest is painted as it was.

What stays is painted below a clip that leaves the boxes out. So the rest of a path keeps its own lines, curves and
rectangles, and every renderer draws it as before: PDFium puts lone rectangles on whole pixels, and no other path.
"""

import math
import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from cluster.engines.edit.chains import Chain, chains, crosses, ends, flat, reach_of, rounded, sides
from cluster.engines.edit.scene import Box, Path, Segment, Subpath
from cluster.engines.edit.shapes import Boxes, Outline, Point, bounds, corners, grown, landed
from cluster.engines.edit.snapped import SAME, settled
from cluster.engines.edit.writing import numbers
from cluster.engines.pdf.matrix import Matrix, inverse, place, times

#: Units of pyclipper in one of the page.
_FINE = 10_000
#: A path of more points is not cut, nor one whose pieces meet boxes more often: that, and drawing what is left (MuPDF
#: needs a second for 2,000 long lines around 190 places), would cost minutes.
_MOST, _DEAREST = 200_000, 400_000
_FILLS = {b"f": b"f", b"F": b"f", b"f*": b"f*", b"B": b"f", b"B*": b"f*", b"b": b"f", b"b*": b"f*"}
_STROKES = (b"S", b"s", b"B", b"B*", b"b", b"b*")
_CLOSING = (b"s", b"b", b"b*")
#: What a path is told with; a span of more has other operators between.
_TOLD = frozenset((b"m", b"l", b"c", b"v", b"y", b"h", b"re", b"W", b"W*", b"n", b"F", *_FILLS, *_STROKES))
_WORD = re.compile(rb"[^\s\d.+-]+")
#: Everything that a page can show.
_FAR = 30_000.0


class Uncuttable(Exception):
    """A path of too many points, or one that meets places too often."""


def cut(path: Path, boxes: Boxes, told: bytes) -> bytes | None:
    """What paints the path without what lies in the boxes (in the page's units); None where it touches none.

    `told`: its span as it is. A path that only clips tells its outline no more where that lies in the boxes.

    Raises Uncuttable.
    """
    pen = path.width * _scale(path.matrix) if path.operator in _STROKES else 0.0
    near = boxes.near(reach(path))
    if not near:
        return None
    length = sum(len(segments) for _, segments, _ in path.subpaths)
    if inverse(path.matrix) is None:
        return _clip(path, path.subpaths) if path.operator != b"n" else None
    if length > _MOST or (length * len(near) > _DEAREST and _meetings(path, near) > _DEAREST):
        raise Uncuttable
    if path.operator == b"n":
        return _only_clip(path, near)
    if not _paints(path, near, pen):
        return None
    painted = _painted(path, near, pen, told, boxes.frame)
    clip = _clip(path, _edges(path, near)) if path.clips else b""
    return (b"q %b%b Q " % (around(near, path.matrix) or b"", painted) if painted else b" ") + clip


def _meetings(path: Path, boxes: Sequence[Box]) -> int:
    """How often its lines and curves come near boxes."""
    import numpy

    found = [reach_of(path.matrix, *each) for subpath in path.subpaths for each in sides(subpath, closed=True)]
    x0, y0, x1, y1 = numpy.array(found).reshape(-1, 4).T
    return sum(int(((x0 < c) & (a < x1) & (y0 < d) & (b < y1)).sum()) for a, b, c, d in boxes)


def reach(path: Path) -> Box:
    """The box around all that it paints."""
    pen = path.width * _scale(path.matrix) if path.operator in _STROKES else 0.0
    return grown(bounds(list(_points(path))), pen / 2 + 1e-6)


def around(boxes: Sequence[Box], matrix: Matrix) -> bytes | None:
    """A clip in the units of `matrix` that leaves out the boxes; None where the matrix has no way back."""
    back = inverse(matrix)
    if back is None:
        return None
    outlines = [corners((-_FAR, -_FAR, _FAR, _FAR)), *_joined(boxes)]
    return b"".join(_polygon(landed(back, each)) for each in outlines) + b"W* n " if boxes else b""


def _joined(boxes: Sequence[Box]) -> list[Outline]:
    """Outlines of what the boxes cover: as areas of their own they would let each other in again."""
    if len(boxes) == 1:
        return [corners(boxes[0])]
    import pyclipper

    clipper = pyclipper.Pyclipper()
    clipper.AddPaths([_fine(corners(box)) for box in boxes], pyclipper.PT_SUBJECT, True)
    return _coarse(clipper.Execute(pyclipper.CT_UNION, pyclipper.PFT_NONZERO, pyclipper.PFT_NONZERO))


def _fine(outline: Sequence[Point]) -> list[tuple[int, int]]:
    return [(round(x * _FINE), round(y * _FINE)) for x, y in outline]


def _coarse(outlines: Sequence[Sequence[tuple[int, int]]]) -> list[Outline]:
    return [tuple((x / _FINE, y / _FINE) for x, y in each) for each in outlines]


def _scale(matrix: Matrix) -> float:
    return math.sqrt(abs(matrix[0] * matrix[3] - matrix[1] * matrix[2]))


def _points(path: Path) -> Iterator[Point]:
    for first, segments, _ in path.subpaths:
        yield place(path.matrix, *first)
        for each in segments:
            yield from (place(path.matrix, each[at], each[at + 1]) for at in range(0, len(each), 2))


def _paints(path: Path, boxes: Sequence[Box], pen: float) -> bool:
    """Whether anything of it lies in the boxes."""
    if path.operator in _STROKES:
        touching = [grown(box, pen / 2) for box in boxes]
        closes = path.operator in _CLOSING
        if any(crosses(path.matrix, each, touching, closed=each[2] or closes) for each in path.subpaths):
            return True
    return path.operator in _FILLS and _left(path, boxes) is not None


def _left(path: Path, boxes: Sequence[Box]) -> list[Outline] | None:
    """What the boxes leave of the filled area, curves as many lines; None where they take nothing of it."""
    import pyclipper

    rule = pyclipper.PFT_EVENODD if path.operator.endswith(b"*") else pyclipper.PFT_NONZERO
    clipper = pyclipper.Pyclipper()
    outlines = [each for subpath in path.subpaths if len(each := _fine(flat(path.matrix, subpath))) > 2]
    if not outlines or not clipper.AddPaths(outlines, pyclipper.PT_SUBJECT, True):
        return None
    clipper.AddPaths([_fine(corners(box)) for box in boxes], pyclipper.PT_CLIP, True)
    if not clipper.Execute(pyclipper.CT_INTERSECTION, rule, pyclipper.PFT_NONZERO):
        return None
    return _coarse(clipper.Execute(pyclipper.CT_DIFFERENCE, rule, pyclipper.PFT_NONZERO))


def _painted(path: Path, boxes: Sequence[Box], pen: float, told: bytes, frame: Matrix) -> bytes:
    """What paints the rest, if the boxes are left out by a clip."""
    if path.operator not in _FILLS:
        return _stroked(path, boxes, pen)
    if path.operator not in _STROKES and _is_upright(path):
        return _rectangle(path, boxes, told, frame)
    # A pen paints outside of a box too what it follows just within.
    edges = _edges(path, [_core(box, pen) for box in boxes])
    if edges == path.subpaths and not path.clips and set(_WORD.findall(told)) <= _TOLD:
        return told
    alike = len({closed for _, _, closed in [*path.subpaths, *edges]}) == 1
    if path.operator not in _STROKES or path.operator in _CLOSING or alike:
        return _whole(edges) + path.operator if edges else b""
    fill = _whole(edges) + _FILLS[path.operator] + b" " if edges else b""
    return fill + _stroked(path, boxes, pen)


def _core(box: Box, pen: float) -> Box:
    return grown(box, -min(pen / 2, 0.45 * min(box[2] - box[0], box[3] - box[1])))


def _edges(path: Path, boxes: Sequence[Box]) -> list[Subpath]:
    """The subpaths as edges of an area, without what they tell of the boxes."""
    kept = [made for each in path.subpaths if (made := rounded(path.matrix, each, boxes)) is not None]
    if len(kept) == 1 < len(path.subpaths):
        # Alone, a rectangle would be put on whole pixels: something that no one sees stays beside it.
        back = inverse(path.matrix) or path.matrix
        x, y = place(back, (boxes[0][0] + boxes[0][2]) / 2, (boxes[0][1] + boxes[0][3]) / 2)
        kept = [*kept, ((x, y), [(x, y)], True)]
    return kept


def _is_upright(path: Path) -> bool:
    """Whether it is one rectangle whose sides lie as the page's do."""
    if len(path.subpaths) != 1 or any(len(each) != 2 for each in path.subpaths[0][1]):
        return False
    outline = _fine(flat(path.matrix, path.subpaths[0]))
    once = outline if outline[0] == outline[-1] else [*outline, outline[0]]
    turns = [(a == c, b == d) for (a, b), (c, d) in pairwise(once)]
    return len(turns) == 4 and all(one != other and sum(one) == 1 for one, other in pairwise(turns))


def _rectangle(path: Path, boxes: Sequence[Box], told: bytes, frame: Matrix) -> bytes:
    """The rectangle around what is left of one: it tells no more of what went than what is still seen."""
    outlines = _left(path, boxes)
    if not outlines:
        return b""
    whole, left = bounds(list(_points(path))), bounds([point for each in outlines for point in each])
    if max(abs(a - b) for a, b in zip(whole, left, strict=True)) < SAME:
        if not path.clips and set(_WORD.findall(told)) <= _TOLD:
            return told
        return _whole(path.subpaths) + path.operator
    kept = tuple(a if abs(a - b) < SAME else b for a, b in zip(whole, left, strict=True))
    was, left = (bounds(landed(frame, corners((x0, y0, x1, y1)))) for x0, y0, x1, y1 in (whole, kept))
    made = settled(was, left, min(min(box[2] - box[0], box[3] - box[1]) for box in boxes))
    back = inverse(times(path.matrix, frame)) or path.matrix
    return _polygon(landed(back, corners(made))) + path.operator


def _only_clip(path: Path, boxes: Sequence[Box]) -> bytes | None:
    """A clip whose outline tells nothing of the boxes; None where it does not. Rectangles that reach out tell little,
    and letters that stay may lean out of narrower ones."""
    edges = _edges(path, boxes)
    if edges == path.subpaths or (edges and _is_upright(path)):
        return None
    return _clip(path, edges)


def _clip(path: Path, subpaths: Sequence[Subpath]) -> bytes:
    """What clips as the path does; a clip of nothing shows nothing."""
    return (_whole(subpaths) or b"0 0 0 0 re ") + path.clips + b" n" if path.clips else b""


def _stroked(path: Path, boxes: Sequence[Box], pen: float) -> bytes:
    """The lines without what lies in the boxes: their ends are below the clip."""
    cores, closes = [_core(box, pen) for box in boxes], path.operator in _CLOSING
    made = list[bytes]()
    for subpath in path.subpaths:
        closed = subpath[2] or closes
        kept = chains(path.matrix, subpath, cores, closed=closed)
        whole = (
            len(kept) == 1
            and kept[0].first == subpath[0]
            and kept[0].last == (subpath[0] if closed else _last(subpath))
        )
        if closed and len(kept) > 1 and kept[-1].last == kept[0].first and not path.dash:
            kept = [Chain(kept[-1].first, kept[-1].segments + kept[0].segments, 0.0), *kept[1:-1]]
        for each in kept:
            made += [_dashed(path, each.along)] if path.dash else []
            made += [_construction(each.first, each.segments, closed=closed and whole), b"S " if path.dash else b""]
    return b"".join(made) + (b"" if path.dash or not made else b"S ")


def _last(subpath: Subpath) -> Point:
    return ends(subpath[1][-1]) if subpath[1] else subpath[0]


def _dashed(path: Path, along: float) -> bytes:
    """The dashes as they are so far along the line."""
    *lengths, phase = path.dash
    return b"[%b] %b d " % (numbers(*lengths), numbers(phase + along))


def _whole(subpaths: Sequence[Subpath]) -> bytes:
    return b"".join(_construction(first, segments, closed=closed) for first, segments, closed in subpaths)


def _polygon(outline: Sequence[Point]) -> bytes:
    return b"".join(numbers(*each) + (b" l " if at else b" m ") for at, each in enumerate(outline)) + b"h "


def _construction(first: Point, segments: Sequence[Segment], *, closed: bool) -> bytes:
    lines = [numbers(*each) + (b" l " if len(each) == 2 else b" c ") for each in segments]
    return numbers(*first) + b" m " + b"".join(lines) + (b"h " if closed else b"")
