"""PDF to Word, tables: what is drawn of them and what is not."""

import zipfile
from collections.abc import Sequence
from pathlib import Path

import docx
import pytest
from docx.oxml.ns import qn

from cluster.engines.pdf.libraries import import_pymupdf
from cluster.engines.reading.digital import sheet_of
from tests.bench.word import written
from tests.running import run_tool

#: Rules that are flat (left, height, right) or upright (place, top, bottom), and texts at their places.
Rules = Sequence[tuple[float, float, float]]
Texts = Sequence[tuple[float, float, str]]
Page = tuple[Rules, Rules, Texts]


def drawn(path: Path, *pages: Page) -> Path:
    pymupdf = import_pymupdf()
    with pymupdf.open() as document:
        for flat, upright, texts in pages:
            page = document.new_page(width=595, height=842)
            for left, y, right in flat:
                page.draw_line((left, y), (right, y))
            for x, top, bottom in upright:
                page.draw_line((x, top), (x, bottom))
            for x, y, text in texts:
                page.insert_text((x, y), text, fontsize=10)
        document.save(path)
    return path


def word(path: Path) -> Path:
    ran = run_tool("pdf_to_word", path.with_suffix(""), [path])
    assert ran.problem is None, ran.problem
    return ran.path


def tables(made: Path) -> list[dict[str, tuple[int, int, int, int]]]:
    """The tables of the Word document: where each text stands, and over how many rows and columns."""
    return [{cell[4]: cell[:4] for cell in table if cell[4]} for table in written.read(made).tables]


#: A form; in its first row stand a short rule and a box to write in, of three sides, which touch no rule.
BOXED: Page = (
    [(50, 100, 550), (150, 140, 500), *((50, y, 550) for y in (160, 190, 220, 250))],
    [(50, 100, 250), (550, 100, 250), (90, 126, 140), (150, 126, 140), (500, 126, 140), (300, 160, 250)],
    [(54, 114, "Parents"), (95, 136, "Father"), (54, 180, "City"), (304, 180, "Country"), (54, 210, "Work")],
)


def test_boxes_that_touch_no_rule_are_cells(tmp_path):
    """The words beside them are no part of the text above."""
    (found,) = tables(word(drawn(tmp_path / "boxed.pdf", BOXED)))
    assert found == {
        "Parents": (0, 0, 1, 5),
        "Father": (1, 1, 1, 1),
        "City": (3, 0, 1, 3),
        "Country": (3, 3, 1, 2),
        "Work": (4, 0, 1, 3),
    }


def _page(top: float, rows: Sequence[Sequence[str]], inner: Sequence[float] = (200, 350)) -> Page:
    """A ruled table from `top` on, of rows 20 points high."""
    low = top + 20 * len(rows)
    lefts = (50, *inner)
    texts = [
        (x + 4, top + 20 * at + 14, text) for at, row in enumerate(rows) for x, text in zip(lefts, row, strict=True)
    ]
    flat = [(50.0, top + 20 * at, 500.0) for at in range(len(rows) + 1)]
    return flat, [(x, top, low) for x in (*lefts, 500)], texts


HEAD, ROWS = ["Name", "Town", "Sum"], [["Ann", "Bern", "1"], ["Bo", "Rome", "2"]]


def test_a_table_that_goes_on_over_the_page_is_one(tmp_path):
    """Its head, which came again, is repeated by Word; a row of the next page may have merged cells."""
    made = word(drawn(tmp_path / "on.pdf", _page(740, [HEAD, *ROWS[:1]]), _page(60, [HEAD, *ROWS[1:]])))
    assert [list(each) for each in tables(made)] == [[*HEAD, *ROWS[0], *ROWS[1]]]
    with zipfile.ZipFile(made) as file:
        assert file.read("word/document.xml").count(b"<w:tblHeader/>") == 1
    path = drawn(tmp_path / "merged.pdf", _page(740, [HEAD, *ROWS]), _page(60, [["Notes", "None"]] * 2, (350,)))
    assert tables(word(path))[0]["Notes"] == (4, 0, 1, 2)


def test_a_row_that_the_page_cuts_is_one(tmp_path):
    long = "A text that fills the whole of its line"
    path = drawn(tmp_path / "cut.pdf", _page(740, [HEAD, ["Cy", long, "3"]], (100, 275)),
                 _page(60, [["", "and goes on", ""], ["Di", "Oslo", "4"]], (100, 275)))  # fmt: skip
    assert tables(word(path)) == [{
        **{text: (0, at, 1, 1) for at, text in enumerate(HEAD)},
        **{text: (1, at, 1, 1) for at, text in enumerate(["Cy", f"{long} and goes on", "3"])},
        **{text: (2, at, 1, 1) for at, text in enumerate(["Di", "Oslo", "4"])},
    }]  # fmt: skip


def test_a_list_that_the_page_cuts_is_of_one_row(tmp_path):
    """The next number goes on in its cell, though the tables' columns differ; not where each row has its number."""
    flat, upright = [(50, 700, 500), (50, 720, 500), (50, 780, 500)], [(50, 700, 780), (500, 700, 780), (200, 700, 720)]
    aims = (flat, upright, [(54, 714, "Aims"), (204, 714, "None"), (54, 740, "1. One."), (54, 760, "2. Two.")])
    flat, upright = [(50, 60, 500), (50, 80, 500), (50, 100, 500)], [(50, 60, 100), (500, 60, 100), (300, 80, 100)]
    ends = (flat, upright, [(54, 74, "3. Three."), (54, 94, "Ends"), (304, 94, "Some")])
    assert tables(word(drawn(tmp_path / "list.pdf", aims, ends))) == [{
        "Aims": (0, 0, 1, 1), "None": (0, 1, 1, 2), "1. One. 2. Two. 3. Three.": (1, 0, 1, 3),
        "Ends": (2, 0, 1, 2), "Some": (2, 2, 1, 1),
    }]  # fmt: skip
    rows = [[f"{at}. Row", "a", "b"] for at in (1, 2, 3, 4)]
    numbered = drawn(tmp_path / "rows.pdf", _page(740, rows[:2]), _page(60, rows[2:]))
    assert [place[0] for text, place in tables(word(numbered))[0].items() if "Row" in text] == [0, 1, 2, 3]


def test_tables_of_pages_of_their_own_stay_apart(tmp_path):
    """Where the next row would have had room, somebody ended the page; and so where columns differ."""
    ended = drawn(tmp_path / "ended.pdf", _page(300, [HEAD, *ROWS]), _page(60, [HEAD, *ROWS]))
    other = drawn(tmp_path / "other.pdf", _page(740, [HEAD, *ROWS]), _page(60, [HEAD, *ROWS], (120, 400)))
    for path in (ended, other):
        assert len(tables(word(path))) == 2


def test_a_list_in_a_cell_is_words_own(tmp_path):
    """A mark alone stands for no value, and a form's numbers are its own."""
    flat, upright, texts = _page(100, [["Photo", "1. Sex"], ["", "2. Age"], ["-", "- none"]], (300,))
    flat = [each for each in flat if each[1] != 120] + [(300, 120, 500)]
    path = drawn(tmp_path / "list.pdf", (flat, upright, [*texts, (60, 125, "- recent"), (60, 137, "- in colour")]))
    document = docx.Document(str(word(path)))
    cells = [cell for row in document.tables[0].rows for cell in row.cells]
    listed = [text.text for cell in cells for text in cell.paragraphs if text._p.pPr.numPr is not None]
    assert listed == ["recent", "in colour"] * 2  # the cell of two rows is told twice
    assert {"-", "- none", "1. Sex", "2. Age"} <= {cell.text for cell in cells}
    fields = (flat, upright, [*texts, (60, 117, "- recent"), (60, 129, "Yes"), (60, 141, "- in colour")])
    document = docx.Document(str(word(drawn(tmp_path / "fields.pdf", fields))))
    assert "- recent" in document.element.body.xpath("string()")


def test_a_text_that_fills_its_cell_has_room_for_its_line(tmp_path):
    """Word leaves less at the cell's sides than it does as a rule, and more than the text takes."""
    wide = import_pymupdf().get_text_length("115402.63", fontsize=10)
    flat, upright = [(50, y, 450) for y in (100, 120, 140)], [(x, 100, 140) for x in (50, 300, 303 + wide, 450)]
    texts = [(54, 114, "Sum"), (54, 134, "Rest"), (301, 114, "115402.63"), (301, 134, "115402.64"), (360, 114, "ok")]
    document = docx.Document(str(word(drawn(tmp_path / "full.pdf", (flat, upright, texts)))))
    (cell,) = (each for each in document.tables[0]._cells if each.text == "115402.63")
    near, far = (int(each.get(qn("w:w"))) / 20 for each in cell._tc.tcPr.find(qn("w:tcMar")))
    assert near == pytest.approx(1, abs=0.3)
    assert wide <= cell.width.pt - near - far
    assert document.tables[0]._cells[0]._tc.tcPr.find(qn("w:tcMar")).find(qn("w:right")).get(qn("w:w")) == "108"


def test_a_box_drawn_from_the_right_is_no_rule(tmp_path):
    """Of a rectangle of negative width the four edges are rules, not a line through its middle."""
    with import_pymupdf().open(drawn(tmp_path / "box.pdf", ((), (), [(50, 50, "A")]))) as document:
        page = document[0]
        document.update_stream(page.get_contents()[0], b"95 724 -44 14 re S")
        assert {rule[:2] for rule in sheet_of(page, tmp_path).rules} == {(51, 104), (51, 118), (95, 104)}
