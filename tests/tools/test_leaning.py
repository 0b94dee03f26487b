"""How askew a picture lies: boxes that a finder puts around lines lie straighter than the lines do."""

import math

import pytest
from PIL import Image, ImageDraw, ImageFont

from cluster.engines.layout.line import Line
from cluster.engines.reading.leaning import lean
from tests.make_scans import LATIN

_FACE = ImageFont.truetype(LATIN, 22)


def _page(degrees: float, boxes: float) -> tuple[Image.Image, list[Line]]:
    """Rows of a table, askew, and the boxes of them, which are less so."""
    image, lines = Image.new("L", (1000, 900), "white"), []
    pen, slope = ImageDraw.Draw(image), math.tan(math.radians(boxes))
    for row in range(20):
        top = 60 + 38 * row
        for x, text in ((60, "a name that is long enough to tell"), (620, f"{row},204"), (840, "31")):
            pen.text((x, top), text, "black", _FACE)
        down = slope * 380
        lines.append(Line(((60, top), (440, top - down), (440, top + 26 - down), (60, top + 26)), "a name", 0.99))
    return image.rotate(degrees, Image.Resampling.BICUBIC, fillcolor=255), lines


@pytest.mark.parametrize(("degrees", "boxes"), [(1.0, 0.7), (-1.5, -1.2), (0.4, 0.4), (0.0, 0.0)])
def test_what_boxes_tell_is_made_exact_by_the_pixels(degrees: float, boxes: float) -> None:
    assert math.degrees(lean(*_page(degrees, boxes))) == pytest.approx(-degrees, abs=0.06)


def test_short_lines_tell_nothing_and_the_pixels_all() -> None:
    image, _ = _page(2.0, 0.0)
    short = [Line(((60, 60), (90, 60), (90, 86), (60, 86)), "31", 0.99)] * 9
    assert math.degrees(lean(image, short)) == pytest.approx(-2.0, abs=0.06)
