"""A document whose pages become pictures of themselves: bookmarks, links, labels and attachments stay.

    with Binder(path) as binder:
        binder.add(Pictured(whole, paths, turns))
        binder.close()

A page keeps its boxes and its /Rotate, so what leads to a place of it still does; everything drawn on it, annotations
and fields among it, is in the picture now and nowhere else.
"""

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from cluster.engines.pages.part import Part
from cluster.engines.pages.scale import turn_of, visible_box
from cluster.engines.pages.whole import Whole

Box = tuple[float, float, float, float]
Matrix = tuple[float, float, float, float, float, float]

#: What a page keeps of its own.
_PAGE = b"/Type /MediaBox /CropBox /Rotate /UserUnit".split()
#: Of a link what leads; its frame and its look are in the picture.
_LINK = b"/Type /Subtype /A /Dest /H /F".split()


class Pictured(Part):
    """Every page once and in order; the JPEG of each lies at its path, and is gone from there afterwards.

    turns: degrees clockwise by which what the picture shows was turned around the page's middle: links follow.
    """

    tagged = False
    scripted = False

    def __init__(self, whole: Whole, paths: Sequence[Path], turns: Sequence[float]) -> None:
        super().__init__(whole, range(len(paths)))
        # What hangs on no page, or on a page's old content, stays behind.
        self.complete = self.thin = False
        self.paths, self.tilts = paths, turns

    @property
    def alike(self) -> bool:
        return False

    def dressed(self, entries: dict[bytes, Any], place: int) -> dict[bytes, Any]:
        """The page with nothing on it but its picture."""
        document, sink = self.whole.document, self.copier.sink
        content = b"q %b cm /Im Do Q" % _operands(_laid(visible_box(document, entries), turn_of(document, entries)))
        image = self.copier.own(_image(sink, self.paths[place]))
        kept = {key: entries[key] for key in _PAGE if key in entries}
        made = self.copier.own(sink.add_stream(b"", content))
        return kept | {b"/Contents": made, b"/Resources": {b"/XObject": {b"/Im": image}}}

    def notes(self, listed: Any, place: int) -> Any:
        """The links, where the picture has them."""
        document, page = self.whole.document, self.whole.page(place)
        annotations = [document.dictionary(each) for each in document.array(listed)]
        links = [each for each in annotations if document.get(each.get(b"/Subtype")) == b"/Link"]
        return [self._linked(link, visible_box(document, page), self.tilts[place]) for link in links]

    def _linked(self, link: dict[bytes, Any], page: Box, tilt: float) -> dict[bytes, Any]:
        kept = {key: link[key] for key in _LINK if key in link}
        rect = [_float(self.whole.document.get(each)) for each in self.whole.document.array(link.get(b"/Rect"))]
        place = _turned(rect, page, tilt) if len(rect) == 4 else (0.0, 0.0, 0.0, 0.0)
        return kept | {b"/Rect": [b"%.3f" % each for each in place], b"/Border": [b"0", b"0", b"0"]}


def _image(sink: Any, path: Path) -> int:
    """The JPEG as an object of the result; the file goes."""
    from PIL import Image

    with Image.open(path) as image:
        size, space = image.size, b"/DeviceGray" if image.mode == "L" else b"/DeviceRGB"
    told = b"/Type/XObject/Subtype/Image/Width %d/Height %d/ColorSpace%b/BitsPerComponent 8/Filter/DCTDecode"
    made: int = sink.add_stream(told % (*size, space), path.read_bytes())
    path.unlink()
    return made


def _laid(page: Box, turn: int) -> Matrix:
    """Where the unit square of a picture goes that shows a page as it is read, in the page's units."""
    x0, y0, x1, y1 = page
    across, up = x1 - x0, y1 - y0
    match turn:
        case 90:
            return 0, up, -across, 0, x1, y0
        case 180:
            return -across, 0, 0, -up, x1, y1
        case 270:
            return 0, -up, across, 0, x0, y1
    return across, 0, 0, up, x0, y0


def _turned(rect: Sequence[float], page: Box, tilt: float) -> Box:
    """The upright box around `rect`, turned clockwise around the middle of the page."""
    x, y = (page[0] + page[2]) / 2, (page[1] + page[3]) / 2
    cosine, sine = math.cos(math.radians(tilt)), math.sin(math.radians(tilt))
    corners = [(across - x, up - y) for across in rect[::2] for up in rect[1::2]]
    xs, ys = zip(*[(cosine * a + sine * u + x, cosine * u - sine * a + y) for a, u in corners], strict=True)
    return min(xs), min(ys), max(xs), max(ys)


def _operands(matrix: Matrix) -> bytes:
    return b" ".join([b"%.4f" % each for each in matrix])


def _float(token: Any) -> float:
    try:
        return float(token) if type(token) is bytes else 0.0
    except ValueError:
        return 0.0
