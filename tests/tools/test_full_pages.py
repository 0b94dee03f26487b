"""Word that flows: pages that are merely full, and pages whose text lies elsewhere on each, as scans' does."""

from collections.abc import Sequence

import docx
import pytest
from docx.oxml.ns import qn

from cluster.engines.layout.document import compose
from cluster.engines.layout.model import Paragraph, Sheet, Span, Style, TextLine
from cluster.engines.pdf.libraries import import_pymupdf
from tests import make
from tests.running import run_tool

LETTER = 12.0
WIDE = 35


def line(text: str, left: float, base: float) -> TextLine:
    box = left, base - 0.8 * LETTER, left + LETTER * len(text), base + 0.2 * LETTER
    return TextLine(box, base, (Span(text, Style("SimSun", LETTER)),))


def page(number: int, left: float, lines: Sequence[str], *more: TextLine) -> Sheet:
    """Lines below each other; what begins with a blank is set in."""
    own = [line(text.strip(), left + 2 * LETTER * text.startswith(" "), 100 + 24 * at) for at, text in enumerate(lines)]
    return Sheet(number, 612, 792, (*own, *more), whole=False)


def paragraph(lines: int, short: int = 20) -> list[str]:
    return [" " + "文" * (WIDE - 2), *["字" * WIDE] * (lines - 2), "尾" * short]


def texts(*sheets: Sheet) -> list[Paragraph]:
    return [block for block in compose(sheets).blocks if isinstance(block, Paragraph)]


def test_a_text_is_joined_where_each_page_lies_elsewhere_and_cells_stand_beyond_its_edge():
    cells = [line(text, 540, 60 + 14 * at) for at, text in enumerate(["续贷至", "第二日", "续贷至", "第三日"])]
    sheets = [
        page(at, left, paragraph(10) + paragraph(10) + paragraph(6), *cells[: 4 * (at == 1)])
        for at, left in enumerate((105, 128, 112))
    ]
    found = [len(text.lines) for text in texts(*sheets) if text.lines[0].text.startswith("文")]
    assert found == [10, 10, 6] * 3


def test_only_what_begins_a_page_after_room_was_left_is_told_to_begin_one():
    full, half = paragraph(13) + paragraph(13), paragraph(12)
    found = texts(page(0, 100, full), page(1, 100, half), page(2, 100, full))
    assert [text.page for text in found if text.new_page] == [2]
    assert [text.page for text in found] == [0, 0, 1, 2, 2]


def test_one_page_whose_text_is_set_in_is_not_the_others_measure():
    ragged = [page(at, 72, [" " * (row % 2) + "字" * (20 + 3 * row % 17) for row in range(20)]) for at in (0, 2)]
    assert round(compose([ragged[0], page(1, 180, paragraph(20)), ragged[1]]).margins[0]) == 72


def test_columns_are_no_edge():
    left, right = ([line("文" * 18, at, 100 + 24 * row) for row in range(30)] for at in (60, 320))
    found = compose([Sheet(0, 612, 792, (*left, *right[:3]), whole=False)])
    assert [band.columns for band in found.bands] == [2]


def test_white_letters_keep_a_ground_or_are_dark_where_it_is_lost(tmp_path):
    """A header's surface, what a picture has below one line, and a blend below several, which is no one colour."""
    path = tmp_path / "ground.pdf"
    with import_pymupdf().open() as document:
        for number in range(3):
            page = document.new_page(width=595, height=842)
            if number == 1:
                page.insert_image((0, 0, 595, 842), stream=make.jpeg_bytes("", (300, 424)))
            page.draw_rect((0, 20, 595, 44), fill=(0, 0, 0.4), color=None)
            page.insert_text((200, 36), "Objectives and Endpoints", fontsize=14, color=(1, 1, 1))
            white = (1, 1, 1) if number else (0, 0, 0)
            page.insert_text((72, 200), f"Words {number} on what is drawn below them", fontsize=11, color=white)
            if number == 1:
                page.insert_textbox((72, 300, 400, 400), "Several lines " * 14, fontsize=11, color=white)
        document.save(path)
    made = docx.Document(str(run_tool("pdf_to_word", tmp_path / "ran", [path], ocr="off").path))
    head = next(each for each in made.sections[0].header.paragraphs if each.text)
    assert head._p.pPr.find(qn("w:shd")).get(qn("w:fill")) == "000066"
    texts = {each.text[:7]: each for each in made.paragraphs if each.text}
    shown = {name: str(each.runs[0].font.color.rgb) for name, each in texts.items()}
    assert shown == {"Words 0": "000000", "Words 1": "FFFFFF", "Several": "000000", "Words 2": "FFFFFF"}
    shades = {name: each._p.pPr.find(qn("w:shd")) for name, each in texts.items()}
    assert [name for name, each in shades.items() if each is not None] == ["Words 1"]
    assert int(shades["Words 1"].get(qn("w:fill")), 16) == pytest.approx(0x3C3C3C, abs=0x080808)
