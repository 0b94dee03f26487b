"""Corrected tables come back: every tool of tables writes them anew by its own writers, and reads nothing."""

import csv
import json
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from cluster.engines.export.values import number_of
from cluster.engines.pdf import open as opening
from tests import make_reading
from tests.running import Ran, run_tool

KEY = "uploads/x/y/data.json"


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_reading.report(tmp_path_factory.mktemp("report") / "报告.pdf")


@pytest.fixture(scope="module")
def data(report: Path) -> str:
    """What was read of the report, as JSON."""
    return run_tool("pdf_table", report.parent / "ran", [report]).outputs[-1].path.read_text()


def corrected(tool: str, folder: Path, files: list[Path], *data: Any, **options: object) -> Ran:
    """A run that is given this data, one piece for each file."""
    extras = {}
    for number, each in enumerate(data):
        path = folder / f"{number}.json"
        path.write_text(each if isinstance(each, str) else json.dumps(each), encoding="utf-8")
        extras[f"{KEY}{number}"] = path
    return run_tool(tool, folder / "again", files, extras=extras, corrected=list(extras), **options)


def cell_of(table: dict[str, Any], text: str) -> dict[str, Any]:
    found: dict[str, Any] = next(cell for cell in table["cells"] if cell["text"] == text)
    return found


def amended(data: str) -> dict[str, Any]:
    """A cell's text, one that stays text, one that is a number, and a heading that goes over all columns."""
    told: dict[str, Any] = json.loads(data)
    first = told["tables"][0]
    cell_of(first, "1,204")["text"] = "1,205"
    cell_of(first, "85.5%").update(kind="text")
    cell_of(first, "007").update(kind="number")
    first["rows"] += 1
    first["cells"].append({"row": 4, "column": 0, "rows": 1, "columns": 4, "text": "合计\n两个部门", "bold": True})
    del told["tables"][1]
    return told


@pytest.mark.parametrize("tool", ["pdf_table", "pdf_to_excel", "image_table"])
def test_corrections_are_in_the_workbook_and_nothing_is_read(
    tmp_path: Path, report: Path, data: str, tool: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = report if tool != "image_table" else make_reading.table_picture(tmp_path / "a.png")
    monkeypatch.setattr(opening, "open_pymupdf", None)
    ran = corrected(tool, tmp_path, [file], amended(data))
    (sheet,) = openpyxl.load_workbook(ran.path).worksheets
    rows = [[cell.value for cell in row] for row in sheet.iter_rows(min_row=3)]
    assert rows == [["生产一部", 1205, 3, "85.5%"], ["生产二部", 7, 0, 1], ["合计\n两个部门", None, None, None]]
    assert {str(each) for each in sheet.merged_cells.ranges} == {"A1:A2", "B1:C1", "D1:D2", "A5:D5"}
    assert sheet["A5"].font.bold and ran.noted("corrected") == {} and ran.noted("tables_found") == {"count": 1}
    again = json.loads(ran.outputs[-1].path.read_text())
    assert cell_of(again["tables"][0], "007")["kind"] == "number" and again["sheets"][0]["page"] == 1


def test_each_file_of_a_batch_has_its_own_and_other_formats_too(tmp_path: Path, report: Path, data: str) -> None:
    told = amended(data)
    twin = json.loads(json.dumps(told))
    cell_of(twin["tables"][0], "1,205")["text"] = "=1+1"
    ran = corrected("pdf_table", tmp_path, [report, report], told, twin, output="csv")
    rows = [list(csv.reader(each.path.read_text("utf-8-sig").splitlines())) for each in ran.results]
    assert [each[2][1] for each in rows] == ["1,205", "'=1+1"]


def test_pages_count_in_the_document_and_cells_of_joined_tables_know_theirs(tmp_path: Path) -> None:
    path = make_reading.long_table(tmp_path / "a.pdf")
    ran = run_tool("pdf_to_excel", tmp_path / "ran", [path], pages="2-3")
    assert openpyxl.load_workbook(ran.path).sheetnames == ["表1（第2页）"]
    told = json.loads(ran.outputs[-1].path.read_text())
    (table,) = told["tables"]
    assert table["pages"] == [2, 3] == [each["page"] for each in told["sheets"]]
    pages = [cell["page"] for cell in sorted(table["cells"], key=lambda cell: cell["row"]) if cell["column"] == 0]
    assert pages == [2] * 31 + [3] * 30
    again = json.loads(corrected("pdf_to_excel", tmp_path, [path], told).outputs[-1].path.read_text())
    assert again == told


@pytest.mark.parametrize(
    "change",
    [
        "no JSON",
        '{"tables": []}',
        {"rows": 2},
        {"columns": 20_000},
        {"rows": 900_000, "columns": 16_000},
        {"pages": []},
        {"cells": [{"row": 0, "column": 0, "columns": 2}, {"row": 0, "column": 1}]},
        {"cells": [{"row": 0, "column": 0, "box": [0, 0, 1e300, 1]}]},
        {"cells": [{"row": 0, "column": 0, "kind": "formula"}]},
    ],
)
def test_data_of_something_else_is_refused(tmp_path: Path, report: Path, data: str, change: Any) -> None:
    told = json.loads(data)
    if isinstance(change, dict):
        told["tables"][0] |= change
    problem = corrected("pdf_table", tmp_path, [report], change if isinstance(change, str) else told).problem
    assert problem and problem.reason == "correction_unfit" and "报告.pdf" in problem.text("zh")


def test_a_file_without_its_data_is_refused(tmp_path: Path, report: Path, data: str) -> None:
    ran = corrected("pdf_table", tmp_path, [report, report], data)
    assert ran.problem and ran.problem.reason == "correction_unfit" and len(ran.outputs) == 2


@pytest.mark.parametrize(
    ("text", "value"),
    [("007", 7), ("-007.50", -7.5), ("1,007", 1007), ("0.5", 0.5), ("00", 0), ("abc", "abc"), ("", "")],
)
def test_what_somebody_calls_a_number(text: str, value: object) -> None:
    assert number_of(text).value == value
