"""Which pages are blank: pictures that Python and TypeScript judge alike, drawn by the same few instructions."""

import json
from pathlib import Path
from typing import Any

import numpy
import pytest
from PIL import Image

from cluster.engines.draw.blanks import blank_pages, is_blank
from tests import make
from tests.make_slices import scanned

SIZE = (424, 600)
SAMPLES: list[dict[str, Any]] = json.loads((Path(__file__).parent.parent / "samples/blanks.json").read_text())
LEVELS = ("strict", "normal", "tolerant")


def drawn(sample: dict[str, Any]) -> Any:
    """Paper with a grain by a small generator of numbers, and marks: rectangles, discs, dots in rows."""
    width, height = SIZE
    grey, state = [], 1
    for _ in range(width * height):
        state = (state * 1103515245 + 12345) % 2147483648
        grey.append(min(255, sample["paper"] + (state >> 16) % (2 * sample["grain"] + 1) - sample["grain"]))
    pixels = numpy.array(grey, numpy.uint8).reshape(height, width)
    for mark in sample["marks"]:
        match mark:
            case ["disc", x, y, radius, shade]:
                rows, columns = numpy.ogrid[:height, :width]
                pixels[(columns - x) ** 2 + (rows - y) ** 2 <= radius**2] = shade
            case ["dots", x, y, columns, rows, step]:
                pixels[y : y + rows * step : step, x : x + columns * step : step] = 40
            case [x, y, across, down, shade]:
                pixels[y : y + down, x : x + across] = shade
    return pixels


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample["name"].replace(" ", "_"))
def test_pictures(sample: dict[str, Any]) -> None:
    grey = drawn(sample)
    assert [level for level in LEVELS if is_blank(grey, level)] == sample["blank"]


def test_pages(tmp_path: Path) -> None:
    """As pdfium draws them: a page number and a faint watermark are something, dust and holes of a scan are not."""
    with make.edit(make.text(tmp_path / "a.pdf", 4)) as pdf:
        pdf.pages[0].obj.Contents = pdf.make_stream(b"BT /F1 9 Tf 290 20 Td (1) Tj ET")
        pdf.pages[1].obj.Contents = pdf.make_stream(b"0.93 g BT /F1 60 Tf 100 400 Td (DRAFT) Tj ET")
        pdf.pages[2].obj.Contents = pdf.make_stream(b"")
    found = {level: blank_pages(tmp_path / "a.pdf", level, lambda done, total: None) for level in LEVELS}
    assert found == {"strict": [2], "normal": [2], "tolerant": [0, 1, 2]}
    dusty = next(sample for sample in SAMPLES if sample["name"] == "punched holes")
    page = Image.fromarray(drawn(dusty)).resize((1272, 1800), Image.Resampling.NEAREST)
    file = scanned(tmp_path / "scan.pdf", [page], dpi=150)
    assert blank_pages(file, "normal", lambda done, total: None) == [0]
