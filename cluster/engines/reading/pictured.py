"""A picture of a page, or of anything written, as a sheet: how large it is on paper is told by its letters."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from cluster.engines.layout.line import Page
from cluster.engines.layout.model import Sheet
from cluster.engines.layout.order import straighten
from cluster.engines.reading import scanned
from cluster.paper import A4

if TYPE_CHECKING:
    from PIL.Image import Image

#: Points of the letters that most text is set in.
_USUAL = 10.5
#: How far a page's picture may be from A4: its shape, and how wide its letters make it.
_SHAPE, _WIDTH = 0.1, 1.6
#: Points around a picture of less than a page.
_MARGIN = 54.0


def sheet_of(found: Page, image: "Image", number: int, folder: Path, *, pictures: bool = True) -> Sheet:
    """What was read of the picture: A4 where it is a page's, else in letters of the usual size on paper that holds it.

    `found` is what the OCR engine read of `image`, in its pixels; pictures in it are written into `folder`.
    """
    scale = _usual_scale(found)
    paper = A4 if found.height >= found.width else A4[::-1]
    shape = (found.height / found.width) / (paper[1] / paper[0])
    whole = abs(shape - 1) < _SHAPE and 1 / _WIDTH < scale * found.width / paper[0] < _WIDTH
    if whole:
        scale = paper[0] / found.width
    sheet = scanned.laid(found, image, number, scale, folder, pictures=pictures)
    return sheet if whole else _mounted(sheet)


def _usual_scale(found: Page) -> float:
    """Points a pixel at which the letters are of the usual size; a picture without any is as wide as a page."""
    pieces = straighten(found.lines)
    return _USUAL / scanned.usual_size(pieces) if pieces else A4[0] / found.width


def _mounted(sheet: Sheet) -> Sheet:
    """The sheet in the upper left corner of A4, or of larger paper where it needs that, within margins."""
    return replace(
        sheet.moved(_MARGIN, _MARGIN),
        width=max(A4[0], sheet.width + 2 * _MARGIN),
        height=max(A4[1], sheet.height + 2 * _MARGIN),
        whole=False,
        seen=sheet.seen and replace(sheet.seen, left=_MARGIN, top=_MARGIN),
    )
