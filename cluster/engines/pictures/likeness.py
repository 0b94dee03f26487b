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
FARTHEST = 32
#: The window in which a palette must keep each colour.
_SPOT = (3, 3)
_C1, _C2 = (0.01 * 255) ** 2, (0.03 * 255) ** 2


class View:
    """A picture as a reader sees it, reduced to `size`; others are measured against it."""

    def __init__(self, image: "Image", size: tuple[int, int]) -> None:
        self.size = size
        self._seen = _seen(image, size)
        self._mean, self._variance = _moments(self._seen)

    def likeness(self, other: "Image") -> float:
        """1.0 for the same picture."""
        import cv2

        seen = _seen(other, self.size)
        if seen.ndim != self._seen.ndim:
            seen = _as_channels(seen, self._seen.ndim)
        mean, variance = _moments(seen)
        covariance = cv2.boxFilter(self._seen * seen, -1, _WINDOW) - self._mean * mean
        top = (2 * self._mean * mean + _C1) * (2 * covariance + _C2)
        bottom = (self._mean**2 + mean**2 + _C1) * (self._variance + variance + _C2)
        drift = cv2.absdiff(self._mean, mean)
        if float(drift.max()) > FARTHEST:
            return 0.0
        drifted = float((drift > _DRIFT).mean())
        return float((top / bottom).mean()) - _COST * max(0.0, drifted - _TOLERATED)


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


def _seen(image: "Image", size: tuple[int, int]) -> Any:
    """The pixels as float32, reduced by area as renderers do."""
    import cv2
    import numpy as np

    plain = image.convert("L") if image.mode in ("1", "I;16", "I") else image
    plain = plain.convert("RGB") if plain.mode not in ("L", "RGB") else plain
    pixels = np.asarray(plain)
    if plain.size != size:
        grows = size[0] > plain.size[0]
        pixels = cv2.resize(pixels, size, interpolation=cv2.INTER_LINEAR if grows else cv2.INTER_AREA)
    return pixels.astype(np.float32)


def _moments(pixels: Any) -> tuple[Any, Any]:
    import cv2

    mean = cv2.boxFilter(pixels, -1, _WINDOW)
    return mean, cv2.boxFilter(pixels * pixels, -1, _WINDOW) - mean**2


def _as_channels(pixels: Any, dimensions: int) -> Any:
    import cv2

    if dimensions == 2:
        return cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY)
    return cv2.cvtColor(pixels, cv2.COLOR_GRAY2RGB)
