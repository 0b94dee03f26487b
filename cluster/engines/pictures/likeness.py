"""How alike two pictures look: mean structural similarity (SSIM, 7 × 7 windows), the mean of the channels.

SSIM forgives a flat patch of another colour, people do not: patches whose mean drifts cost extra, and one that
drifts far is never forgiven, however small its share of the picture.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from PIL.Image import Image

_WINDOW = (7, 7)
#: Levels that the mean of a window may drift, the share of windows that may, and what more of them cost.
_DRIFT, _TOLERATED, _COST = 14, 0.002, 3.0
#: Levels beyond which the mean of no window may drift in any channel.
FARTHEST = 20
#: The window in which a palette must keep each colour.
_SPOT = (3, 3)
_C1, _C2 = (0.01 * 255) ** 2, (0.03 * 255) ** 2


class View:
    """A picture as a reader sees it, reduced to `size`; others are measured against it.

    farthest: levels beyond which the mean of no window may drift in any channel.
    """

    def __init__(self, image: "Image", size: tuple[int, int], farthest: float = FARTHEST) -> None:
        self.size, self.farthest = size, farthest
        # Channel by channel: what is in memory at once counts more than the calls.
        self._channels = [(seen, *_moments(seen)) for seen in _seen(image, size)]

    def likeness(self, other: "Image") -> float:
        """1.0 for the same picture."""
        seen = _as_channels(_seen(other, self.size), len(self._channels))
        pairs = zip(self._channels, seen, strict=True)
        alike, drifts, drifted = zip(*(_compared(*one, two) for one, two in pairs), strict=True)
        if max(drifts) > self.farthest:
            return 0.0
        count = len(self._channels)
        return float(sum(alike) / count - _COST * max(0.0, sum(drifted) / count - _TOLERATED))


def _compared(one: Any, mean: Any, variance: Any, two: Any) -> tuple[float, float, float]:
    """SSIM of a channel, the farthest that the mean of a window drifts, and the share of windows that drift."""
    import cv2

    mean2, variance2 = _moments(two)
    covariance = cv2.boxFilter(one * two, -1, _WINDOW) - mean * mean2
    top = (2 * mean * mean2 + _C1) * (2 * covariance + _C2)
    bottom = (mean**2 + mean2**2 + _C1) * (variance + variance2 + _C2)
    drift = cv2.absdiff(mean, mean2)
    return float((top / bottom).mean()), float(drift.max()), float((drift > _DRIFT).mean())


def ssim(one: "Image", other: "Image") -> float:
    """Likeness at the size of `one`."""
    return View(one, one.size).likeness(other)


def drift(one: Any, other: Any, patch: int) -> float:
    """Levels by which the mean of a patch of `patch` pixels moves at most in any channel; arrays of one shape."""
    import cv2

    return float(cv2.absdiff(*(cv2.blur(each, (patch, patch)) for each in (one, other))).max())


def moved(image: "Image", other: "Image") -> float:
    """Levels by which a spot of 3 × 3 pixels moves at most in any channel; both of one size, in full resolution."""
    import cv2
    import numpy as np

    one, two = (np.asarray(each.convert(image.mode)) for each in (image, other))
    difference = cv2.boxFilter(cv2.subtract(one, two, dtype=cv2.CV_32F), -1, _SPOT)
    return float(np.abs(difference).max())


def _seen(image: "Image", size: tuple[int, int]) -> list[Any]:
    """The channels as float32, reduced by area as renderers do."""
    import cv2
    import numpy as np

    plain = image.convert("L") if image.mode in ("1", "I;16", "I") else image
    plain = plain.convert("RGB") if plain.mode not in ("L", "RGB") else plain
    pixels = np.asarray(plain)
    if plain.size != size:
        grows = size[0] > plain.size[0]
        pixels = cv2.resize(pixels, size, interpolation=cv2.INTER_LINEAR if grows else cv2.INTER_AREA)
    return [each.astype(np.float32) for each in (cv2.split(pixels) if pixels.ndim == 3 else [pixels])]


def _moments(pixels: Any) -> tuple[Any, Any]:
    import cv2

    mean = cv2.boxFilter(pixels, -1, _WINDOW)
    return mean, cv2.boxFilter(pixels * pixels, -1, _WINDOW) - mean**2


def _as_channels(channels: list[Any], count: int) -> list[Any]:
    if len(channels) == count:
        return channels
    if count == 1:
        red, green, blue = channels
        return [0.299 * red + 0.587 * green + 0.114 * blue]
    return channels * count
