"""Dashes alone in cells of pictures, which say that nothing is there: a finder of text passes over them."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from PIL import Image, ImageDraw, ImageFont

from cluster.engines.layout.line import Line, Page
from cluster.engines.reading import scanned
from tests.make_scans import LATIN

_FACE = ImageFont.truetype(LATIN, 28)
_ROWS = [["Region", "Sold", "Given back"], ["North", "1,204", "—"], ["South", "–", "-"], ["West", "", "12"]]


def read(
    folder: Path, strokes: Sequence[tuple[int, int, int, int]] = (), rows: Sequence[Sequence[str]] = _ROWS
) -> list[str]:
    """What comes of a table without rules of which a finder found all but the dashes."""
    image, lines = Image.new("RGB", (900, 120 + 70 * len(rows)), "white"), []
    pen = ImageDraw.Draw(image)
    for down, row in enumerate(rows):
        for across, text in enumerate(row):
            place = 60 + 280 * across, 60 + 70 * down
            pen.text(place, text, "black", _FACE)
            left, top, right, bottom = pen.textbbox(place, text, _FACE)
            if len(text) > 1 or text.isalnum():
                top, bottom = place[1], place[1] + 34
                lines.append(Line(((left, top), (right, top), (right, bottom), (left, bottom)), text, 0.99))
    for stroke in strokes:
        pen.line(stroke, "black", 2)
    sheet = scanned.laid(Page(*image.size, 0, tuple(lines)), image, 0, 0.48, folder)
    return [line.text for line in sheet.lines]


def test_dashes_in_cells_are_text(tmp_path: Path) -> None:
    found = read(tmp_path)
    marks = [text for text in found if len(text) == 1]
    assert len(found) == 11 and len(marks) == 3
    assert set(marks) == {"-", "—"}


def test_a_column_may_hold_nothing_else(tmp_path: Path) -> None:
    found = read(tmp_path, rows=[*_ROWS[:2], *([["East", "7", "-"]] * 6)])
    assert [text for text in found if len(text) == 1].count("-") == 6


def test_a_short_dash_that_lies_a_little_askew_is_one(tmp_path: Path) -> None:
    """As it is on a scan turned back: most of two rows of pixels, and a part of the third."""
    assert len(read(tmp_path, [(342, 287, 348, 287), (346, 288, 348, 288)])) == len(read(tmp_path)) + 1


@pytest.mark.parametrize(
    "strokes",
    [
        [(620, 245, 636, 245)],  # in no row
        [(340, 287, 384, 287)],  # as long as what is to be filled in
        [(346, 276, 360, 298)],  # slanting
        [(340, 287, 356, 287), (361, 276, 361, 300)],  # a part of something
    ],
)
def test_other_strokes_are_no_dashes(tmp_path: Path, strokes: list[tuple[int, int, int, int]]) -> None:
    assert read(tmp_path, [(340, 287, 356, 287)]) != read(tmp_path)
    assert read(tmp_path, strokes) == read(tmp_path)
