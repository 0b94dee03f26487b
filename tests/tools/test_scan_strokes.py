"""Bold letters of scans, which nothing but their strokes tells."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from PIL import Image

from cluster.engines.layout.line import Line, Page
from cluster.engines.pdf.libraries import import_pymupdf
from cluster.engines.reading.scanned import laid

SCALE = 200 / 72
PLAIN, BOLD = "helv", "hebo"
Shown = tuple[str, str, float]


def bold(tmp_path: Path, shown: Sequence[Shown]) -> list[str]:
    """Which of the lines, each in a font and a size, are bold to who sees them only."""
    pymupdf = import_pymupdf()
    with pymupdf.open() as document:
        page, lines = document.new_page(), []
        for at, (text, font, size) in enumerate(shown):
            base = 80 + 24 * at
            page.insert_text((72, base), text, fontname=font, fontsize=size)
            right = 72 + pymupdf.get_text_length(text, font, size)
            left, top, far, low = (SCALE * each for each in (71, base - size, right + 1, base + 0.28 * size))
            lines.append(Line(((left, top), (far, top), (far, low), (left, low)), text, 0.99))
        made = page.get_pixmap(dpi=200)
    image = Image.frombytes("RGB", (made.width, made.height), made.samples)
    sheet = laid(Page(*image.size, 0, tuple(lines)), image, 0, 1 / SCALE, tmp_path)
    return [line.text for line in sheet.lines if line.bold]


@pytest.mark.parametrize("size", [8, 11])
def test_lines_whose_strokes_are_wider_than_the_others_are_bold(tmp_path, size):
    text = [(f"The words of line {number} are as most are", PLAIN, size) for number in range(12)]
    text[4:4] = [("A Heading of its Own", BOLD, size)]
    text[:0] = [("The Title of All", BOLD, 18), ("Large, but not bold", PLAIN, 18)]
    assert bold(tmp_path, text) == ["The Title of All", "A Heading of its Own"]


def test_where_most_lines_are_bold_or_few_are_there_nobody_knows(tmp_path):
    fonts = [BOLD if number % 7 in (1, 3, 5) else PLAIN for number in range(14)]
    lines = [(f"The words of line {number} are as most are", font, 11) for number, font in enumerate(fonts)]
    assert bold(tmp_path, lines) == []
    assert bold(tmp_path, lines[:5]) == []
