"""Where the ink of a nearly blank page lies: a line alone on a big page is overlooked until one looks closer."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: Longest side on which ink is looked for, and how much darker or lighter than the paper it is.
_SIDE = 1200
_INK = 48
#: A page with more ink, or in more places, is not sparse.
_SHARE = 0.02
_PLACES = 12
#: What belongs together lies this near (pixels of the reduced page, across and down); less ink is dust.
_NEAR = 41, 11
_DUST = 12

#: left, top, right, bottom
Rectangle = tuple[int, int, int, int]


class Place(NamedTuple):
    """Where ink lies, and that with some paper around, which may show parts of the next place's lines."""

    ink: Rectangle
    around: Rectangle


def places(picture: "NDArray[Any]") -> list[Place]:
    """The places of all ink of `picture` (height x width x 3); none unless it is sparse."""
    import cv2
    import numpy

    ink, step = _ink(picture)
    if not 0 < ink.mean() < _SHARE:
        return []
    grown = cv2.dilate(ink, numpy.ones(_NEAR[::-1], numpy.uint8))
    _, numbers, found, _ = cv2.connectedComponentsWithStats(grown)
    amounts = numpy.bincount(numbers.ravel(), weights=ink.ravel())
    kept = [found[number] for number in range(1, len(found)) if amounts[number] >= _DUST]
    return [_place(each, step, picture.shape) for each in kept] if len(kept) <= _PLACES else []


def is_anothers(x: float, y: float, place: Place, all_places: Sequence[Place]) -> bool:
    """Whether what is found there, in this place's paper, is ink of other places only."""
    holds = [left <= x <= right and top <= y <= bottom for (left, top, right, bottom), _ in (place, *all_places)]
    return any(holds) and not holds[0]


def _ink(picture: "NDArray[Any]") -> "tuple[NDArray[Any], int]":
    """Where ink is on the page reduced by the second number; thin strokes are kept."""
    import cv2
    import numpy

    step = -(-max(picture.shape[:2]) // _SIDE)
    green = numpy.ascontiguousarray(picture[:, :, 1])
    paper = int(numpy.median(green[::step, ::step]))
    away = cv2.absdiff(green, numpy.full_like(green, paper))
    return (cv2.dilate(away, numpy.ones((step, step), numpy.uint8))[::step, ::step] > _INK).astype(numpy.uint8), step


def _place(found: "NDArray[Any]", step: int, shape: tuple[int, ...]) -> Place:
    left, top, width, height = (int(value) * step for value in found[:4])
    right, bottom, edge = left + width, top + height, max(20, height // 2)
    around = max(0, left - edge), max(0, top - edge), min(shape[1], right + edge), min(shape[0], bottom + edge)
    return Place((left, top, right, bottom), around)
