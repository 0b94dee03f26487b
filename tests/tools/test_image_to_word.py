"""Image to Word: a page's paragraphs, headings, table and picture; pages of a TIFF; what lies askew or upside down."""

import json
from pathlib import Path

import docx
import numpy
import pytest
from PIL import Image, ImageDraw, ImageFont

from cluster.engines.ocr import client as ocr
from cluster.engines.pictures.flatten import page_corners
from tests import make_reading, make_scans
from tests.make_scans import EN, LATIN, SANS, ZH
from tests.running import Ran, run_tool

pytestmark = [pytest.mark.started, pytest.mark.usefixtures("ocr_engine")]

TITLE, HEADING = "季度检查情况汇总", "一、基本情况"


def page() -> Image.Image:
    """A4 at 150 dpi: a title, a heading, paragraphs, a ruled table and a photograph."""
    image = make_scans.page(ZH[:3], points=28).image
    sheet = Image.new("RGB", image.size, "white")
    sheet.paste(image.crop((0, 100, 1240, 520)), (0, 350))
    pen = ImageDraw.Draw(sheet)
    pen.text((370, 140), TITLE, "black", ImageFont.truetype(SANS, 56))
    pen.text((103, 270), HEADING, "black", ImageFont.truetype(SANS, 38))
    make_reading.draw_table(sheet, make_reading.SCANNED, (150, 900))
    photo = numpy.full((260, 420, 3), (20, 90, 60), numpy.uint8)
    photo[..., 0] += numpy.arange(420, dtype=numpy.uint16).astype(numpy.uint8)[None] // 4
    sheet.paste(Image.fromarray(photo), (400, 1250))
    return sheet


def converted(folder: Path, image: Image.Image, **options: object) -> tuple[docx.document.Document, Ran]:
    image.save(folder / "照片.png")
    ran = run_tool("image_to_word", folder / "ran", [folder / "照片.png"], **options)
    return docx.Document(str(ran.path)), ran


def corrected(folder: Path, data: object) -> Ran:
    """A second run over the picture of `converted`, with this data."""
    (folder / "data.json").write_text(json.dumps(data), encoding="utf-8")
    extras = {"k": folder / "data.json"}
    return run_tool("image_to_word", folder / "again", [folder / "照片.png"], extras=extras, corrected=["k"])


def test_a_page_that_lies_askew_becomes_paragraphs_headings_a_table_and_a_picture(tmp_path: Path) -> None:
    tilted = page().rotate(1.5, Image.Resampling.BICUBIC, fillcolor="white")
    document, ran = converted(tmp_path, tilted)
    assert ran.outputs[0].name == "照片_转Word.docx"
    texts = [each.text for each in document.paragraphs]
    assert [text for text in texts if text in ZH[:3]] == list(ZH[:3])
    styles = {each.text: each.style.name for each in document.paragraphs}
    assert styles[TITLE] in ("Title", "Heading 1") and styles[HEADING].startswith("Heading")
    (table,) = document.tables
    assert [[cell.text for cell in row.cells] for row in table.rows] == make_reading.SCANNED
    assert len(document.inline_shapes) == 1
    section = document.sections[0]
    assert (round(section.page_width.pt), round(section.page_height.pt)) == (595, pytest.approx(842, abs=2))
    sizes = {run.font.size.pt for each in document.paragraphs if each.text in ZH for run in each.runs if run.font.size}
    assert len(sizes) <= 1, "one paragraph's letters are of one size"
    noted = [ran.noted(what) for what in ("tables_made", "pictures_kept", "headings_made")]
    assert noted == [{"count": 1}, {"count": 1}, {"count": 2}]


def test_pictures_may_be_left_out_and_a_turned_page_stands_upright(tmp_path: Path) -> None:
    document, ran = converted(tmp_path, page().rotate(180), pictures=False)
    assert not document.inline_shapes and document.tables and ran.noted("turned") == {"detail": 180}


def test_each_page_of_a_tiff_is_a_page(tmp_path: Path) -> None:
    first, second = (make_scans.page(EN[at : at + 2], font=LATIN).image for at in (0, 2))
    first.save(tmp_path / "a.tiff", save_all=True, append_images=[second])
    ran = run_tool("image_to_word", tmp_path / "ran", [tmp_path / "a.tiff"])
    document = docx.Document(str(ran.path))
    assert [each.text for each in document.paragraphs if each.text.strip()] == list(EN[:4])
    assert any(each.paragraph_format.page_break_before for each in document.paragraphs)


def test_a_long_screenshot_flows_on_paper_of_a_usual_width(tmp_path: Path) -> None:
    document, _ = converted(tmp_path, make_scans.page(ZH, size=(600, 2400), points=28).image)
    # Where a number was broken nobody knows that it was one.
    texts = [each.text.replace(" ", "") for each in document.paragraphs]
    assert [text for text in texts if text] == list(ZH)
    assert round(document.sections[0].page_width.pt) == 595


def test_an_empty_picture_is_told(tmp_path: Path) -> None:
    Image.new("L", (300, 200), 255).save(tmp_path / "a.png")
    ran = run_tool("image_to_word", tmp_path / "ran", [tmp_path / "a.png"])
    assert ran.problem and ran.problem.reason == "no_text_found"


def test_a_photographed_page_is_laid_flat_and_what_is_corrected_is_written_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Seen aslant, darker to the right, upside down; what shows no page's edges stays as it is."""
    photo = make_scans.photographed(make_scans.Scan(page(), ()), lean=0.2, shadow=0.4).image
    document, ran = converted(tmp_path, photo.rotate(180))
    assert ran.noted("flattened") == {} and ran.noted("turned") == {"detail": 180}
    texts = [each.text for each in document.paragraphs if each.text.strip()]
    assert texts == [TITLE, HEADING, *ZH[:3]]
    (table,) = document.tables
    assert [[cell.text for cell in row.cells] for row in table.rows] == make_reading.SCANNED
    assert len(document.inline_shapes) == 1

    data = json.loads(ran.outputs[1].path.read_text("utf-8"))
    lines = {line["text"]: line for each in data["pages"][0]["paragraphs"] for line in each["lines"]}
    lines[HEADING]["said"] = "一、更正后的基本情况，比原来长得多，字号仍然不变"
    lines[make_reading.SCANNED[1][0]]["said"] = "更正"
    lines[TITLE]["said"] = ""
    monkeypatch.setattr(ocr, "read", None)
    again = corrected(tmp_path, data)
    second = docx.Document(str(again.path))
    assert again.noted("corrected") == {}
    assert [each.text for each in second.paragraphs if each.text.strip()] == [lines[HEADING]["said"], *ZH[:3]]
    assert second.tables[0].cell(1, 0).text == "更正" and len(second.inline_shapes) == 1
    runs = [run for each in (document, second) for text in each.paragraphs for run in text.runs]
    first, other = (run.font.size for run in runs if run.text.startswith("一、"))
    assert first == other
    data["pages"][0]["width"] += 1
    unfit = corrected(tmp_path, data).problem
    assert unfit and unfit.reason == "correction_unfit"
    cut = photo.crop((350, 300, 1200, 1700))  # no edge of the page is on it
    for other in (page(), page().rotate(3, expand=True, fillcolor="white"), cut):
        assert page_corners(numpy.asarray(other)) is None


def test_two_pages_on_a_table_are_not_cut_to_one() -> None:
    one = make_scans.photographed(make_scans.page(ZH[:2], size=(600, 800)), lean=0.05, shadow=0.9).image
    both = Image.new("RGB", (2 * one.width, one.height))
    both.paste(one, (0, 0))
    assert page_corners(numpy.asarray(both)) is not None
    both.paste(one, (one.width, 0))
    assert page_corners(numpy.asarray(both)) is None
