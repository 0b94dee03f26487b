"""Rules on pictures: beside light letters on dark grounds, in shaded rows, and in a head alone."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from PIL import Image, ImageDraw, ImageFont

from cluster.engines.layout.line import Line, Page
from cluster.engines.layout.model import Sheet, Span, Style, TextLine
from cluster.engines.layout.stacked import text_in
from cluster.engines.layout.tables import tables
from cluster.engines.reading import scanned
from cluster.engines.reading.seen_rules import between_rules
from tests.make_scans import LATIN

_FACE = ImageFont.truetype(LATIN, 19)
_EDGES, _TOP, _HIGH = [20, 190, 330, 470, 610], 20, 30
_HEAD, _ROW = ["Country", "Domestic (%)", "Imported (%)", "Total (n)"], ["Austria", "14.3", "85.7", "21"]
_ORANGE, _BLUE = (246, 144, 60), (40, 40, 150)


def _picture(ground: tuple[int, int, int], head: int = 48, shade: int = 230) -> tuple[Image.Image, list[Line]]:
    """A table with a coloured head, whose upright rules go no farther; its last row is shaded."""
    image, lines = Image.new("RGB", (640, 320), "white"), list[Line]()
    pen = ImageDraw.Draw(image)
    rows = [_TOP, *(_TOP + head + _HIGH * row for row in range(8))]
    left, right, foot = _EDGES[0], _EDGES[-1], rows[-1]
    pen.rectangle((left, rows[0], right, rows[1]), ground)
    pen.rectangle((left, rows[-2], right, foot), (shade,) * 3)
    for y in rows:
        pen.line((left, y, right, y), (110, 110, 110))
    for x in _EDGES:
        pen.line((x, rows[0], x, foot if x in (left, right) else rows[1]), (20, 20, 20))
    for at, texts in enumerate([_HEAD, *[_ROW] * 7]):
        middle = (rows[at] + rows[at + 1]) // 2
        for x, text in zip(_EDGES, texts, strict=False):
            pen.text((x + 8, middle), text, "black" if at else "white", _FACE, anchor="lm")
            box = pen.textbbox((x + 8, middle), text, _FACE, anchor="lm")
            lines.append(_read_as(text, box))
    return image, lines


def _read_as(text: str, box: Sequence[float]) -> Line:
    left, top, right, bottom = box[0] - 2, box[1] - 4, box[2] + 2, box[3] + 4
    return Line(((left, top), (right, top), (right, bottom), (left, bottom)), text, 0.99)


@pytest.mark.parametrize("scale", [0.36, 0.45, 0.48])
@pytest.mark.parametrize("ground", [_ORANGE, _BLUE])
def test_a_table_of_a_dark_head_and_a_shaded_foot_has_every_row_and_column(
    tmp_path: Path, ground: tuple[int, int, int], scale: float
) -> None:
    image, lines = _picture(ground)
    sheet = scanned.laid(Page(*image.size, 0, tuple(lines)), image, 0, scale, tmp_path, pictures=False)
    (found,) = tables([sheet])
    assert (len(found.table.rows) - 1, len(found.table.columns) - 1) == (8, 4)
    assert [text_in(cell) for cell in found.table.cells[:8]] == _HEAD + _ROW


def test_a_rule_under_a_head_parts_it_from_the_row_below_however_high_their_boxes_are() -> None:
    rows = [["Groups", "Foreign turnover", "% of turnover"], *[["Carrefour", "62.7", "40.5%"]] * 5]
    rules = [(0.0, y - 0.5, 375.0, y + 0.5) for y in (7.6, 21.1, 93.8)]
    lines = []
    for row, texts in enumerate(rows):
        down = 12.1 * (row - 1)
        under = [(9.9, 21.1 + down, 48.9, 33.7 + down), (172.9, 20.6 + down, 189.9, 34.1 + down)]
        under += [(311.2, 21.1 + down, 336.8, 34.1 + down)]
        boxes = under if row else [(9.9, 8.1, 42.2, 22.7), (129.3, 9.0, 247.0, 21.1), (273.0, 8.5, 364.1, 20.7)]
        for box, text in zip(boxes, texts, strict=True):
            base = box[1] + 0.8 * (box[3] - box[1])
            lines.append(TextLine(box, base, (Span(text, Style("Body", 10)),)))
    heads = []
    for own in (lines, [*between_rules(lines, rules)]):
        (found,) = tables([Sheet(0, 375, 110, tuple(own), rules=tuple(rules))])
        heads.append([text_in(cell) for cell in found.table.cells if cell.row == 0])
    assert heads[1] == rows[0] != heads[0]


@pytest.mark.parametrize("scale", [0.36, 0.48, 0.67])
def test_strokes_of_letters_below_each_other_are_no_rule(tmp_path: Path, scale: float) -> None:
    """An H over another, with a rule between them, in rows as high as letters: they part no column."""
    names = ["Ammonia", "Halons", "Hydrogen", "Carbon", "Chlorine"]
    image, lines = Image.new("RGB", (640, 200), "white"), list[Line]()
    pen = ImageDraw.Draw(image)
    rows = [20 + 22 * at for at in range(len(names) + 1)]
    for y in rows:
        pen.line((20, y, 420, y), "black", 2)
    for x in (20, 250, 420):
        pen.line((x, rows[0], x, rows[-1]), "black", 2)
    for top, name in zip(rows, names, strict=False):
        for x, text in ((30, name), (270, "100")):
            box = pen.textbbox((x, top + 11), text, _FACE, anchor="lm")
            pen.text((x, top + 11), text, "black", _FACE, anchor="lm")
            lines.append(_read_as(text, box))
            if text.startswith("H"):
                pen.line((box[0] + 8, top, box[0] + 8, top + 22), "black", 2)
    sheet = scanned.laid(Page(*image.size, 0, tuple(lines)), image, 0, scale, tmp_path, pictures=False)
    (found,) = tables([sheet])
    assert (len(found.table.rows) - 1, len(found.table.columns) - 1) == (5, 2)
