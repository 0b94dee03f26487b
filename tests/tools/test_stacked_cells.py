"""Lines below each other in one cell: what was wrapped is one text, what stands apart is a line of its own."""

import csv
from pathlib import Path

import docx
import openpyxl
import pytest
from PIL import Image, ImageDraw, ImageFont

from cluster.engines.layout.model import Box, Sheet, Span, Style, TextLine
from cluster.engines.layout.stacked import text_in
from cluster.engines.layout.tables import tables
from tests import make_reading
from tests.running import Ran, run_tool

SIZE, PITCH, WIDE = 10.0, 14.0, 120.0


def line(text: str, left: float, top: float, width: float) -> TextLine:
    return TextLine((left, top, left + width, top + SIZE), top + 0.8 * SIZE, (Span(text, Style("Song", SIZE)),))


def told(*texts: tuple[str, float, float], ruled: bool = True) -> str:
    """What is read of a cell, 120 points wide, of lines (text, distance from its edge, width)."""
    own = [line(text, 100 + away, 100 + 4 + at * PITCH, width) for at, (text, away, width) in enumerate(texts)]
    foot = 100 + 8 + len(texts) * PITCH
    others = [line(text, 230, top, 30) for top, text in ((80, "head"), (104, "next"), (foot + 4, "foot"))]
    others += [
        line(text, 104, top, 115) for top, text in ((80, "first head of all"), (foot + 4, "the last row's cell"))
    ]
    sheet = Sheet(0, 595, 842, (*own, *others), rules=tuple(_rules([76, 100, foot, foot + 24])) if ruled else ())
    (found,) = tables([sheet])
    cells = (
        cell for cell in found.table.cells if any(each is own[0] or each.text == own[0].text for each in cell.lines)
    )
    return text_in(next(cells))


def _rules(heights: list[float]) -> list[Box]:
    flat = [(100.0, y - 0.5, 320.0, y + 0.5) for y in heights]
    return [*flat, *((x - 0.5, heights[0], x + 0.5, heights[-1]) for x in (100.0, 220.0, 320.0))]


@pytest.mark.parametrize(
    ("texts", "wanted"),
    [
        ([("张三", 4, 20), ("李四", 4, 20)], "张三\n李四"),
        ([("Carte Noire", 30, 60), ("(K-J-S)", 42, 36)], "Carte Noire\n(K-J-S)"),
        ([("12,500", 80, 35), ("1,300", 85, 30)], "12,500\n1,300"),
        ([("Total: 9.5%", 30, 60), ("Bridélight (5.6%)", 15, 90), ("Bridélice (3.2%)", 18, 84)],
         "Total: 9.5%\nBridélight (5.6%)\nBridélice (3.2%)"),
        ([("本报告期末比上年度末", 10, 100), ("增减", 50, 20)], "本报告期末比上年度末增减"),
        ([("每季度一次，由各单位自行", 4, 111), ("组织检查并上报", 4, 70)], "每季度一次，由各单位自行组织检查并上报"),
        ([("a text that was wrapped", 4, 108), ("Within its cell", 4, 70)], "a text that was wrapped Within its cell"),
        ([("Perte", 40, 30), ("de bicarbonate", 20, 75)], "Perte de bicarbonate"),
    ],
)  # fmt: skip
def test_lines_of_a_ruled_cell(texts: list[tuple[str, float, float]], wanted: str) -> None:
    assert told(*texts) == wanted


@pytest.mark.parametrize(
    ("second", "wanted"),
    [((46, 46), "Austria 25g 0.9\nGermany 25g 0.8"), ((46, 70), "Austria 25g 0.9 Germany 25g 0.8")],
    ids=["a table's rows", "justified text"],
)
def test_wide_gaps_below_each_other_are_rows(second: tuple[float, float], wanted: str) -> None:
    """They fill the cell, so that room tells nothing; gaps in justified text stand anywhere."""
    parts = [(("Austria", 4, 30), ("25g 0.9", second[0], 69)), (("Germany", 4, 30), ("25g 0.8", second[1], 45))]
    rules = _rules([76, 100, 136, 160])
    lines = [line(text, 100 + away, 104 + at * PITCH, wide) for at, row in enumerate(parts) for text, away, wide in row]
    others = [line(text, x, y, 30) for text, x, y in (("a", 104, 80), ("b", 230, 80), ("c", 230, 104), ("d", 230, 140))]
    (found,) = tables([Sheet(0, 595, 842, (*lines, *others), rules=tuple(rules))])
    assert text_in(next(cell for cell in found.table.cells if (cell.row, cell.column) == (1, 0))) == wanted


def drawn() -> Image.Image:
    """Cells of stacked names, a wrapped text, stacked numbers in the middle, and English."""
    rows = [
        ["负责人", "要求", "Amounts", "Notes"],
        ["张三\n李四\n王五", "每季度一次，由各单位自\n行组织检查并及时上报", "12,500\n13,800",
         "The boats were all\nshipped on time"],
    ]  # fmt: skip
    image, font = Image.new("L", (1480, 360), 255), ImageFont.truetype(make_reading.SANS, 30)
    pen, edges = ImageDraw.Draw(image), [40, 300, 680, 1020, 1360]
    for texts, (top, bottom) in zip(rows, ((40, 110), (110, 300)), strict=True):
        for text, left, right in zip(texts, edges, edges[1:], strict=False):
            pen.rectangle((left, top, right, bottom), outline=0, width=2)
            pen.multiline_text((left + 14, top + 14), text, 0, font, spacing=14)
    return image


CELLS = [
    "张三\n李四\n王五",
    "每季度一次，由各单位自行组织检查并及时上报",
    "12,500\n13,800",
    "The boats were all shipped on time",
]


@pytest.mark.started
@pytest.mark.usefixtures("ocr_engine")
def test_every_writer_keeps_the_lines_of_a_picture_s_cell(tmp_path: Path) -> None:
    path = tmp_path / "a.png"
    drawn().save(path)

    def ran(kind: str) -> Ran:
        return run_tool("image_table", tmp_path / kind, [path], output=kind)

    (sheet,) = openpyxl.load_workbook(ran("xlsx").path).worksheets
    assert [cell.value for cell in sheet[2]] == CELLS
    assert not any(cell.alignment.wrap_text for cell in sheet[1])
    # What the page has on several lines has them here, too, also where they are one text.
    assert all(cell.alignment.wrap_text for cell in sheet[2])
    assert [*csv.reader(ran("csv").path.open(encoding="utf-8-sig", newline=""))][1] == CELLS
    broken = [text.replace("\n", "<br>") for text in CELLS]
    assert f"| {' | '.join(broken)} |" in ran("md").path.read_text()
    assert all(f"<td>{text}</td>" in ran("html").path.read_text() for text in broken)
    markdown = run_tool("image_to_text", tmp_path / "text", [path], output="md").path
    assert f"| {' | '.join(broken)} |" in markdown.read_text()
    word = docx.Document(run_tool("image_to_word", tmp_path / "word", [path]).path)
    assert [[text.text for text in cell.paragraphs] for cell in word.tables[0].rows[1].cells] == [
        text.split("\n") for text in CELLS
    ]
