"""The picture of a scanned page without its words: as straight as they were read, and the paper where they stood."""

import itertools
import math
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cluster.engines.layout.model import Box, Sheet

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from PIL.Image import Image

#: Heights of a box around it that tell its paper, and in which letters may reach out of it.
_AROUND, _OUT = 0.25, 0.35
#: A strip of a line so many heights long has paper of its own: a shadow falls otherwise on its other end.
_STRIP = 4
#: Colours (of 765) from the paper's from which on a pixel is ink, or the shade around some.
_INK = 36
#: Greys (of 256) that are counted as one.
_GREYS = 12
#: A letter's colour is that of what differs by this share of what differs most; dark (of 255) and grey, it is black.
_LETTER, _BLACK, _NO_COLOUR = 0.7, 110, 40
#: Letters are no lighter than this on the whole (of 255): they are seen on white and on black.
_PALE = 140


def ground_of(image: "Image", sheet: Sheet, path: Path, taken: Sequence[Box] = ()) -> Path:
    """The picture of the page, upright and straight, with paper where its words and what was `taken` were."""
    import numpy
    from PIL import Image

    path.parent.mkdir(parents=True, exist_ok=True)
    if sheet.seen and sheet.seen.turned:
        image = image.rotate(-sheet.seen.turned, expand=True)
    page = _straight(numpy.array(image.convert("RGB")), sheet.seen.lean if sheet.seen else 0)
    scale = page.shape[1] / sheet.width
    words = [_pixels(line.box, scale, page) for line in sheet.lines]
    areas = [_pixels(box, scale, page) for box in taken]
    free = numpy.ones(page.shape[:2], bool)
    for left, top, right, bottom in (*areas, *words):
        free[top:bottom, left:right] = False
    seen = page.copy()
    for left, top, right, bottom in areas:
        page[top:bottom, left:right] = _paper(seen, free, (left, top, right, bottom))
    for box in words:
        _erase(page, seen, free, box)
    made = path.with_suffix(".jpg")
    Image.fromarray(page).save(made, quality=85)
    return made


def cleared(seen: "NDArray[Any]", boxes: Sequence[Box], scale: float) -> "tuple[NDArray[Any], list[int]]":
    """The picture, of `scale` pixels a point, with paper where words were, and the colours (0xRRGGBB) of those."""
    import numpy

    page, free = seen.copy(), numpy.ones(seen.shape[:2], bool)
    words = [_pixels(box, scale, page) for box in boxes]
    for left, top, right, bottom in words:
        free[top:bottom, left:right] = False
    for box in words:
        _erase(page, seen, free, box)
    return page, [_ink(seen, _paper(seen, free, box), box) for box in words]


def _ink(seen: "NDArray[Any]", ground: "NDArray[Any]", box: tuple[int, int, int, int]) -> int:
    """The colour of the letters in the box: of what differs most from its ground."""
    import numpy

    pixels = seen[box[1] : box[3], box[0] : box[2]].reshape(-1, 3)
    apart = numpy.abs(pixels.astype(int) - ground).sum(axis=1)
    most = pixels[apart >= _LETTER * numpy.percentile(apart, 98)]
    red, green, blue = (int(each) for each in numpy.median(most, axis=0))
    if max(red, green, blue) < _BLACK and max(red, green, blue) - min(red, green, blue) < _NO_COLOUR:
        return 0
    # Text that flows may come to stand beside its ground, where nobody would see pale letters.
    pale = min(1.0, _PALE / max(1.0, (red + green + blue) / 3))
    return round(red * pale) << 16 | round(green * pale) << 8 | round(blue * pale)


def _straight(page: "NDArray[Any]", angle: float) -> "NDArray[Any]":
    """The page turned back by its skew about the corner that its words were turned about; its edges go on outwards."""
    import cv2
    import numpy

    if not angle:
        return page
    sine, cosine = math.sin(-angle), math.cos(-angle)
    turn = numpy.array([[cosine, -sine, 0.0], [sine, cosine, 0.0]])
    size: tuple[int, int] = page.shape[1::-1]
    return numpy.asarray(cv2.warpAffine(page, turn, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE))


def _pixels(box: Box, scale: float, page: "NDArray[Any]") -> tuple[int, int, int, int]:
    high, wide = page.shape[:2]
    left, top, right, bottom = (each * scale for each in box)
    x, y = min(wide - 1, max(0, math.floor(left))), min(high - 1, max(0, math.floor(top)))
    return x, y, min(wide, max(x + 1, math.ceil(right))), min(high, max(y + 1, math.ceil(bottom)))


def _strips(box: tuple[int, int, int, int]) -> list[tuple[int, int, int, int]]:
    """The box in pieces along its longer side."""
    left, top, right, bottom = box
    wide, high = right - left, bottom - top
    count = max(1, round(max(wide, high) / (_STRIP * min(wide, high))))
    if wide >= high:
        edges = [left + wide * each // count for each in range(count + 1)]
        return [(one, top, other, bottom) for one, other in itertools.pairwise(edges)]
    edges = [top + high * each // count for each in range(count + 1)]
    return [(left, one, right, other) for one, other in itertools.pairwise(edges)]


def _grown(page: "NDArray[Any]", box: tuple[int, int, int, int], by: float) -> tuple[int, int, int, int]:
    left, top, right, bottom = box
    more = max(2, round(min(right - left, bottom - top) * by))
    high, wide = page.shape[:2]
    return max(0, left - more), max(0, top - more), min(wide, right + more), min(high, bottom + more)


def _paper(seen: "NDArray[Any]", free: "NDArray[Any]", box: tuple[int, int, int, int]) -> "NDArray[Any]":
    """The commonest colour in the box and around it where no other word stands: letters and rules are of many greys."""
    import numpy

    left, top, right, bottom = _grown(seen, box, _AROUND)
    around = seen[top:bottom, left:right][free[top:bottom, left:right]]
    pixels = numpy.concatenate([around, seen[box[1] : box[3], box[0] : box[2]].reshape(-1, 3)])
    greys = pixels.mean(axis=1)
    counts = numpy.convolve(
        numpy.bincount((greys / _GREYS).astype(int), minlength=256 // _GREYS + 1), [1, 1, 1], "same"
    )
    near = numpy.abs(greys / _GREYS - 0.5 - counts.argmax()) <= 1.5
    middle: NDArray[Any] = numpy.median(pixels[near], axis=0)
    return middle


def _erase(page: "NDArray[Any]", seen: "NDArray[Any]", free: "NDArray[Any]", box: tuple[int, int, int, int]) -> None:
    """Paper in the box, and where ink that begins in it ends near by: what goes on farther is a rule or a picture."""
    import cv2
    import numpy

    x, y, right, bottom = grown = _grown(seen, box, _OUT)
    part = seen[y:bottom, x:right]
    paper = numpy.empty_like(part)
    for strip in _strips(grown):
        paper[strip[1] - y : strip[3] - y, strip[0] - x : strip[2] - x] = _paper(seen, free, strip)
    ink = numpy.abs(part.astype(int) - paper).sum(axis=2) > _INK
    _, labels = cv2.connectedComponents(ink.astype(numpy.uint8))
    within = slice(box[1] - y, box[3] - y), slice(box[0] - x, box[2] - x)
    border = numpy.concatenate([labels[0], labels[-1], labels[:, 0], labels[:, -1]])
    gone = numpy.isin(labels, numpy.setdiff1d(labels[within], numpy.append(border, 0)))
    gone[within] = True
    page[y:bottom, x:right][gone] = paper[gone]
