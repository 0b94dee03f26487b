"""PDF to Word of what drivers print several times in one place, and of shades that part rows in threes."""

import io
from pathlib import Path

import docx
from PIL import Image

from cluster.engines.pdf.libraries import import_pymupdf
from cluster.engines.reading.digital import sheet_of
from tests import make
from tests.running import run_tool


def word(path: Path) -> Path:
    ran = run_tool("pdf_to_word", path.with_suffix(""), [path])
    assert ran.problem is None, ran.problem
    return ran.path


def test_a_word_whose_first_print_lacks_letters_is_read_once(tmp_path):
    path = tmp_path / "twice.pdf"
    with import_pymupdf().open() as document:
        page = document.new_page()
        for y, prints in (
            (100, ("H ft ", "Hefty")),
            (130, ("Pr ir e  rand", "Prairie Brand")),
            (160, ("19.5", "19 5")),
        ):
            for text in prints:
                page.insert_text((72, y), text, fontname="cour", fontsize=11)
        document.save(path)
    said = " ".join(paragraph.text for paragraph in docx.Document(str(word(path))).paragraphs)
    assert said.split() == ["Hefty", "Prairie", "Brand", "19.5"]


def test_words_of_which_the_first_print_has_a_letter_are_whole(tmp_path):
    """The second print's other letters are a line of their own, which a column's edge would cut off."""
    page = import_pymupdf().open().new_page()
    for prints in (("C", "May", "2,176 "), ("Canisteo loam", "May 15", "2,176 .")):
        for number, text in enumerate(prints):
            page.insert_text((72, 100 + 30 * number), text, fontname="cour", fontsize=11)
    lines = {line.text.strip() for line in sheet_of(page, tmp_path).lines}
    assert lines == {"Canisteo loam", "May 15", "2,176", "."}


def test_letters_that_lie_in_others_are_not_mixed_with_them(tmp_path):
    path = tmp_path / "over.pdf"
    with import_pymupdf().open() as document:
        page = document.new_page()
        for text, left in (("Valid", 72), ("Valid", 72), ("COPY", 74)):
            page.insert_text((left, 100), text, fontname="cour", fontsize=11)
        document.save(path)
    said = " ".join(paragraph.text for paragraph in docx.Document(str(word(path))).paragraphs)
    assert "Valid" in said
    assert "COPY" in said


def test_what_is_printed_again_beside_itself_is_bold(tmp_path):
    path = tmp_path / "bold.pdf"
    with import_pymupdf().open() as document:
        page = document.new_page()
        for y, text, aside in (
            (100, "Annual Report", 0.25),
            (130, "Printed twice by a driver", 0),
            (160, "Once", None),
        ):
            for left in (72, *(() if aside is None else (72 + aside,))):
                page.insert_text((left, y), text, fontname="cour", fontsize=14)
        document.save(path)
    shown = {each.text: each.runs[0].bold for each in docx.Document(str(word(path))).paragraphs if each.text}
    assert shown == {"Annual Report": True, "Printed twice by a driver": False, "Once": False}


def test_pictures_over_one_another_are_one(tmp_path):
    path = tmp_path / "logo.pdf"
    logo, badge = (make.jpeg_bytes("", size) for size in ((160, 48), (60, 40)))
    with import_pymupdf().open() as document:
        page = document.new_page()
        for _ in range(3):
            page.insert_image((72, 72, 232, 120), stream=logo)
        page.insert_image((180, 90, 240, 130), stream=badge, keep_proportion=False)
        page.insert_image((300, 300, 400, 330), stream=logo, keep_proportion=False)
        page.insert_text((72, 200), "A line of the document, below its head.")
        document.save(path)
    document = docx.Document(str(word(path)))
    blobs = [shape._inline.graphic.graphicData.pic.blipFill.blip.embed for shape in document.inline_shapes]
    sizes = sorted(Image.open(io.BytesIO(document.part.related_parts[each].blob)).size for each in blobs)
    assert len(sizes) == 2, "the logos with the badge, and the one that stands apart"
    wide, high = max(sizes, key=lambda size: size[0] / size[1] < 2.95)
    assert abs(wide / high - 168 / 58) < 0.05


def test_rows_that_shades_part_in_threes_are_rows(tmp_path):
    path = tmp_path / "shades.pdf"
    rows = [(f"Brand {number}", f"K{number}", f"{50 + number}.5", f"{number}") for number in range(12)]
    with import_pymupdf().open() as document:
        page = document.new_page()
        for column, text in enumerate(("Brand", "Product", "Yield", "Rank")):
            page.insert_text((80 + 110 * column, 96), text, fontsize=9)
        for y in (100, 100 + 12.2 * len(rows)):
            page.draw_line((76, y), (500, y))
        for number, row in enumerate(rows):
            top = 100 + 12.2 * number
            if number // 3 % 2:
                page.draw_rect((76, top, 500, top + 12.2), fill=(0.8, 0.9, 1), color=None)
            for column, text in enumerate(row):
                page.insert_text((80 + 110 * column, top + 9), text, fontsize=9)
        document.save(path)
    (table,) = docx.Document(str(word(path))).tables
    assert [tuple(cell.text for cell in row.cells) for row in table.rows][1:] == rows
