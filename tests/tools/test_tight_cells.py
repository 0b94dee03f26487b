"""PDF to Word and PPT, tables whose cells are full to their edges: no line breaks where it did not, nothing is cut."""

from pathlib import Path

import docx
import pymupdf
import pytest

from tests.running import run_tool

SIZE, TOP, HIGH, ROWS = 8.4, 100, 12.5, 12
#: A cell's text, and how far it stands from the cell's left edge and ends before its right one.
CELLS = [
    ("Matthew C. & Elizab", 1.6, -0.4),  # its cell cuts off what follows
    ("Teacher/Union Preside", 1.6, 0.0),
    ("10/12/2012", 4.0, 0.9),
    ("MN", 6.9, 1.3),
    ("      100.00", 0.4, 3.3),
]


def full(path: Path) -> Path:
    """A ruled table, its rows alike."""
    with pymupdf.open() as pdf:
        page, left, low = pdf.new_page(width=595, height=842), 60.0, TOP + ROWS * HIGH
        for text, before, after in CELLS:
            for row in range(ROWS):
                page.insert_text((left + before, TOP + HIGH * row + 9.5), text, fontsize=SIZE)
            page.draw_line((left, TOP), (left, low), width=0.6)
            left += before + pymupdf.get_text_length(text, fontsize=SIZE) + after
        page.draw_line((left, TOP), (left, low), width=0.6)
        for row in range(ROWS + 1):
            page.draw_line((60, TOP + HIGH * row), (left, TOP + HIGH * row), width=0.6)
        pdf.save(path)
    return path


@pytest.mark.started
@pytest.mark.parametrize(("tool", "back"), [("pdf_to_word", "word_to_pdf"), ("pdf_to_ppt", "ppt_to_pdf")])
def test_lines_that_fill_their_cells_stay_lines(tmp_path: Path, office_engine: object, tool: str, back: str) -> None:
    made = run_tool(tool, tmp_path / "made", [full(tmp_path / "a.pdf")]).path
    (drawn,) = run_tool(back, tmp_path / "back", [made]).outputs
    with pymupdf.open(drawn.path) as pdf:
        (page,) = pdf
        words = page.get_text("words")
        ends = {text: {round(each[3] - TOP) for each in words if each[4] == text.split()[-1]} for text, *_ in CELLS}
        tops = {text: {round(each[3] - TOP) for each in words if each[4] == text.split()[0]} for text, *_ in CELLS}
    assert {text: len(found) for text, found in ends.items()} == {text: ROWS for text, *_ in CELLS}
    assert ends == tops


def test_blanks_before_a_text_that_is_set_from_the_right_are_none_of_it(tmp_path: Path) -> None:
    made = docx.Document(str(run_tool("pdf_to_word", tmp_path / "made", [full(tmp_path / "a.pdf")]).path))
    (table,) = made.tables
    assert {row.cells[-1].text for row in table.rows} == {"100.00"}
