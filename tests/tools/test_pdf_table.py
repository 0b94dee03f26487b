"""PDF table recognition: every output, scans with their doubts, and documents without tables."""

import csv
import io
import json
from pathlib import Path

import openpyxl
import pytest

from tests import make, make_reading
from tests.running import Ran, run_tool


def found(folder: Path, file: Path, **options: object) -> Ran:
    ran = run_tool("pdf_table", folder / "ran", [file], **options)
    assert ran.problem is None, ran.problem
    return ran


def test_csv_is_a_file_a_table_that_excel_reads(tmp_path):
    ran = found(tmp_path, make_reading.report(tmp_path / "报告.pdf"), output="csv")
    assert [each.name for each in ran.results] == ["报告_表格_1.csv", "报告_表格_2.csv"]
    texts = [each.path.read_bytes().decode("utf-8-sig") for each in ran.results]
    assert ran.outputs[0].path.read_bytes().startswith(b"\xef\xbb\xbf")
    assert list(csv.reader(io.StringIO(texts[0])))[2] == ["生产一部", "1,204", "3", "85.5%"]
    assert list(csv.reader(io.StringIO(texts[1])))[4][0] == "'=SUM(A1)"


def test_json_has_places_and_spans_and_markdown_rows(tmp_path):
    path = make_reading.report(tmp_path / "a.pdf")
    data = json.loads(found(tmp_path, path, output="json").path.read_text())
    ruled = data["tables"][0]
    assert (ruled["pages"], ruled["rows"], ruled["columns"], ruled["ruled"]) == ([1], 4, 4, True)
    head = next(cell for cell in ruled["cells"] if cell["text"] == "问题")
    assert (head["row"], head["column"], head["rows"], head["columns"], head["score"]) == (0, 1, 1, 2, 1.0)
    left, top, right, bottom = head["box"]
    assert right - left == pytest.approx(220, abs=2) and bottom - top == pytest.approx(22, abs=2)
    text = found(tmp_path / "md", path, output="md").path.read_text()
    assert "| 生产一部 | 1,204 | 3 | 85.5% |" in text and text.count("\n| --- |") == 2


def test_rules_part_what_stands_close(tmp_path):
    ran = found(tmp_path, make_reading.tight_table(tmp_path / "a.pdf"), output="md")
    assert "| AB12 | Leeds | 1204 |" in ran.path.read_text()


def test_no_table_is_told(tmp_path):
    ran = run_tool("pdf_table", tmp_path, [make.text(tmp_path / "a.pdf", 2)])
    assert ran.problem and ran.problem.reason == "no_table_found" and "a.pdf" in ran.problem.text("zh")


@pytest.mark.started
def test_a_scanned_table_is_read(tmp_path, ocr_engine):
    ran = found(tmp_path, make_reading.scanned_table(tmp_path / "scan.pdf"))
    (sheet,) = openpyxl.load_workbook(ran.path).worksheets
    assert [[cell.value for cell in row] for row in sheet.iter_rows()] == [
        ["单位", "问题数", "整改率"],
        ["生产一部", 1204, 0.85],
        ["生产二部", 836, 0.97],
    ]
    assert ran.noted("pages_scanned") == {"count": 1, "detail": "1"}
