"""PDF to Excel: sheets, values and their formats, tables across pages, and what is no table."""

import itertools
from datetime import date, datetime
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from cluster.engines.export.values import harmless, value_of
from tests import make, make_reading
from tests.running import Ran, run_tool


def workbook(folder: Path, file: Path, **options: object) -> tuple[Any, Ran]:
    ran = run_tool("pdf_to_excel", folder / "ran", [file], **options)
    assert ran.problem is None, ran.problem
    return openpyxl.load_workbook(ran.path), ran


def rows(sheet: Any) -> list[list[Any]]:
    return [[cell.value for cell in row] for row in sheet.iter_rows()]


def test_each_table_has_a_sheet_with_its_merged_cells(tmp_path):
    book, ran = workbook(tmp_path, make_reading.report(tmp_path / "a.pdf"))
    assert book.sheetnames == ["表1（第1页）", "表2（第2页）"]
    ruled, aligned = book.worksheets
    assert {str(each) for each in ruled.merged_cells.ranges} == {"A1:A2", "B1:C1", "D1:D2"}
    assert rows(ruled)[2:] == [["生产一部", 1204, 3, 0.855], ["生产二部", "007", 0, 1]]
    assert [cell.number_format for cell in ruled[3]] == ["General", "#,##0", "0", "0.0%"]
    assert rows(aligned)[1] == ["Paper cranes", 1250, 3.5, datetime(2026, 1, 31)]
    assert rows(aligned)[3] == ["Glue", -15, 7.25, datetime(2026, 3, 15)]
    assert aligned["A5"].value == "=SUM(A1)" and aligned["A5"].data_type == "s" and aligned["B5"].value == "0042"
    assert ran.noted("tables_found") == {"count": 2} and ran.noted("numbers_made")


def test_a_table_over_pages_is_one_with_one_header(tmp_path):
    path = make_reading.long_table(tmp_path / "a.pdf")
    book, ran = workbook(tmp_path, path)
    (sheet,) = book.worksheets
    assert rows(sheet)[:2] == [["Name", "Amount", "Share"], ["No 1", 1000, 0.01]]
    assert sheet.max_row == 91 and rows(sheet)[-1] == ["No 90", 90000, 0.9]
    assert ran.noted("tables_joined") == {"count": 1} and ran.noted("headers_dropped") == {"count": 2}
    book, _ = workbook(tmp_path / "page", path, sheets="page")
    assert [sheet.max_row for sheet in book.worksheets] == [31, 31, 31]
    book, _ = workbook(tmp_path / "one", path, sheets="one", join=False, numbers=False)
    (sheet,) = book.worksheets
    assert sheet.max_row == 95 and sheet["B2"].value == "1,000"


def test_without_a_table_the_text_comes_line_by_line(tmp_path):
    book, ran = workbook(tmp_path, make.text(tmp_path / "a.pdf", 2))
    assert "Page 1" in str(rows(book.worksheets[0])) and ran.noted("no_table_lines") == {}


@pytest.mark.parametrize(
    ("text", "value", "form"),
    [
        ("1,234.50", 1234.5, "#,##0.00"),
        ("-12", -12, "0"),
        ("(1,234)", -1234, "#,##0;(#,##0)"),
        ("12.5%", 0.125, "0.0%"),
        ("¥1,200.00", 1200, '"¥"#,##0.00'),
        ("300元", 300, '0"元"'),
        ("2026年3月5日", date(2026, 3, 5), 'yyyy"年"m"月"d"日"'),
        ("2026-02-30", "2026-02-30", ""),
        ("007", "007", ""),
        ("0.5", 0.5, "0.0"),
        ("110101199003070000", "110101199003070000", ""),
        ("1,23", "1,23", ""),
        ("=1+1", "=1+1", ""),
        ("1.2.3", "1.2.3", ""),
    ],
)
def test_values(text, value, form):
    found = value_of(text)
    assert (found.value, found.form) == (value, form)


def test_plain_files_hold_no_formula():
    assert [harmless(text) for text in ("=A1", "+cmd", "@x", "-5", "- item", "text")] == [
        "'=A1", "'+cmd", "'@x", "-5", "'- item", "text",
    ]  # fmt: skip


def test_numbers_in_every_dress_come_back_as_they_were_written():
    """Whatever money, thousands, brackets, signs and per cent a figure wears, its value and its digits stay."""
    figures = [
        (f"{whole:,}" if marks else str(whole), whole) for whole in (0, 7, 999, 1000, 1234567) for marks in (0, 1)
    ]
    for (text, whole), part, money in itertools.product(figures, ("", "0", "05", "250"), ("", "$", "¥", "€")):
        plain = f"{money}{text}.{part}" if part else f"{money}{text}"
        amount = float(f"{whole}.{part}") if part else whole
        dressed = {plain: amount, f"-{plain}": -amount, f"({plain})": -amount, f"{plain}%": amount / 100}
        for written, value in dressed.items():
            found = value_of(written)
            assert found.value == pytest.approx(value), written
            assert (
                found.form.count("0.") == found.form.count(f"0.{'0' * len(part)}") if part else "0." not in found.form
            )
            assert harmless(written) == written
            assert value_of(f"={written}").form == "" and harmless(f"={written}").startswith("'")
