"""A page that was photographed: its edges found, its perspective straightened, its shadows evened.

    flat = flattened(image)      # None where no page's edges are seen: the picture stays as it is
    shown = flat.shown(read)     # what was read of `flat.image`, where it stands on the photograph

Only paper brighter than what it lies on is believed, seen whole and alone: what lies outside is cut away.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from cluster.engines.layout.line import Line, Page
from cluster.engines.layout.turning import turned

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from PIL.Image import Image

#: Longest side on which edges are looked for.
_SIDE = 800
#: What is narrower in such a picture (pixels) is a strip, no page.
_NARROWEST = 16
#: Shares of the picture that a page covers; and of its four-cornered outline that its paper does.
_LEAST, _MOST, _FULL = 0.2, 0.97, 0.93
#: Degrees between sides that meet; and from upright or level, below which all sides stand as a scanner's: they stay.
_CORNERS, _ASKEW = (55.0, 125.0), 0.7
#: How much brighter paper is than what lies beside it, at each edge, and how much of that is as bright at most.
_BRIGHTER, _ALIKE = 1.12, 0.12
#: Pixels (of _SIDE) between an edge and the strips beside it that are compared.
_BESIDE = 5
#: Shadows are evened where the paper's brightness differs by more than this; no paper is darker than the last.
_EVEN, _DARKEST = 0.06, 0.3
#: Share of the page's size that is cut off its edges: a line of the table would be a rule.
_RIM = 0.003
#: Shares within which a page's shape is A4's.
_A4 = 0.06


@dataclass(frozen=True)
class Flat:
    """A page laid flat (`image`), of a photograph of `size` pixels; `matrix` (3 x 3) leads from there to here."""

    image: "Image"
    size: tuple[int, int]
    matrix: "NDArray[Any]"

    def shown(self, read: Page) -> Page:
        """What was read of `image` where it stands on the photograph, that turned as the page was to be read."""
        import numpy

        return _carried(read, numpy.linalg.inv(self.matrix), self.size)

    def laid(self, shown: Page) -> Page:
        """What stands on the photograph where it lies on `image`: undoes `shown`."""
        return _carried(shown, self.matrix, self.image.size)


def _carried(page: Page, matrix: "NDArray[Any]", size: tuple[int, int]) -> Page:
    """The page's lines on a picture of `size`, to which `matrix` leads; both are turned by `page.turned`."""
    import cv2
    import numpy

    def moved(line: Line) -> Line:
        a, b, c, d = map(tuple, cv2.perspectiveTransform(numpy.array([line.box], numpy.float64), matrix)[0].tolist())
        return replace(line, box=(a, b, c, d))

    lying = turned(page, -page.turned)
    lines, unread = tuple(map(moved, lying.lines)), tuple(map(moved, lying.unread))
    there = replace(lying, width=size[0], height=size[1], lines=lines, unread=unread)
    return turned(there, page.turned)


def flattened(image: "Image") -> Flat | None:
    """The page alone, as a scanner would see it; None where there is none, or nothing to straighten."""
    import numpy
    from PIL import Image

    picture = numpy.asarray(image.convert("RGB"))
    corners = page_corners(picture)
    if corners is None:
        return None
    flat, matrix = _straightened(picture, corners)
    return Flat(Image.fromarray(evened(flat)), image.size, matrix)


def page_corners(picture: "NDArray[Any]") -> "NDArray[Any] | None":
    """The page's corners in pixels (4 x 2), clockwise from the upper left one; None where no page is seen."""
    import cv2

    scale = min(1.0, _SIDE / max(picture.shape[:2]))
    if scale * min(picture.shape[:2]) < _NARROWEST:
        return None
    small = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    grey = cv2.GaussianBlur(cv2.cvtColor(small, cv2.COLOR_RGB2GRAY), (5, 5), 0)
    found = [corners for mask in _masks(grey) if (corners := _outline(mask)) is not None and _is_page(grey, corners)]
    best = max(found, key=lambda corners: float(cv2.contourArea(corners)), default=None)
    return None if best is None else (best + (best.mean(axis=0) - best) * 2 * _RIM) / scale


def _masks(grey: "NDArray[Any]") -> "Iterator[NDArray[Any]]":
    """Where paper may be: what is bright; what is bright beside its surroundings; what edges enclose."""
    import cv2
    import numpy

    kernel = numpy.ones((7, 7), numpy.uint8)
    paper = cv2.morphologyEx(grey, cv2.MORPH_CLOSE, numpy.ones((15, 15), numpy.uint8))
    _, bright = cv2.threshold(paper, 0, 255, cv2.THRESH_OTSU)
    yield cv2.morphologyEx(bright, cv2.MORPH_OPEN, kernel)
    for low in (15, 40):
        edges = cv2.dilate(cv2.Canny(paper, low, 3 * low), numpy.ones((3, 3), numpy.uint8))
        yield cv2.morphologyEx(255 - edges, cv2.MORPH_OPEN, kernel)


def _outline(mask: "NDArray[Any]") -> "NDArray[Any] | None":
    """Four corners around the largest thing in `mask` that does not fill the picture."""
    import cv2
    import numpy

    contours, _ = cv2.findContours(mask, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)
    for contour in sorted(contours, key=cv2.contourArea, reverse=True)[:4]:
        hull = cv2.convexHull(contour)
        area, length = cv2.contourArea(hull), cv2.arcLength(hull, True)
        if not _LEAST < area / mask.size < _MOST:
            continue
        for share in (0.01, 0.02, 0.03, 0.05):
            corners = cv2.approxPolyDP(hull, share * length, True)
            if len(corners) == 4 and cv2.contourArea(contour) > _FULL * cv2.contourArea(corners):
                return _clockwise(corners.reshape(4, 2).astype(numpy.float32))
    return None


def _clockwise(corners: "NDArray[Any]") -> "NDArray[Any]":
    import numpy

    middle = corners.mean(axis=0)
    order = numpy.argsort(numpy.arctan2(corners[:, 1] - middle[1], corners[:, 0] - middle[0]))
    ordered = corners[order]
    return numpy.roll(ordered, -int(ordered.sum(axis=1).argmin()), axis=0)


def _is_page(grey: "NDArray[Any]", corners: "NDArray[Any]") -> bool:
    """Whether the corners are those of a page that lies askew, alone, on something darker."""
    turns = [_turn(corners, at) for at in range(4)]
    if not all(_CORNERS[0] < turn < _CORNERS[1] for turn in turns):
        return False
    slopes = [_slope(corners[at], corners[(at + 1) % 4]) for at in range(4)]
    if max(min(abs(slope) % 90, 90 - abs(slope) % 90) for slope in slopes) < _ASKEW:
        return False
    return _edged(grey, corners) and _alone(grey, corners)


def _slope(one: "NDArray[Any]", other: "NDArray[Any]") -> float:
    return math.degrees(math.atan2(other[1] - one[1], other[0] - one[0]))


def _turn(corners: "NDArray[Any]", at: int) -> float:
    """Degrees of the corner."""
    before, here, after = corners[at - 1], corners[at], corners[(at + 1) % 4]
    return abs((_slope(here, before) - _slope(here, after) + 180) % 360 - 180)


def _edged(grey: "NDArray[Any]", corners: "NDArray[Any]") -> bool:
    """Whether paper ends at each side; one may lie at the picture's own edge."""
    inner, outer = _ring(grey, corners, -_BESIDE), _ring(grey, corners, _BESIDE)
    ends = [_ends(one, other) for one, other in zip(inner, outer, strict=True)]
    return all(end is not False for end in ends) and ends.count(None) <= 1


def _ends(inner: "NDArray[Any]", outer: "NDArray[Any]") -> bool | None:
    """None where nothing is seen beyond."""
    import numpy

    seen = (outer >= 0) & (inner >= 0)
    if seen.mean() < 0.5:
        return None
    return bool(numpy.percentile(inner[seen] / (outer[seen] + 8.0), 30) > _BRIGHTER)


def _ring(grey: "NDArray[Any]", corners: "NDArray[Any]", away: float) -> "list[NDArray[Any]]":
    """The brightness along each side, `away` pixels outside of it; -1 beyond the picture."""
    import numpy

    steps, sides = numpy.linspace(0.06, 0.94, 60)[:, None], []
    for at in range(4):
        one, other = corners[at], corners[(at + 1) % 4]
        along = (other - one) / max(1.0, float(numpy.hypot(*(other - one))))
        points = one + (other - one) * steps + numpy.array([along[1], -along[0]]) * away
        x, y = points.round().astype(int).T
        inside = (x >= 0) & (y >= 0) & (x < grey.shape[1]) & (y < grey.shape[0])
        values = numpy.where(inside, grey[y.clip(0, grey.shape[0] - 1), x.clip(0, grey.shape[1] - 1)], -1)
        sides.append(values.astype(numpy.float32))
    return sides


def _alone(grey: "NDArray[Any]", corners: "NDArray[Any]") -> bool:
    """Whether little outside is as bright as the page's darker half: no second page, no words beside it."""
    import cv2
    import numpy

    mask = cv2.fillConvexPoly(numpy.zeros_like(grey), corners.round().astype(numpy.int32), 255)
    outside = cv2.dilate(mask, numpy.ones((9, 9), numpy.uint8)) == 0
    if not outside.any():
        return True
    return bool((grey[outside] > numpy.percentile(grey[mask > 0], 50)).mean() < _ALIKE)


def _straightened(picture: "NDArray[Any]", corners: "NDArray[Any]") -> "tuple[NDArray[Any], NDArray[Any]]":
    """The page seen from above, and the matrix that leads there."""
    import cv2
    import numpy

    sides = [float(numpy.hypot(*(corners[(at + 1) % 4] - corners[at]))) for at in range(4)]
    width, height = _shaped(max(sides[0], sides[2]), max(sides[1], sides[3]))
    there = numpy.array([[0, 0], [width, 0], [width, height], [0, height]], numpy.float32)
    matrix = cv2.getPerspectiveTransform(corners.astype(numpy.float32), there)
    flat: NDArray[Any] = cv2.warpPerspective(
        picture, matrix, (width, height), flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE
    )
    return flat, matrix


def _shaped(width: float, height: float) -> tuple[int, int]:
    """A4 where it is nearly that: from aslant a page looks shorter than it is."""
    shape = math.sqrt(2)
    for long, wide in ((height, width), (width, height)):
        if abs(long / wide / shape - 1) < _A4:
            return (round(wide), round(wide * shape)) if long is height else (round(wide * shape), round(wide))
    return round(width), round(height)


def evened(picture: "NDArray[Any]") -> "NDArray[Any]":
    """The page (RGB) with its paper equally bright; unchanged where it is so already."""
    import cv2
    import numpy

    small = cv2.resize(picture, (64, 64), interpolation=cv2.INTER_AREA)
    paper = cv2.dilate(cv2.resize(picture, (256, 256), interpolation=cv2.INTER_AREA), numpy.ones((13, 13), numpy.uint8))
    paper = cv2.medianBlur(cv2.resize(paper, small.shape[1::-1], interpolation=cv2.INTER_AREA), 9)
    light = paper.astype(numpy.float32).mean(axis=2)
    bright = float(numpy.percentile(light, 90))
    if bright - float(numpy.percentile(light, 10)) < _EVEN * bright:
        return picture
    factor = bright / numpy.maximum(light, max(1.0, _DARKEST * bright))
    factor = cv2.GaussianBlur(factor, (9, 9), 0)
    full = cv2.resize(factor, picture.shape[1::-1], interpolation=cv2.INTER_LINEAR)
    made: NDArray[Any] = numpy.clip(picture * full[:, :, None], 0, 255).astype(numpy.uint8)
    return made
