"""Tables whose heads run upwards or downwards, and whose rows have their names left of the rules."""

from pathlib import Path

import docx
import openpyxl
import pymupdf
import pytest
from docx.oxml.ns import qn

from tests import look
from tests.running import run_tool

HEADS = [("Registered voters", 90), ("Two lines\nof a name", 90), ("Downwards", 270)]
NAMES = ["Alcona", "Caledonia", "Greenbush", "City Harrisville"]
LEFT, TOP, WIDE, HIGH, ROW = 150.0, 100.0, 40.0, 110.0, 20.0


def drawn(path: Path, names: list[str], step: float = ROW, out: tuple[int, ...] = ()) -> Path:
    """A grid of a high row of heads and rows of numbers; the `names` stand left of it, `step` points apart.

    The rules above the rows in `out` reach to the left beyond the names.
    """
    with pymupdf.open() as pdf:
        page = pdf.new_page(width=595, height=842)
        right, low = LEFT + WIDE * len(HEADS), TOP + HIGH + ROW * len(NAMES)
        for at, (head, turn) in enumerate(HEADS):
            for number, part in enumerate(head.split("\n")):
                x = LEFT + WIDE * at + 16 + 12 * number
                page.insert_text((x, TOP + HIGH - 6 if turn == 90 else TOP + 6), part, fontsize=9, rotate=turn)
            for row in range(len(NAMES)):
                page.insert_text((LEFT + WIDE * at + 12, TOP + HIGH + ROW * row + 13), str(100 * row + at), fontsize=9)
        for at in range(len(HEADS) + 1):
            page.draw_line((LEFT + WIDE * at, TOP), (LEFT + WIDE * at, low), width=0.6)
        for at in [TOP, *(TOP + HIGH + ROW * row for row in range(len(NAMES) + 1))]:
            page.draw_line((LEFT, at), (right, at), width=0.6)
        for row in out:
            page.draw_line((68, TOP + HIGH + ROW * row), (right, TOP + HIGH + ROW * row), width=0.6)
        for at, name in enumerate(names):
            page.insert_text((72, TOP + HIGH + step * at + 13), name, fontsize=9)
        pdf.save(path)
    return path


def test_heads_that_run_upwards_do_so_in_word(tmp_path: Path) -> None:
    made = run_tool("pdf_to_word", tmp_path / "made", [drawn(tmp_path / "a.pdf", NAMES)]).path
    (table,) = docx.Document(str(made)).tables
    head, *rows = table.rows
    assert [cell.text for cell in head.cells] == ["", "Registered voters", "Two lines\nof a name", "Downwards"]
    ways = [cell._tc.tcPr.find(qn("w:textDirection")) for cell in head.cells]
    assert [None if way is None else way.get(qn("w:val")) for way in ways] == [None, "btLr", "btLr", "tbRl"]
    assert [[cell.text for cell in row.cells] for row in rows] == [
        [name, *(str(100 * row + at) for at in range(3))] for row, name in enumerate(NAMES)
    ]
    assert docx.Document(str(made)).paragraphs[0].text == "", "no name stands alone"


def test_a_name_between_rules_that_reach_out_is_that_of_the_rows_between_them(tmp_path: Path) -> None:
    path = drawn(tmp_path / "a.pdf", ["the year 1991", "the year 1996"], 2 * ROW, (0, 2, 4))
    (table,) = docx.Document(str(run_tool("pdf_to_word", tmp_path / "made", [path]).path)).tables
    assert [row.cells[0].text for row in table.rows] == ["", *["the year 1991"] * 2, *["the year 1996"] * 2]
    assert table.cell(1, 0)._tc is table.cell(2, 0)._tc


@pytest.mark.started
def test_they_do_so_on_its_page(tmp_path: Path, office_engine: object) -> None:
    made = run_tool("pdf_to_word", tmp_path / "made", [drawn(tmp_path / "a.pdf", NAMES)]).path
    (drawn_again,) = run_tool("word_to_pdf", tmp_path / "back", [made]).outputs
    assert look.page_count(drawn_again.path) == 1
    with pymupdf.open(drawn_again.path) as pdf:
        lines = [line for block in pdf[0].get_text("dict")["blocks"] for line in block.get("lines", ())]
    ways = {"".join(span["text"] for span in line["spans"]).strip(): line["dir"] for line in lines}
    assert ways["Registered voters"] == (0.0, -1.0) and ways["Downwards"] == (0.0, 1.0) and ways["Alcona"] == (1.0, 0.0)


@pytest.mark.parametrize(("tool", "options"), [("pdf_to_excel", {}), ("pdf_table", {"output": "xlsx"})])
def test_a_sheet_has_the_heads_as_they_run_and_the_names_of_its_rows(
    tmp_path: Path, tool: str, options: dict[str, str]
) -> None:
    made = run_tool(tool, tmp_path / "made", [drawn(tmp_path / "a.pdf", NAMES)], **options).path
    sheet = openpyxl.load_workbook(made).worksheets[0]
    found = next(cell for row in sheet.iter_rows() for cell in row if cell.value == "Registered voters")
    beside = [sheet.cell(found.row, found.column + at) for at in range(3)]
    assert [cell.alignment.textRotation for cell in beside] == [90, 90, 180]
    assert sheet.row_dimensions[found.row].height > 60
    assert [sheet.cell(found.row + at, found.column - 1).value for at in range(1, 5)] == NAMES
    assert max(each.width for each in sheet.column_dimensions.values()) < 20


@pytest.mark.parametrize(
    ("names", "step"),
    [
        (["Text that stands", "beside the table", "in lines of its", "own is no name", "of any of its rows"], 14.0),
        (["Text with lines", "that are nearly", "as its rows are", "in their places", "but are not so"], 17.0),
        (NAMES[:1], ROW),
        (["Words that go on up to the"] * 4, ROW),
    ],
    ids=["another pitch", "nearly the pitch", "one alone", "long lines"],
)
def test_other_text_beside_a_table_is_none_of_it(tmp_path: Path, names: list[str], step: float) -> None:
    made = run_tool("pdf_to_word", tmp_path / "made", [drawn(tmp_path / "a.pdf", names, step)]).path
    (table,) = docx.Document(str(made)).tables
    assert len(table.columns) == 3
