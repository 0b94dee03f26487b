"""Sheets of a workbook are read as they open: columns and rows have room for what stands in them, heads are seen."""

from pathlib import Path

import openpyxl

from cluster.engines.export.workbook import Workbook
from cluster.engines.layout.model import Cell, Paragraph, Span, Style, Table, TextLine

COLUMNS = [0.0, 40.0, 80.0, 120.0]


def cell(row: int, column: int, *lines: str, columns: int = 1, fill: int | None = None) -> Cell:
    left, right = COLUMNS[column], COLUMNS[column + columns]
    texts = [
        TextLine(
            (left, 20.0 * row + 8 * at, right, 20.0 * row + 8 * at + 8),
            20.0 * row + 8 * at + 7,
            (Span(text, Style("", 7.0)),),
        )
        for at, text in enumerate(lines)
    ]
    blocks = (Paragraph(texts, 0),) if texts else ()
    return Cell(row, column, 1, columns, (left, 20.0 * row, right, 20.0 * row + 20), blocks, fill)


def written(path: Path, *cells: Cell) -> openpyxl.worksheet.worksheet.Worksheet:
    rows = max(each.row + each.rows for each in cells)
    book = Workbook()
    book.sheet("表").add(Table(COLUMNS, [20.0 * at for at in range(rows + 1)], list(cells), 0, ruled=True))
    book.save(path)
    return openpyxl.load_workbook(path).active


def test_columns_are_as_wide_as_their_texts_up_to_a_bound(tmp_path: Path) -> None:
    """A date in small letters had no room in Excel's larger ones; 汉字 are twice as wide."""
    long = "words that go on and on, far beyond any column's usual room"
    sheet = written(tmp_path / "a.xlsx", cell(0, 0, "10/12/2012"), cell(0, 1, "统计上大中小微型企业"), cell(0, 2, long))
    assert 10 < sheet.column_dimensions["A"].width < 13
    assert 20 < sheet.column_dimensions["B"].width < 23
    assert sheet.column_dimensions["C"].width == 30


def test_a_text_of_several_lines_wraps_and_its_row_has_room(tmp_path: Path) -> None:
    sheet = written(
        tmp_path / "a.xlsx",
        cell(0, 0, "Persons", "directly reached", "(in lakh)"),
        cell(0, 1, "one line"),
        cell(1, 0, "A title over the whole table,", "of two lines, each as wide as the three columns", columns=3),
        cell(2, 0, "plain"),
    )
    assert sheet["A1"].alignment.wrap_text and not sheet["B1"].alignment.wrap_text
    assert sheet.row_dimensions[1].height >= 30 and sheet.row_dimensions[2].height >= 30
    assert sheet.row_dimensions[3].height is None


def test_letters_on_a_dark_ground_are_white(tmp_path: Path) -> None:
    sheet = written(tmp_path / "a.xlsx", cell(0, 0, "navy", fill=0x141D4A), cell(0, 1, "pale", fill=0xD1EBF0))
    assert [each.fill.fgColor.rgb[-6:] for each in (sheet["A1"], sheet["B1"])] == ["141D4A", "D1EBF0"]
    assert str(sheet["A1"].font.color.rgb).endswith("FFFFFF")
    assert sheet["B1"].font.color is None or not str(sheet["B1"].font.color.rgb).endswith("FFFFFF")
