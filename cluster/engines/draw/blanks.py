"""Find blank pages by looking at them: what stands out from the paper, at low resolution.

The same rule stands in site/src/editors/pdf/blank.ts; tests/samples/blanks.json holds the pictures both judge alike.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

#: The longer side of what is looked at: a pixel is half a millimetre of A4.
_PIXELS = 600
#: Shades by which a mark differs from its paper: at least, at most, and as multiples of the paper's own grain.
_LEAST, _MOST, _GRAIN = 12, 40, 6
#: Darker than this it is no paper, but a picture or a coloured page.
_PAPER = 160
#: Pixels of a speck of dust, and the share of the page that specks may cover in all.
_SPECK, _SPECKS = 3, 0.001
#: Sides of a punched hole in pixels, how much of its square it fills, how near to an edge its middle is, and how well
#: two of them stand in line.
_HOLE, _FULL, _NEAR, _IN_LINE = (8, 20), 0.6, 51, 6
#: How far what touches an edge may reach in: the scanner's lid, a curled corner.
_RIM = 24
#: Of a page that is nearly blank: the share that may be marked, and the share of each side that is not looked at.
_TOLERATED, _MARGIN = 0.004, 0.06


class Mark(NamedTuple):
    """Pixels that hang together: where they lie, in what square, and how many they are."""

    left: int
    top: int
    width: int
    height: int
    area: int


def blank_pages(path: Path, sensitivity: str, told: Callable[[int, int], None]) -> list[int]:
    """Positions of the blank pages of the unlocked PDF at `path`; `told(done, total)` after each page."""
    import pypdfium2

    document = pypdfium2.PdfDocument(path)
    try:
        blank = []
        for at in range(len(document)):
            if is_blank(_grey(document[at]), sensitivity):
                blank.append(at)
            told(at + 1, len(document))
        return blank
    finally:
        document.close()


def _grey(page: Any) -> Any:
    width, height = page.get_size()
    scale = _PIXELS / max(width, height, 1)
    pixels = page.render(scale=scale, grayscale=True).to_numpy()
    page.close()
    return pixels.reshape(pixels.shape[0], -1)


def is_blank(grey: Any, sensitivity: str) -> bool:
    """Whether a page (rows of grey samples, 0 to 255) is blank.

    `strict`: nothing at all is on it. `normal`: nothing but dust, punched holes and the rim of a scan; a page number or
    a faint watermark is something. `tolerant`: hardly anything, be it a page number.
    """
    import numpy

    if sensitivity == "strict":
        return bool((grey >= 250).all())
    paper = _median(grey)
    away = numpy.abs(grey.astype(numpy.int16) - paper)
    if paper < _PAPER:
        return False
    if sensitivity == "tolerant":
        top, side = (round(length * _MARGIN) for length in grey.shape)
        inner = away[top : grey.shape[0] - top or None, side : grey.shape[1] - side or None]
        return float((inner > _MOST).mean()) <= _TOLERATED
    contrast = max(_LEAST, min(_MOST, _GRAIN * _median(away)))
    return _is_dust(_marks(away > contrast), grey.shape)


def _median(values: Any) -> int:
    """The lower one of two."""
    import numpy

    counted = numpy.cumsum(numpy.bincount(values.reshape(-1), minlength=256))
    return int(numpy.searchsorted(counted, (values.size + 1) // 2))


def _marks(ink: Any) -> list[Mark]:
    import cv2
    import numpy

    _, _, found, _ = cv2.connectedComponentsWithStats(ink.astype(numpy.uint8), connectivity=8)
    return [Mark(*(int(value) for value in each)) for each in found[1:]]


def _is_dust(marks: list[Mark], shape: tuple[int, int]) -> bool:
    left = [mark for mark in marks if not _on_rim(mark, shape)]
    specks = [mark for mark in left if mark.area <= _SPECK]
    if sum(mark.area for mark in specks) > _SPECKS * shape[0] * shape[1]:
        return False
    holes = [mark for mark in left if mark.area > _SPECK]
    return all(_is_hole(mark, shape) and any(_in_line(mark, other) for other in holes) for mark in holes)


def _on_rim(mark: Mark, shape: tuple[int, int]) -> bool:
    height, width = shape
    right, bottom = mark.left + mark.width, mark.top + mark.height
    return (
        (mark.left == 0 and right <= _RIM)
        or (mark.top == 0 and bottom <= _RIM)
        or (right == width and mark.left >= width - _RIM)
        or (bottom == height and mark.top >= height - _RIM)
    )


def _is_hole(mark: Mark, shape: tuple[int, int]) -> bool:
    x, y = mark.left + mark.width / 2, mark.top + mark.height / 2
    near = min(x, y, shape[1] - x, shape[0] - y) <= _NEAR
    sides = sorted((mark.width, mark.height))
    fits = _HOLE[0] <= sides[0] and sides[1] <= _HOLE[1] and sides[0] >= 0.7 * sides[1]
    return near and fits and mark.area >= _FULL * mark.width * mark.height


def _in_line(mark: Mark, other: Mark) -> bool:
    apart = mark != other
    return apart and (abs(mark.left - other.left) <= _IN_LINE or abs(mark.top - other.top) <= _IN_LINE)
