"""Coloured surfaces that text may stand on: rectangles, with round corners or without, one or several in a path."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, pairwise
from typing import TYPE_CHECKING, Any

from cluster.engines.layout.drawn import shared
from cluster.engines.layout.grids import THIN
from cluster.engines.layout.grounds import LIGHT, ground, is_light
from cluster.engines.layout.model import Box, Inked, TextLine
from cluster.engines.layout.rows import around
from cluster.engines.reading.drawings import SIDES, is_box

if TYPE_CHECKING:
    import pymupdf

#: A shape that covers so much of its box is a rectangle.
_FULL = 0.9
#: Rectangles with round corners have no more strokes; a path of more rectangles is a picture's.
_STROKES, _MOST = 24, 1_000
#: How many boxes behind one in order of place are asked whether they reach into it.
_NEXT = 8
#: Points by which the cells of a row may lie over each other.
_OVER = 1.0


def surfaces(path: Mapping[str, Any], colour: int) -> Iterator[Inked]:
    """The boxes that a path fills with a colour, which is paler where paper shines through."""
    inked = _on_paper(colour, path.get("fill_opacity", 1.0))
    yield from ((box, inked) for box in _boxes(path))


def under_light(page: "pymupdf.Page", lines: Sequence[TextLine], fills: Sequence[Inked]) -> Iterator[Inked]:
    """What light letters stand on that no path tells: shades and pictures; a box each, in its colour.

    Where that is light, too, nobody sees them on the page either.
    """
    light = [line for line in lines if any(map(is_light, line.spans)) and ground(fills, line.box) is None]
    if not light:
        return
    from PIL import Image, ImageStat

    pixels = page.get_pixmap(alpha=False, colorspace="rgb")
    image = Image.frombytes("RGB", (pixels.width, pixels.height), pixels.samples)
    for line in light:
        left, top, right, low = map(round, shared(line.box, page.rect))
        if left < right and top < low:
            # Letters cover less than half of their box.
            red, green, blue = ImageStat.Stat(image.crop((left, top, right, low))).median
            if min(red, green, blue) < LIGHT:
                yield line.box, red << 16 | green << 8 | blue


def _boxes(path: Mapping[str, Any]) -> Sequence[Box]:
    items, (left, top, right, low) = path["items"][:_MOST], path["rect"]
    if (len(items) == 1 and items[0][0] == "re") or _is_full(items, (left, top, right, low)):
        return [(left, top, right, low)]
    thick = [box for box in _rectangles(items) if min(box[2] - box[0], box[3] - box[1]) >= THIN]
    return [] if _nested(thick) else thick


def _rectangles(items: Sequence[tuple[Any, ...]]) -> Sequence[Box]:
    """Those of a path that is made of nothing else; where the page was turned MuPDF tells each as four lines."""
    if all(item[0] == "re" for item in items):
        return [straightened(item[1]) for item in items]
    if len(items) % SIDES or any(item[0] != "l" for item in items):
        return []
    fours = [items[at : at + SIDES] for at in range(0, len(items), SIDES)]
    boxes = [around((*line[1], *line[2]) for line in four) for four in fours]
    return boxes if all(is_box({"items": four, "rect": box}) for four, box in zip(fours, boxes, strict=True)) else []


def straightened(rectangle: Sequence[float]) -> Box:
    """The rectangle; some draw from the right, or upwards."""
    (x0, x1), (y0, y1) = sorted(rectangle[::2]), sorted(rectangle[1::2])
    return x0, y0, x1, y1


def _nested(boxes: Sequence[Box]) -> bool:
    """Whether one lies over another: what both draw may be a frame."""
    ordered = sorted(boxes)
    return any(
        two[0] < one[2] - _OVER and two[1] < one[3] - _OVER and one[1] < two[3] - _OVER
        for at, one in enumerate(ordered)
        for two in ordered[at + 1 : at + 1 + _NEXT]
    )


def _is_full(items: Sequence[tuple[Any, ...]], box: Box) -> bool:
    """Whether lines and curves go round nearly all of the box."""
    if len(items) > _STROKES or any(item[0] not in "lc" for item in items):
        return False
    points = [*chain.from_iterable((item[1], item[-1]) for item in items)]
    turns: float = sum(one[0] * two[1] - two[0] * one[1] for one, two in pairwise([*points, points[0]]))
    return abs(turns) / 2 > _FULL * (box[2] - box[0]) * (box[3] - box[1]) > 0


def _on_paper(colour: int, share: float) -> int:
    """The colour where so much of it lies on white."""
    parts = (colour >> shift & 255 for shift in (16, 8, 0))
    red, green, blue = (round(share * each + (1 - share) * 255) for each in parts)
    return red << 16 | green << 8 | blue
