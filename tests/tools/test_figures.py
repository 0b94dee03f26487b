"""Pictures on pages that are read: charts and covers are kept, their words stand once; fills and shadows are none."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import docx
import numpy
import pytest
from PIL import Image, ImageDraw, ImageFont

from cluster.engines.layout.document import compose
from cluster.engines.layout.line import Line, Page
from cluster.engines.layout.model import Figure, Paragraph, Sheet, Table
from cluster.engines.pdf.libraries import import_pymupdf
from cluster.engines.reading import pictured, scanned
from tests.make_scans import LATIN
from tests.running import run_tool

_FACE = ImageFont.truetype(LATIN, 26)
_SIZE = (1240, 1754)


def written(image: Image.Image, words: Sequence[tuple[str, int, int]], fill: str = "black") -> list[Line]:
    """Words drawn at places, and the lines that a reader makes of them."""
    pen, lines = ImageDraw.Draw(image), []
    for text, x, y in words:
        pen.text((x, y), text, fill, _FACE)
        left, top, right, bottom = (round(side) for side in pen.textbbox((x, y), text, _FACE))
        lines.append(Line(((left, top), (right, top), (right, bottom), (left, bottom)), text, 0.99))
    return lines


def laid(image: Image.Image, lines: Sequence[Line], folder: Path) -> Sheet:
    return scanned.laid(Page(*image.size, 0, tuple(lines)), image, 0, 595 / image.width, folder)


def prose(image: Image.Image, top: int, count: int = 8) -> list[Line]:
    text = "a line of the text that goes on above the chart and below it, as it does"
    return written(image, [(f"{text} {at}", 120, top + 40 * at) for at in range(count)])


def test_a_chart_is_a_picture_that_tells_its_labels(tmp_path: Path) -> None:
    image = Image.new("RGB", _SIZE, "white")
    lines, pen = [*prose(image, 120), *prose(image, 1200)], ImageDraw.Draw(image)
    pen.line([(250, 600), (250, 1060), (1000, 1060)], "black", 3)
    for at, high in enumerate((300, 180, 400)):
        pen.rectangle((320 + 220 * at, 1058 - high, 440 + 220 * at, 1058), "#4060a0")
    pen.line([(280, 1000), (500, 700), (720, 880), (960, 640)], "red", 4)
    labels = written(image, [("north", 340, 1072), ("south", 560, 1072), ("west", 780, 1072), ("total", 600, 620)])
    sheet = laid(image, [*lines, *labels], tmp_path)
    (picture,) = sheet.pictures
    assert set(picture.text.split()) == {"north", "south", "west", "total"}
    assert [line.text for line in sheet.lines] == [line.text for line in lines]
    kinds = [type(block) for block in compose([sheet]).blocks if not isinstance(block, Paragraph)]
    assert kinds == [Figure], "its axes make no table"
    table_reader = scanned.laid(
        Page(*image.size, 0, (*lines, *labels)), image, 0, 595 / image.width, tmp_path, pictures=False
    )
    assert len(table_reader.drawn) == 1 and len(table_reader.lines) == len(lines) + len(labels)


def test_a_chart_is_kept_with_its_axes_and_what_is_written_at_them(tmp_path: Path) -> None:
    image = Image.new("RGB", _SIZE, "white")
    lines, pen = [*prose(image, 120), *prose(image, 1200)], ImageDraw.Draw(image)
    pen.line([(250, 560), (250, 1060), (1000, 1060)], "black", 3)
    pen.line([(400, 620), (520, 640), (640, 760), (760, 800), (880, 900)], "red", 4)
    years = [(f"20{at}", x, 1072) for at, x in zip(range(14, 19), range(330, 1000, 130), strict=False)]
    numbers = [(f"{at},000", 170, 1020 - 100 * at) for at in range(1, 5)]
    labels = written(image, [*years, *numbers, ("Year", 600, 1110)])
    sheet = laid(image, [*lines, *labels], tmp_path)
    (picture,) = sheet.pictures
    assert {"2014", "2018", "1,000", "4,000"} <= set(picture.text.split())
    assert not any(isinstance(block, Table) for block in compose([sheet]).blocks)


def test_what_stands_upright_beside_an_axis_belongs_to_the_chart(tmp_path: Path) -> None:
    path = tmp_path / "a.pdf"
    with import_pymupdf().open() as pdf:
        page = pdf.new_page(width=595, height=842)
        page.insert_text((72, 90), "Cases that were confirmed in the last ten years", fontsize=11)
        page.draw_polyline([(120 + 30 * at, 300 - 40 * (at % 3) - 5 * at) for at in range(11)], color=(1, 0, 0))
        page.insert_text((112, 280), "Confirmed cases", fontsize=8, rotate=90)
        page.insert_text((72, 700), "Words that run upwards elsewhere", fontsize=8, rotate=90)
        pdf.save(path)
    made = docx.Document(str(run_tool("pdf_to_word", tmp_path / "made", [path], ocr="off").path))
    texts = [each.text for each in made.paragraphs if each.text]
    assert "Words that run upwards elsewhere" in texts and "Confirmed cases" not in texts
    assert "Confirmed cases" in made.element.xml


def test_a_chart_alone_on_its_page_is_no_table_either(tmp_path: Path) -> None:
    def drawn(high: int) -> int:
        image = Image.new("RGB", (1240, high), "white")
        pen = ImageDraw.Draw(image)
        pen.rectangle((150, 120, 1100, 900), "#c8f0f0", "black", 3)
        pen.line([(200, 800), (500, 300), (800, 700), (1050, 200)], "black", 4)
        pen.line([(200, 700), (500, 400), (800, 500), (1050, 400)], "red", 4)
        lines = written(image, [(f"a name of it {at}", 180 + 220 * at, 860) for at in range(4)])
        return len(scanned.laid(Page(*image.size, 0, tuple(lines)), image, 0, 0.48, tmp_path, pictures=False).drawn)

    assert drawn(1754) == 1
    assert drawn(960) == 0, "what was chosen may be a table on a coloured ground"


def test_of_a_cover_the_words_are_painted_out_and_stand_over_it(tmp_path: Path) -> None:
    grain = numpy.random.default_rng(3).integers(0, 220, (60, 40, 3)).astype(numpy.uint8)
    image = Image.fromarray(grain).resize(_SIZE)
    ImageDraw.Draw(image).rectangle((300, 380, 900, 560), "#202060")
    lines = written(image, [("A Book of Wide Seas", 420, 440), ("and of the ships on them", 400, 490)], "white")
    sheet = laid(image, lines, tmp_path)
    (picture,) = sheet.pictures
    assert picture.cleared and [line.text for line in sheet.lines] == [line.text for line in lines]
    with Image.open(picture.path) as kept:
        assert max(kept.crop((400, 430, 800, 520)).convert("L").getextrema()) < 90
    shades = {line.spans[0].style.colour & 0xFF for line in sheet.lines}
    assert all(100 < shade < 180 for shade in shades), "as pale as can be seen beside the picture, too"
    assert any(isinstance(block, Figure) and block.place == "behind" for block in compose([sheet]).blocks)


def test_words_that_reach_over_a_picture_s_edge_are_painted_out_of_it(tmp_path: Path) -> None:
    grain = numpy.random.default_rng(1).normal(0, 40, (500, 500, 3))
    photo = Image.fromarray((110 + grain).clip(0, 255).astype(numpy.uint8)).resize((600, 500))
    image = Image.new("RGB", _SIZE, "white")
    image.paste(photo, (120, 700))
    ImageDraw.Draw(image).rectangle((600, 900, 720, 990), "#707070")
    lines = [*prose(image, 120), *written(image, [("BEGINS IN IT AND ENDS BEYOND", 640, 930)])]
    sheet = laid(image, lines, tmp_path)
    (picture,) = sheet.pictures
    assert len(sheet.lines) == len(lines) and not picture.text
    with Image.open(picture.path) as kept:
        assert min(kept.crop((525, 230, kept.width - 6, 258)).convert("L").getextrema()) > 60


def test_a_poster_of_many_square_metres_is_read_without_its_pictures(tmp_path: Path) -> None:
    """At a pixel for each point and a third it would take gigabytes."""
    image = Image.new("RGB", (900, 1800), "white")
    image.paste(Image.linear_gradient("L").resize((600, 600)).convert("RGB"), (100, 900))
    lines = written(image, [("A poster", 100, 100)])
    sheet = scanned.laid(Page(*image.size, 0, tuple(lines)), image, 0, 18000 / image.width, tmp_path)
    assert [line.text for line in sheet.lines] == ["A poster"] and not sheet.pictures


def test_a_shaded_table_and_a_shadow_are_no_pictures(tmp_path: Path) -> None:
    image = Image.new("RGB", _SIZE, "white")
    pen, words = ImageDraw.Draw(image), list[tuple[str, int, int]]()
    for row in range(6):
        for column in range(4):
            box = (120 + 250 * column, 700 + 60 * row, 370 + 250 * column, 760 + 60 * row)
            pen.rectangle(box, "#f0a050" if column == 0 or row == 0 else "white", "black", 2)
            words.append((f"cell {row} {column}", box[0] + 40, box[1] + 16))
    lines = [*prose(image, 120), *written(image, words)]
    dark = numpy.asarray(image) * numpy.linspace(1, 0.5, _SIZE[0])[None, :, None]
    for each in (image, Image.fromarray(dark.astype(numpy.uint8))):
        sheet = laid(each, lines, tmp_path)
        assert not sheet.pictures and len(sheet.lines) == len(lines)
        assert any(isinstance(block, Table) for block in compose([sheet]).blocks)


def test_shades_over_several_cells_are_no_picture_and_a_photograph_in_one_is(tmp_path: Path) -> None:
    def pictures(left: int, right: int) -> int:
        image = Image.new("RGB", _SIZE, "white")
        lines, pen = prose(image, 120), ImageDraw.Draw(image)
        grain = numpy.random.default_rng(3).integers(150, 190, (20, 20, 3)).astype(numpy.uint8)
        image.paste(Image.fromarray(grain).resize((right - left, 170)), (left, 710))
        heights = (500, 550, 600, 650, 700, 890, 940, 990, 1040)
        for y in heights:
            pen.line((120, y, 1120, y), "black", 3)
        for x in (120, 450, 780, 1120):
            pen.line((x, 500, x, 1040), "black", 3)
        rows = [y + 10 for y in heights if y not in (700, 1040)]
        places = [(x, y) for y in rows for x in (150, 480, 810)]
        lines += written(image, [(f"words of cell {at}", *place) for at, place in enumerate(places)])
        return len(laid(image, lines, tmp_path).pictures)

    assert pictures(462, 768) == 1
    assert pictures(462, 1100) == 0


def test_a_heading_s_band_is_no_picture(tmp_path: Path) -> None:
    image = Image.new("RGB", _SIZE, "white")
    pen = ImageDraw.Draw(image)
    pen.rectangle((0, 0, 1240, 100), "#555555")
    pen.rectangle((0, 100, 1240, 130), "#90b050")
    lines = [*written(image, [("WHAT THIS YEAR BROUGHT", 120, 40)], "white"), *prose(image, 220)]
    sheet = laid(image, lines, tmp_path)
    assert not sheet.pictures and len(sheet.lines) == len(lines)


@pytest.mark.parametrize(("grain", "pitch"), [(0, 62), (12, 44)])
def test_a_panel_that_fades_or_is_full_of_words_is_no_picture(tmp_path: Path, grain: int, pitch: int) -> None:
    fade = numpy.linspace(225, 90, 10 * pitch + 40)[:, None, None] * numpy.ones((1, 1000, 3)) * (0.6, 0.8, 1)
    fade += numpy.random.default_rng(5).normal(0, grain, fade.shape)
    image = Image.new("RGB", _SIZE, "white")
    image.paste(Image.fromarray(fade.clip(0, 255).astype(numpy.uint8)), (100, 680))
    words = "what is told in a panel, in as many words as there is room for"
    panel = [(words, 120, 700 + pitch * at) for at in range(10)]
    lines = [*prose(image, 120), *written(image, panel)]
    sheet = laid(image, lines, tmp_path)
    assert not sheet.pictures and len(sheet.lines) == len(lines)


def test_rules_between_lines_that_run_down_make_no_table(tmp_path: Path) -> None:
    image = Image.new("RGB", (480, 900), "#f4ecd8")
    pen = ImageDraw.Draw(image)
    pen.rectangle((20, 20, 440, 880), outline="black", width=4)
    lines = []
    for at, text in enumerate(("有評是是非非之士師也", "是非不得問之人要取之", "已取之時不參一人見而")):
        right = 430 - 140 * at
        pen.line([(right - 130, 20), (right - 130, 880)], "black", 3)
        box = ((right - 30, 40), (right - 30, 860), (right - 100, 860), (right - 100, 40))
        lines.append(Line(box, text, 0.99))
    sheet = pictured.sheet_of(Page(480, 900, 0, tuple(lines)), image, 0, tmp_path)
    assert not any(isinstance(block, Table) for block in compose([sheet]).blocks)


def test_of_one_picture_nothing_is_kept_free_below_its_last_line(tmp_path: Path) -> None:
    image = Image.new("RGB", _SIZE, "white")
    lines = [*prose(image, 120), *written(image, [("12", 600, 1600)])]
    sheet = pictured.sheet_of(Page(*_SIZE, 0, tuple(lines)), image, 0, tmp_path)
    assert compose([replace(sheet, whole=False)]).margins[3] <= 12


def test_a_picture_across_the_page_begins_at_its_edge(tmp_path: Path) -> None:
    grain = numpy.random.default_rng(2).integers(0, 200, (40, 124, 3)).astype(numpy.uint8)
    image = Image.new("RGB", _SIZE, "white")
    image.paste(Image.fromarray(grain).resize((1240, 400)), (0, 100))
    lines = written(image, [(f"a short line {at}", 500, 700 + 40 * at) for at in range(6)])
    (figure,) = (block for block in compose([laid(image, lines, tmp_path)]).blocks if isinstance(block, Figure))
    assert figure.left < -100


def test_words_on_bare_paper_in_a_photograph_s_corner_are_none_of_its(tmp_path: Path) -> None:
    grain = numpy.random.default_rng(7).integers(0, 180, (60, 60, 3)).astype(numpy.uint8)
    photo = Image.fromarray(grain).resize((500, 500))
    ImageDraw.Draw(photo).rectangle((220, 400, 500, 500), "white")
    image = Image.new("RGB", _SIZE, "white")
    image.paste(photo, (120, 700))
    lines = [*prose(image, 120), *written(image, [("Dated: 1 May", 390, 1140)])]
    sheet = laid(image, lines, tmp_path)
    assert [line.text for line in sheet.lines][-1] == "Dated: 1 May"
    assert [picture.text for picture in sheet.pictures] == [""]


@pytest.mark.started
def test_what_is_kept_of_a_page_is_not_all_of_it(tmp_path: Path, ocr_engine: object) -> None:
    """The picture that the page itself is has a name of its own."""
    grain = numpy.random.default_rng(8).integers(0, 180, (60, 60, 3)).astype(numpy.uint8)
    image = Image.new("RGB", _SIZE, "white")
    prose(image, 120)
    image.paste(Image.fromarray(grain).resize((600, 400)), (120, 800))
    image.save(tmp_path / "page.jpg")
    with import_pymupdf().open() as document:
        page = document.new_page(width=595, height=842)
        page.insert_image(page.rect, filename=str(tmp_path / "page.jpg"))
        page.insert_text((60, 80), "what somebody else has read, and badly", render_mode=3)
        document.save(tmp_path / "a.pdf")
    ran = run_tool("pdf_to_word", tmp_path / "ran", [tmp_path / "a.pdf"])
    (kept,) = (part for part in docx.Document(str(ran.path)).part.package.image_parts)
    assert kept.image.px_width / kept.image.px_height == pytest.approx(1.5, abs=0.05)
