"""Image table recognition: ruled, grey, tilted, shaded and borderless tables; every output; what cannot be done."""

import csv
import json
import math
from collections.abc import Callable
from pathlib import Path

import numpy
import openpyxl
import pytest
from PIL import Image, ImageDraw, ImageFont

from cluster.engines.layout.line import Line, Page
from cluster.engines.layout.stacked import text_in
from cluster.engines.layout.tables import tables
from cluster.engines.reading import scanned
from tests import make_reading, make_scans
from tests.running import Ran, run_tool

pytestmark = [pytest.mark.started, pytest.mark.usefixtures("ocr_engine")]

ROWS = [["单位", "问题数", None], ["", "一般", "重大"], ["生产一部", "1204", "3"], ["生产二部", "836", "0"]]
GRID = [["单位", "问题数", ""], *ROWS[1:]]
FREE = make_reading.ALIGNED[:4]
TILTED = {"resample": Image.Resampling.BICUBIC, "expand": True, "fillcolor": 255}


def drawn(rows: list[list[str | None]] = ROWS, **look: int | None) -> Image.Image:
    """A picture of nothing but a table."""
    size = (300 * len(rows[0]) + 80, 80 * len(rows) + 80)
    return make_reading.draw_table(Image.new("L", size, 255), rows, (40, 40), **look)


def shaded(image: Image.Image) -> Image.Image:
    """As a telephone sees it: half as light on one side as on the other."""
    light = numpy.linspace(0.45, 1, image.width)
    return Image.fromarray((numpy.asarray(image) * light).astype(numpy.uint8))


def recognised(folder: Path, *pages: Image.Image, **options: object) -> Ran:
    """The tables of a picture, or of the pages of a TIFF."""
    first, *rest = pages
    path = folder / ("a.tiff" if rest else "a.png")
    first.save(path, **({"save_all": True, "append_images": rest} if rest else {}))
    return run_tool("image_table", folder / "ran", [path], **options)


def rows_of(ran: Ran) -> list[list[str]]:
    """The rows of the only csv."""
    return list(csv.reader(ran.path.read_text(encoding="utf-8-sig").splitlines()))


@pytest.mark.parametrize(
    ("draw", "wanted"),
    [
        (lambda: drawn(rule=212, width=1).rotate(-1.2, **TILTED), GRID),
        (lambda: shaded(drawn(rule=180, width=2)), GRID),
        (lambda: drawn(FREE, rule=None).rotate(2, **TILTED), FREE),
    ],
    ids=["grey and tilted", "in shadow", "without rules and tilted"],
)
def test_tables_come_out_of_pictures(tmp_path: Path, draw: Callable[[], Image.Image], wanted: list[list[str]]) -> None:
    ran = recognised(tmp_path, draw(), output="csv")
    assert rows_of(ran) == wanted
    assert ran.noted("tables_found") == {"count": 1}


def test_rules_that_boxes_of_letters_reach_over_are_kept(tmp_path: Path) -> None:
    """Numbers that end close to a rule are found in boxes that cover it in every row."""
    image = Image.new("RGB", (1000, 380), "white")
    pen, lines = ImageDraw.Draw(image), []
    for y in range(40, 320, 40):
        for x in range(40, 940, 225):
            pen.rectangle((x, y, x + 225, y + 40), outline=0)
            corners = (x + 100, y + 1), (x + 232, y + 1), (x + 232, y + 39), (x + 100, y + 39)
            lines.append(Line(corners, "1,204,836", 1.0))
    sheet = scanned.laid(Page(1000, 380, 0, tuple(lines)), image, 0, 0.48, tmp_path)
    upright = [rule for rule in sheet.rules if rule[3] - rule[1] > 0.48 * 270]
    assert [round((rule[0] + rule[2]) / 2 / 0.48) for rule in sorted(upright)] == pytest.approx(
        [40, 265, 490, 715, 940], abs=2
    )


def test_ink_that_touches_a_rule_does_not_hide_it(tmp_path: Path) -> None:
    image = Image.new("RGB", (1000, 380), "white")
    pen = ImageDraw.Draw(image)
    for at in range(4):
        pen.line((40, 40 + 80 * at, 940, 40 + 80 * at), 0, 2)
        pen.line((40 + 300 * at, 40, 40 + 300 * at, 280), 0, 2)
    pen.rectangle((100, 102, 190, 118), 0)
    sheet = scanned.laid(Page(1000, 380, 0, ()), image, 0, 0.48, tmp_path)
    flat = [rule for rule in sheet.rules if rule[2] - rule[0] > 0.48 * 800]
    assert [round((rule[1] + rule[3]) / 2 / 0.48) for rule in flat] == pytest.approx([40, 120, 200, 280], abs=2)


@pytest.mark.parametrize("upright", [None, 215], ids=["flat rules", "faint upright rules"])
def test_boxes_of_letters_are_drawn_in_to_their_ink(tmp_path: Path, upright: int | None) -> None:
    """Heads begin where the numbers of the next column nearly end: boxes wider than letters hide what parts them."""
    rows = [["地区", "收入", "成本", "利润"], *([f"{at}区", "1,204.0", "57,836", "(35.5%)"] for at in range(1, 6))]
    font, wide = ImageFont.truetype(make_reading.SANS, 26), 118
    image = Image.new("L", (560, 300), 255)
    pen, lines = ImageDraw.Draw(image), []
    for at, row in enumerate(rows):
        pen.line((40, 40 + 38 * at, 40 + 4 * wide, 40 + 38 * at), 0)
        for column, text in enumerate(row):
            length = pen.textlength(text, font)
            left = 40 + wide * column + (6 if at == 0 or column == 0 else wide - 6 - length)
            pen.text((left, 43 + 38 * at), text, 0, font)
            near, far, top = left - 10, left + length + 10, 40 + 38 * at
            lines.append(Line(((near, top), (far, top), (far, top + 38), (near, top + 38)), text, 1.0))
    pen.line((40, 268, 40 + 4 * wide, 268), 0)
    for x in range(40, 41 + 4 * wide, wide) if upright else ():
        pen.line((x, 40, x, 268), upright)
    sheet = scanned.laid(Page(560, 300, 0, tuple(lines)), image.convert("RGB"), 0, 0.48, tmp_path)
    (found,) = tables([sheet])
    assert [[text_in(cell) for cell in found.table.cells if cell.row == at] for at in range(len(rows))] == rows
    assert found.table.ruled == bool(upright)


def test_a_turned_picture_is_a_workbook_of_numbers_with_merged_cells(tmp_path: Path) -> None:
    ran = recognised(tmp_path, drawn().rotate(90, expand=True))
    (sheet,) = openpyxl.load_workbook(ran.path).worksheets
    assert [[cell.value for cell in row] for row in sheet.iter_rows(min_row=3)] == [
        ["生产一部", 1204, 3],
        ["生产二部", 836, 0],
    ]
    assert [str(each) for each in sheet.merged_cells.ranges] == ["B1:C1"]
    assert ran.noted("turned") == {"detail": 90}


@pytest.mark.parametrize(("turned", "tilt"), [(0, 0), (90, 0), (180, 0), (270, 0), (0, 2), (90, -1.5)])
def test_data_tells_where_each_cell_is_in_the_picture(tmp_path: Path, turned: int, tilt: float) -> None:
    """As the page shows it: turned upright, its cells at the lean they have in it."""
    upright = drawn().rotate(-tilt, **TILTED)
    ran = recognised(tmp_path, upright.rotate(turned, expand=True), output="json")
    told = json.loads(ran.path.read_text())
    (sheet,), cells = told["sheets"], told["tables"][0]["cells"]
    assert sheet["turned"] == turned and math.degrees(sheet["lean"]) == pytest.approx(tilt, abs=0.3)
    left, top, right, bottom = next(each["box"] for each in cells if each["text"] == "836")
    x, y = (left + right) / 2 - sheet["left"], (top + bottom) / 2 - sheet["top"]
    sine, cosine = math.sin(sheet["lean"]), math.cos(sheet["lean"])
    scale = upright.width / sheet["width"]
    seen = (x * cosine - y * sine) * scale, (x * sine + y * cosine) * scale
    assert math.dist(seen, _tilted((490, 320), drawn().size, upright.size, tilt)) < 12


def _tilted(
    point: tuple[float, float], before: tuple[int, int], after: tuple[int, int], tilt: float
) -> tuple[float, float]:
    """Where a point of the picture lies after it was turned clockwise about its middle."""
    sine, cosine = math.sin(math.radians(tilt)), math.cos(math.radians(tilt))
    x, y = point[0] - before[0] / 2, point[1] - before[1] / 2
    return x * cosine - y * sine + after[0] / 2, x * sine + y * cosine + after[1] / 2


def test_pages_of_a_tiff_are_sheets_as_asked(tmp_path: Path) -> None:
    pages = (drawn(FREE), drawn())
    ran = recognised(tmp_path, *pages, sheets="page")
    assert openpyxl.load_workbook(ran.path).sheetnames == ["第1页", "第2页"]
    data = json.loads(recognised(tmp_path, *pages, output="json").path.read_text())
    assert [(each["pages"], each["ruled"]) for each in data["tables"]] == [([1], True), ([2], True)]
    assert all(0 < cell["score"] <= 1 for each in data["tables"] for cell in each["cells"])


def test_pictures_without_tables_and_words_end_with_a_word(tmp_path: Path) -> None:
    line, font = make_scans.STRANGE["thai"]
    strange = Image.new("L", (1600, 200), 255)
    ImageDraw.Draw(strange).text((60, 60), line, 0, ImageFont.truetype(font, 44))
    prose = make_scans.page(make_scans.ZH[:2], size=(1240, 600)).image
    wanted = {
        "script_not_supported": strange,
        "no_table_found": prose,
        "no_text_found": Image.new("L", (300, 200), 255),
    }
    for reason, picture in wanted.items():
        problem = recognised(tmp_path, picture).problem
        assert problem and problem.reason == reason and "a.png" in problem.text("zh") and "a.png" in problem.text("en")
