"""PDF to PPT: text boxes, pictures and tables where they were; pages as pictures; sizes, turned text, scans."""

import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from pptx import Presentation
from pptx.util import Pt

from cluster.engines.layout.model import Seen, Sheet, Span, Style, TextLine
from cluster.engines.pdf.libraries import import_pymupdf
from cluster.engines.reading import paper
from tests import look, make, make_pictures, make_reading
from tests.make_reading import ENGLISH, PROSE
from tests.running import Ran, run_tool


def converted(folder: Path, file: Path, **options: object) -> tuple[Any, Ran]:
    ran = run_tool("pdf_to_ppt", folder / "ran", [file], **options)
    assert ran.problem is None, ran.problem
    return Presentation(str(ran.path)), ran


def texts(slide: Any) -> dict[str, Any]:
    return {shape.text_frame.text: shape for shape in slide.shapes if shape.has_text_frame}


def runs(slide: Any) -> Iterator[Any]:
    for shape in texts(slide).values():
        for paragraph in shape.text_frame.paragraphs:
            yield from paragraph.runs


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> tuple[Any, Ran]:
    folder = tmp_path_factory.mktemp("report")
    return converted(folder, make_reading.report(folder / "报告.pdf"))


def drawn(path: Path) -> Path:
    """Pages of three sizes: coloured, bold, turned and underlined words, a shaded table, a drawing; lying pictures."""
    pymupdf = import_pymupdf()
    with pymupdf.open() as document:
        page = document.new_page(width=720, height=405)
        page.draw_circle((600, 300), 60, color=None, fill=(0.9, 0.5, 0.1))
        page.insert_text((60, 60), "Quarterly results", fontsize=28, fontname="hebo", color=(0.8, 0, 0))
        page.insert_text((60, 100), "underlined words", fontsize=14, fontname="helv")
        page.draw_line((60, 102), (165, 102), width=0.7)
        page.insert_text((690, 300), "turned upwards", fontsize=12, fontname="helv", rotate=90)
        for row in range(2):
            for column in range(2):
                box = (60 + 120 * column, 200 + 30 * row, 180 + 120 * column, 230 + 30 * row)
                page.draw_rect(box, color=(0, 0.4, 0), fill=(0.1, 0.2, 0.5), width=0.7)
                page.insert_text((box[0] + 8, box[1] + 20), f"cell {row}{column}", color=(1, 1, 1))
        document.new_page(width=720, height=405).insert_text((60, 60), "second", fontsize=20)
        picture = Image.new("RGB", (80, 40), "red")
        picture.paste("blue", (0, 0, 40, 40))
        picture.save(path.with_suffix(".png"))
        document.new_page(width=300, height=300).insert_image(
            (100, 50, 140, 130), filename=str(path.with_suffix(".png")), rotate=90
        )
        document.save(path)
    return path


def test_text_stands_in_boxes_where_it_was(report):
    deck, ran = report
    assert (deck.slide_width, deck.slide_height) == (Pt(595), Pt(842))
    first = texts(deck.slides[0])
    assert PROSE[0] in first, list(first)
    heading = first["一、概述"]
    assert heading.text_frame.paragraphs[0].runs[0].font.size == Pt(16)
    assert abs(heading.left - Pt(72)) < Pt(2)
    assert any(ENGLISH in text for text in texts(deck.slides[1]))
    (linked,) = [run for run in runs(deck.slides[2]) if run.hyperlink.address]
    assert (linked.text, linked.hyperlink.address) == ("papercrane.example", "https://example.com/")
    assert linked.font.underline is False  # not said, LibreOffice underlines it
    assert ran.noted("pages_read") == {"count": 3} and ran.noted("slide_tables_made") == {"count": 1}
    assert deck.core_properties.author == "" and deck.core_properties.title == "报告"


def test_tables_and_pictures_are_such(report):
    deck, _ = report
    (frame,) = [shape for shape in deck.slides[0].shapes if shape.has_table]
    table = frame.table
    assert table.cell(0, 1).span_width == 2 and table.cell(0, 0).span_height == 2
    assert [cell.text for cell in table.rows[2].cells] == ["生产一部", "1,204", "3", "85.5%"]
    assert not any(shape.shape_type == 13 for shape in deck.slides[0].shapes)  # its rules are the table's, not drawn
    (picture,) = [shape for shape in deck.slides[1].shapes if shape.shape_type == 13]
    assert (picture.width, picture.height) == (Pt(100), Pt(60))


@pytest.mark.started
def test_looks_like_the_page(tmp_path, office_engine):
    path = drawn(tmp_path / "drawn.pdf")
    deck, ran = converted(tmp_path, path)
    pictures, exact = converted(tmp_path / "exact", path, mode="exact", pages="1-2", dpi=110)
    assert [picture_on(slide).mode for slide in pictures.slides] == ["RGB", "L"]  # what is grey is half the size so
    for made, floor in ((ran, 0.9), (exact, 0.98)):
        (back,) = run_tool("ppt_to_pdf", made.path.parent / "back", [made.path]).outputs
        one = look.render(path, 1)
        assert look.ssim(one, look.render(back.path, 1).resize(one.size)) > floor
    notes = Presentation(str(exact.path)).slides[0].notes_slide.notes_text_frame.text
    assert "Quarterly results" in notes and exact.noted("slides_pictured") == {"count": 2}
    first = texts(deck.slides[0])
    for title in first["Quarterly results"].text_frame.paragraphs[0].runs:
        assert title.font.bold and str(title.font.color.rgb) == "CC0000" and title.font.name == "Arial"
    assert first["turned upwards"].rotation == 270 and abs(first["turned upwards"].width - Pt(77)) < Pt(6)
    assert first["underlined words"].text_frame.paragraphs[0].runs[0].font.underline
    (table,) = [shape.table for shape in deck.slides[0].shapes if shape.has_table]
    assert str(table.cell(1, 1).fill.fore_color.rgb) == "19337F" and 'val="006600"' in table._tbl.xml
    assert ran.noted("slides_fitted") == {"count": 1, "detail": "3"}
    lying = picture_on(deck.slides[2]).convert("RGBA")
    assert lying.size[1] == 2 * lying.size[0] and lying.getpixel((20, 70))[:3] == (0, 0, 255)


def picture_on(slide: Any) -> Image.Image:
    """The slide's only picture."""
    (picture,) = [shape for shape in slide.shapes if shape.shape_type == 13]
    return Image.open(io.BytesIO(picture.image.blob))


def test_what_is_stored_stays_and_masks_are_composed(tmp_path):
    path = make_pictures.pictures(
        tmp_path / "a.pdf", lambda pdf: make_pictures.jpeg(pdf, make_pictures.photograph()), make_pictures.masked
    )
    deck, _ = converted(tmp_path, path, ocr="off")
    (plain,) = [each for each in deck.slides[0].shapes if each.shape_type == 13]
    with make.edit(path) as pdf:
        stored = pdf.pages[0].Resources.XObject.Im0.read_raw_bytes()
    assert plain.image.blob == stored
    assert picture_on(deck.slides[1]).convert("RGBA").getextrema()[3] == (0, 255)


@pytest.mark.started
def test_scans_are_read_and_wiped(tmp_path, ocr_engine):
    deck, ran = converted(tmp_path, make_reading.scanned_table(tmp_path / "scan.pdf"))
    (table,) = [shape.table for shape in deck.slides[0].shapes if shape.has_table]
    assert [cell.text for cell in table.rows[1].cells] == ["生产一部", "1204", "85%"]
    assert ran.noted("pages_scanned") == {"count": 1, "detail": "1"}


def test_nothing_to_read(tmp_path):
    deck, ran = converted(tmp_path, make.blank(tmp_path / "blank.pdf", 2))
    assert len(deck.slides) == 2 and ran.noted("nothing_read") == {}


def test_the_ground_of_a_page_that_was_read_upside_down_is_turned_with_its_words(tmp_path: Path) -> None:
    seen = Image.new("RGB", (200, 100), "white")
    seen.paste("black", (150, 80, 190, 95))
    style = Style("SimSun", 10)
    line = TextLine((8.0, 3.0, 52.0, 22.0), 18.0, (Span("words", style),))
    sheet = Sheet(0, 200, 100, (line,), seen=Seen(200, 100, 180))
    with Image.open(paper.ground_of(seen, sheet, tmp_path / "ground")) as ground:
        assert min(ground.convert("L").tobytes()) > 250


PROSE_OF_WORDS = "Words of justified lines that stand farther apart than blanks are wide by themselves"


def justified(path: Path) -> Path:
    """Lines whose words stand apart, and a table of thick rules whose text fills its rows."""
    pymupdf = import_pymupdf()
    words = PROSE_OF_WORDS.split()
    with pymupdf.open() as document:
        page = document.new_page(width=500, height=400)
        for line in range(6):
            at = 50.0
            for word in words[line : line + 9]:
                page.insert_text((at, 60 + 11.37 * line), word, fontsize=9.7, fontname="tiro")
                at += pymupdf.get_text_length(word, "tiro", 9.7) + 4.1 + 0.3 * line
        for row in range(9):
            for column in range(3):
                left, top = 50 + 130.0 * column, 200 + 12.6 * row
                page.draw_rect((left, top - 1, left + 130, top + 1), color=None, fill=(0, 0, 0))
                page.draw_rect((left - 1, top, left + 1, top + 12.6), color=None, fill=(0, 0, 0))
                page.insert_text((left + 3, top + 11), f"row {row} holds 11.1{column}", fontsize=10, fontname="helv")
        page.draw_rect((50, 312.4, 440, 314.4), color=None, fill=(0, 0, 0))
        page.draw_rect((439, 200, 441, 313.4), color=None, fill=(0, 0, 0))
        document.save(path)
    return path


def word_places(path: Path) -> list[tuple[str, float, float]]:
    with import_pymupdf().open(path) as document:
        return sorted((word[4], word[0], word[3]) for word in document[0].get_text("words"))


@pytest.mark.started
def test_words_stand_where_they_stood_when_it_is_drawn(tmp_path: Path, office_engine: object) -> None:
    path = justified(tmp_path / "justified.pdf")
    deck, ran = converted(tmp_path, path)
    (table,) = [shape.table for shape in deck.slides[0].shapes if shape.has_table]
    assert 'w="25400"' in table._tbl.xml and len(table.rows) == 9
    (back,) = run_tool("ppt_to_pdf", tmp_path / "back", [ran.path]).outputs
    before, after = word_places(path), word_places(back.path)
    assert [word for word, *_ in after] == [word for word, *_ in before]
    assert max(abs(one[1] - two[1]) for one, two in zip(before, after, strict=True)) < 0.7
    steps = [two[2] - one[2] for one, two in zip(before, after, strict=True)]
    assert max(steps) - min(steps) < 1.2  # fonts tell other heights of letters; no row grew


def test_of_a_clipped_picture_only_what_is_seen_goes_along(tmp_path: Path) -> None:
    pymupdf, picture = import_pymupdf(), Image.new("RGB", (80, 40), "red")
    picture.paste("blue", (0, 0, 40, 40))
    picture.save(tmp_path / "a.jpg")
    with pymupdf.open() as document:
        page = document.new_page(width=300, height=300)
        page.insert_image((100, 100, 260, 180), filename=str(tmp_path / "a.jpg"))
        page.clean_contents()
        document.update_stream(page.get_contents()[0], b"q 100 120 80 80 re W n " + page.read_contents() + b" Q")
        document.save(tmp_path / "clipped.pdf")
    deck, _ = converted(tmp_path, tmp_path / "clipped.pdf", ocr="off")
    shown = picture_on(deck.slides[0]).convert("RGB")
    assert shown.size == (40, 40) and shown.crop((0, 0, 36, 40)).getextrema()[0][1] < 60  # of the red half nothing


def test_a_page_that_comes_twice_has_its_text_on_both_slides(tmp_path: Path) -> None:
    """To see what lies behind its text takes that from the page, which is one object."""
    with import_pymupdf().open() as document:
        document.new_page().insert_text((72, 90), "Potato", fontsize=24)
        document.copy_page(0)
        document.save(tmp_path / "a.pdf")
    made, _ = converted(tmp_path, tmp_path / "a.pdf")
    assert [[*texts(slide)] for slide in made.slides] == [["Potato"], ["Potato"]]
