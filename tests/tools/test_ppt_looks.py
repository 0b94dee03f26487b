"""PDF to PPT: slides look like their pages: rules as they are drawn, letters of fonts that people lack, leaders."""

import itertools
from pathlib import Path
from typing import Any

import pytest

from cluster.engines.export.grown import grown
from cluster.engines.layout.model import Sheet, Span, Style, TextLine
from cluster.engines.pdf.libraries import import_pymupdf
from cluster.engines.reading.leaders import named
from tests.running import run_tool
from tests.tools.test_pdf_to_ppt import converted, word_places


def pieced(path: Path) -> Path:
    """A table as spreadsheets draw it: each cell's own strokes, 1.5 points thick; its heads reach over columns."""
    pymupdf = import_pymupdf()
    with pymupdf.open() as document:
        page = document.new_page(width=500, height=300)
        for row, (top, bottom) in enumerate(((50, 80), (80, 95), (95, 125), (125, 155))):
            for left in range(50, 410, 60):
                page.draw_line((left, top), (left + 60, top), width=1.5, color=(0.4, 0.4, 0.4))
                if row != 1 or left in (50, 110, 230, 350):
                    page.draw_line((left, top + 1), (left, bottom), width=1.5)
                if row > 1:
                    page.insert_text((left + 8, bottom - 10), f"{row}{left}", fontsize=10)
            page.draw_line((410, top), (410, bottom), width=1.5)
        for left in range(50, 410, 60):
            page.draw_line((left, 155), (left + 60, 155), width=1.5)
        for left, text in ((58, "State"), (118, "North"), (238, "South"), (358, "All")):
            page.insert_text((left, 91), text, fontsize=9)
        page.insert_text((60, 70), "Year", fontsize=9)
        document.save(path)
    return path


def tables(deck: Any) -> list[Any]:
    return [shape.table for shape in deck.slides[0].shapes if shape.has_table]


def test_rules_drawn_piece_by_piece_make_one_table_and_are_as_thick(tmp_path: Path) -> None:
    deck, _ = converted(tmp_path, pieced(tmp_path / "pieced.pdf"), ocr="off")
    (table,) = tables(deck)
    assert [cell.text for cell in table.rows[1].cells if not cell.is_spanned] == ["State", "North", "South", "All"]
    assert 'w="19050"' in table._tbl.xml and 'val="666666"' in table._tbl.xml and 'w="6350"' not in table._tbl.xml


def headed(path: Path) -> Path:
    """A table with heads over a low second row, whose cells go over both rows, two lines in the first, one below."""
    pymupdf = import_pymupdf()
    with pymupdf.open() as document:
        page = document.new_page(width=400, height=200)
        for row, y in enumerate((50, 80, 90, 120, 150)):
            page.draw_line((50 if row != 1 else 230, y), (350, y))
        for x in (50, 140, 230, 290, 350):
            page.draw_line((x, 50), (x, 150))
        for x, text in ((60, "Height"), (150, "Radius")):
            page.insert_text((x, 62), text, fontsize=8)
            page.insert_text((x, 72), "of the lift", fontsize=8)
            page.insert_text((x, 87.5), "END", fontsize=8)
        for x in (60, 150, 240, 300):
            page.insert_text((x, 68), "" if x < 240 else "Reach", fontsize=8)
            page.insert_text((x, 87.5), "" if x < 240 else "@", fontsize=8)
            for y in (108, 138):
                page.insert_text((x, y), f"{x}.{y}", fontsize=8)
        document.save(path)
    return path


@pytest.mark.started
def test_no_row_grows_by_heads_that_go_over_several(tmp_path: Path, office_engine: object) -> None:
    path = headed(tmp_path / "headed.pdf")
    deck, ran = converted(tmp_path, path, ocr="off")
    (table,) = tables(deck)
    assert [row.cells[0].text for row in table.rows][:3] == ["Height\nof the lift", "END", "60.108"]
    (back,) = run_tool("ppt_to_pdf", tmp_path / "back", [ran.path]).outputs
    before, after = word_places(path), word_places(back.path)
    steps = [two[2] - one[2] for one, two in zip(before, after, strict=True)]
    assert max(steps) - min(steps) < 1.5


def spoken(path: Path, font: str, lines: list[list[tuple[float, str]]], size: float = 10) -> Path:
    """Lines of words that stand so far from each other, in Times as it is drawn, under another font's name."""
    pymupdf = import_pymupdf()
    with pymupdf.open() as document:
        page = document.new_page(width=600, height=300)
        for number, words in enumerate(lines):
            at = 50.0
            for gap, word in words:
                at += gap
                page.insert_text((at, 60 + 12 * number), word, fontsize=size, fontname="tiro")
                at += pymupdf.get_text_length(word, "tiro", size)
        xref = page.get_fonts()[0][0]
        document.xref_set_key(xref, "BaseFont", f"/{font}")
        document.xref_set_key(xref, "Subtype", "/TrueType")
        document.xref_set_key(xref, "FirstChar", "32")
        widths = " ".join(f"{1000 * pymupdf.get_text_length(chr(code), 'tiro', 1):.0f}" for code in range(32, 127))
        document.xref_set_key(xref, "LastChar", "126")
        document.xref_set_key(xref, "Widths", f"[{widths}]")
        document.save(path)
    return path


WORDS = [(0.0, "Words"), (4.0, "of"), (4.0, "running"), (4.0, "text"), (4.0, "stand"), (4.0, "closely"), (4.0, "here")]


def test_words_of_families_that_nobody_measures_keep_their_lines_and_the_gaps_between_them(tmp_path: Path) -> None:
    apart = [(7.0, word) for _, word in WORDS]
    path = spoken(tmp_path / "a.pdf", "TrebuchetMS", [*[WORDS] * 4, [], [], apart])
    deck, _ = converted(tmp_path, path, ocr="off")
    first, other = [shape for shape in deck.slides[0].shapes if shape.has_text_frame]
    assert not first.text_frame.word_wrap and first.text_frame.text.count("\x0b") == 3
    blank = other.text_frame.paragraphs[0].runs[1]
    assert blank.text == " " and 380 < int(blank._r.rPr.get("spc")) < 420  # 7 points are 4 more than its blank is


def test_letters_that_stand_for_wider_ones_are_larger_and_those_of_others_are_not(tmp_path: Path) -> None:
    wide = [[(gap, word) for gap, word in WORDS]] * 2
    for font, size in (("Melior", 10.5), ("TimesNewRoman", 10.0)):
        path = spoken(tmp_path / f"{font}.pdf", font, wide)
        with import_pymupdf().open(path) as document:
            xref = document[0].get_fonts()[0][0]
            kept = document.xref_get_key(xref, "Widths")[1].strip("[]").split()
            document.xref_set_key(xref, "Widths", "[" + " ".join(str(round(1.05 * int(each))) for each in kept) + "]")
            document.xref_set_key(xref, "FontDescriptor", f"<</Type/FontDescriptor/FontName/{font}/Flags 34>>")
            document.saveIncr()
        deck, _ = converted(tmp_path / font, path, ocr="off")
        (shape,) = [shape for shape in deck.slides[0].shapes if shape.has_text_frame]
        assert {run.font.size.pt for part in shape.text_frame.paragraphs for run in part.runs} == {size}


def test_dots_whose_font_names_no_letter_lead_on(tmp_path: Path) -> None:
    """Evenly set narrow letters are dots; those of other widths, or as wide as 汉字, stay unknown."""
    letters = {"led": "Medicare \ufffd\ufffd\ufffd\ufffd\ufffd\ufffd\ufffd", "not": "\ufffd" * 7}
    even = [10.0 * at for at in range(9)]
    dots = {"text": letters["led"], "size": 8.0, "places": [*even, *(90 + 2.2 * at for at in range(8))]}
    assert named(dots)["text"] == "Medicare ......."
    for steps in ([2.2, 4, 2.2, 3, 2.2, 2.2, 2.2], [8.0] * 7):
        unknown = {"text": letters["not"], "size": 8.0, "places": [*itertools.accumulate(steps, initial=0.0)]}
        assert named(unknown) == unknown


def test_marks_that_latin_has_like_chinese_keep_no_letters_small() -> None:
    places = [50 + 7.0 * at for at in range(8)]
    sheets = []
    for text in ("“wide”—", "“汉字”宽——"):
        span = Span(text, Style("Melior", 10.0, kind="serif"), places=places[: len(text) + 1])
        sheets.append(Sheet(0, 300, 300, (TextLine((50, 40, 100, 52), 50, (span,)),)))
    assert [grown([sheet])[0].lines[0].spans[0].style.size for sheet in sheets] == [pytest.approx(10.6), 10.0]
