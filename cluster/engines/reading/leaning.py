"""How askew a picture of text lies: by its long lines, and by its pixels, which alone tell it where all are short."""

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from cluster.engines.layout.line import Line
from cluster.engines.layout.order import skew

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from PIL.Image import Image

#: Lines this much longer than high have a slope of their own: boxes around short ones stand upright.
_LONG, _ENOUGH = 8, 4
#: Degrees that are tried each way, in coarse and in fine steps, on a picture of so many pixels.
_MOST, _COARSE, _FINE, _SIDE = 6.0, 0.5, 0.05, 900
#: How much sharper the rows must be than those of the picture as it lies.
_SHARPER = 1.03


def lean(image: "Image", lines: Sequence[Line]) -> float:
    """The picture's skew in radians, clockwise, within some degrees."""
    long = [line for line in lines if _is_long(line)]
    if not lines:
        return skew(long)
    # Boxes of lines lie straighter than those do: what they tell is nearly the skew.
    told = math.degrees(skew(long)) if len(long) >= _ENOUGH else None
    return math.radians(_by_pixels(image, told))


def _is_long(line: Line) -> bool:
    (left, top), (right, _), _, (_, bottom) = line.box
    return right - left > _LONG * max(1.0, bottom - top)


def _by_pixels(image: "Image", told: float | None) -> float:
    """Degrees after which turned back the rows of pixels differ most: letters and rules all in some, none in others.

    Near the degrees that are `told`, if any are; these themselves, or none, where that is hardly less sharp.
    """
    import cv2
    import numpy

    grey = numpy.asarray(image.convert("L"))
    factor = min(1.0, _SIDE / max(grey.shape))
    small = cv2.resize(grey, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
    mean, dark = cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY_INV
    ink = cv2.adaptiveThreshold(small, 1, mean, dark, 15, 8).astype(numpy.float32)

    def sharp(degrees: float) -> float:
        return _sharpness(ink, degrees)

    rough = max(_steps(0, _MOST, _COARSE), key=sharp) if told is None else told
    best, usual = max(_steps(rough, _COARSE, _FINE), key=sharp), told or 0.0
    return best if sharp(best) > _SHARPER * sharp(usual) else usual


def _steps(middle: float, around: float, step: float) -> list[float]:
    count = round(around / step)
    return [middle + at * step for at in range(-count, count + 1)]


def _sharpness(ink: "NDArray[Any]", degrees: float) -> float:
    import cv2

    height, width = ink.shape
    turn = cv2.getRotationMatrix2D((width / 2, height / 2), degrees, 1)
    rows = cv2.warpAffine(ink, turn, (width, height)).sum(axis=1)
    return float(((rows[1:] - rows[:-1]) ** 2).sum())
