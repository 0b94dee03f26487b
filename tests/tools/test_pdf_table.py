"""PDF table recognition: every output, scans with their doubts, and documents without tables."""

import csv
import io
import json
from pathlib import Path

import lxml.html
import openpyxl
import pytest

from cluster.engines.pdf.libraries import import_pymupdf
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


def test_html_has_spans_and_nothing_that_runs(tmp_path):
    told = found(tmp_path, make_reading.report(tmp_path / "a.pdf"), output="html", language="en")
    (text,) = (each.path.read_text() for each in told.results)
    page = lxml.html.document_fromstring(text)
    tables = page.findall(".//table")
    ruled = [[each.text_content() for each in row] for row in tables[0].iter("tr")]
    assert [each.get("class") for each in tables] == ["ruled", None] and page.get("lang") == "en"
    assert ruled[2] == ["生产一部", "1,204", "3", "85.5%"]
    spans = [
        (each.get("rowspan"), each.get("colspan")) for each in tables[0].iter("td") if each.text_content() == "问题"
    ]
    assert spans == [(None, "2")]


def test_what_looks_like_html_stays_text(tmp_path):
    ran = found(tmp_path, placed(tmp_path / "a.pdf", TAGS), output="html")
    text = ran.path.read_text()
    cells = [each.text_content() for each in lxml.html.document_fromstring(text).iter("td")]
    assert "<script>" not in text and "<script>x</script>" in cells


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


def placed(path: Path, rows: list[tuple[float, list[tuple[float, str]]]]) -> Path:
    """Texts at heights: numbers by where they end, words by where they begin, or by their middle (below 0)."""
    pymupdf = import_pymupdf()
    with pymupdf.open() as document:
        page, font = document.new_page(), pymupdf.Font("helv")
        for y, texts in rows:
            for x, text in texts:
                wide = font.text_length(text, 10)
                left = -x - wide / 2 if x < 0 else x - wide if text[-1].isdigit() else x
                page.insert_text((left, y), text, fontsize=10, fontname="helv")
        document.save(path)
    return path


ENDS = (230, 300, 370, 440)
VALUES = [["1,250", "7", "12", "3"], ["88", "1,031", "5", "29"], ["7", "64", "1,100", "458"], ["12", "9", "0.5", "81"]]


TAGS = [(y, [(72.0, "<script>x</script>"), (300.0, "12"), (400.0, "7")]) for y in (100.0, 120.0, 140.0, 160.0)]


def test_cells_of_several_lines_and_heads_over_columns_without_rules(tmp_path):
    """What stands in the middle of a cell of two lines, or of two rows of heads, is no row of its own."""
    heads = [(100.0, [(-230.0, "Income"), (-370.0, "Costs")]), (109.0, [(72.0, "Region")])]
    below = [(118.0, [(x - 22.0, text) for x, text in zip(ENDS, ("net", "all", "pay", "rent"), strict=True)])]
    first = [(140.0, [(72.0, "east and")]), (152.0, [(72.0, "south east")])]
    values = [(y, [*zip(ENDS, row, strict=True)]) for y, row in zip((146.0, 176.0, 200.0, 224.0), VALUES, strict=True)]
    words = [(176.0, [(72.0, "west")]), (200.0, [(72.0, "north")]), (224.0, [(72.0, "all")])]
    file = placed(tmp_path / "a.pdf", [*heads, *below, *first, *values, *words])
    ran = found(tmp_path, file, output="json")
    (table,) = json.loads(ran.path.read_text())["tables"]
    spans = {cell["text"]: (cell["rows"], cell["columns"]) for cell in table["cells"] if cell["text"]}
    assert {text: spans[text] for text in ("Region", "Income", "Costs", "east and south east")} == {
        "Region": (2, 1),
        "Income": (1, 2),
        "Costs": (1, 2),
        "east and south east": (1, 1),
    }
    rows = [[cell["text"] for cell in table["cells"] if cell["row"] == row][1:] for row in range(2, 6)]
    assert rows == VALUES


def test_heads_at_the_left_of_numbers_at_the_right_part_as_they_do(tmp_path):
    """Each reaches over the middle of the white between the numbers below."""
    heads = [(100.0, [(x, f"quantity {mark}") for x, mark in zip((72, 165, 245, 310, 385), "abcde", strict=True)])]
    values = [
        (y, [(72.0, "east"), *zip((240, 305, 380, 450), row, strict=True)])
        for y, row in zip((118, 136, 154, 172), VALUES, strict=True)
    ]
    ran = found(tmp_path, placed(tmp_path / "a.pdf", [*heads, *values]), output="csv")
    read = list(csv.reader(io.StringIO(ran.path.read_text("utf-8-sig"))))
    assert read == [[f"quantity {mark}" for mark in "abcde"], *(["east", *row] for row in VALUES)]


def barred(path: Path, *, table: bool) -> Path:
    """A chart of four bars in a grid of lines, with numbers at its axis and on its bars, and a table below it."""
    with import_pymupdf().open() as document:
        page = document.new_page()
        for at in range(5):
            page.draw_line((100, 300 - 40 * at), (420, 300 - 40 * at))
            page.insert_text((76, 303 - 40 * at), str(20 * at), fontsize=9)
            page.draw_line((100 + 80 * at, 140), (100 + 80 * at, 300))
        for at, high in enumerate((120, 60, 90, 30)):
            left = 110 + 80 * at
            page.draw_rect((left, 300 - high, left + 50, 300), color=None, fill=(0.2, 0.4, 0.8))
            page.insert_text((left + 15, 296 - high), str(high // 2), fontsize=9)
            page.insert_text((left + 15, 312), f"Q{at + 1}", fontsize=9)
        for at in range(4 if table else 0):
            page.draw_line((100, 400 + 20 * at), (400, 400 + 20 * at))
            page.draw_line((100 + 100 * at, 400), (100 + 100 * at, 460))
            for row in range(3 if at < 3 else 0):
                page.insert_text((105 + 100 * at, 414 + 20 * row), f"{row}{at}")
        document.save(path)
    return path


def test_a_chart_is_no_table(tmp_path):
    told = found(tmp_path, barred(tmp_path / "a.pdf", table=True), output="json")
    (table,) = json.loads(told.path.read_text())["tables"]
    assert [cell["text"] for cell in table["cells"]] == [f"{row}{at}" for row in range(3) for at in range(3)]


def test_a_chart_alone_comes_as_lines(tmp_path):
    ran = run_tool("pdf_to_excel", tmp_path / "ran", [barred(tmp_path / "a.pdf", table=False)])
    texts = [cell.value for row in openpyxl.load_workbook(ran.path).worksheets[0].iter_rows() for cell in row]
    assert ran.noted("no_table_lines") is not None and {"Q1", "Q4"} <= {
        word for each in texts if each for word in str(each).split()
    }


def test_a_frame_round_columns_of_a_table_parts_none_of_them(tmp_path):
    """What is ruled under its sections alone, in a frame that has room beside it, is told by what is aligned."""
    path = tmp_path / "a.pdf"
    with import_pymupdf().open() as document:
        page = document.new_page()
        page.draw_rect((60, 90, 540, 290))
        page.draw_line((400, 90), (400, 290))
        page.draw_line((60, 190), (400, 190))
        for row in range(10):
            for at, text in enumerate((f"Item {row}", f"{row}.50", f"{row}.75")):
                page.insert_text((70 + 110 * at, 106 + 20 * row), text)
        document.save(path)
    (table,) = json.loads(found(tmp_path, path, output="json").path.read_text())["tables"]
    assert (table["rows"], table["columns"]) == (10, 3)
    assert [cell["text"] for cell in table["cells"]][3:6] == ["Item 1", "1.50", "1.75"]


def test_two_rules_beside_each_other_part_no_column(tmp_path):
    path = tmp_path / "a.pdf"
    with import_pymupdf().open() as document:
        page = document.new_page()
        for row in range(4):
            page.draw_line((100, 100 + 20 * row), (400, 100 + 20 * row))
            for at, left in enumerate((105, 210, 310) if row < 3 else ()):
                page.insert_text((left, 114 + 20 * row), f"{row}{at}")
        for at in (100, 200, 300, 400):
            page.draw_line((at, 100), (at, 160))
        page.draw_line((295, 100), (295, 120))  # beside the head alone
        document.save(path)
    (table,) = json.loads(found(tmp_path, path, output="json").path.read_text())["tables"]
    assert (table["columns"], table["widths"]) == (3, [100.0, 100.0, 100.0])
    assert [(cell["text"], cell["columns"]) for cell in table["cells"]][:4] == [
        ("00", 1),
        ("01", 1),
        ("02", 1),
        ("10", 1),
    ]


def test_headings_under_each_other_are_no_table(tmp_path):
    path = tmp_path / "a.pdf"
    with import_pymupdf().open() as document:
        page = document.new_page()
        heads = (
            ("4", 72, "Strategies and results", 16),
            ("4.1", 72, "Who is affected", 13),
            ("4.1.1", 72, "A model", 11),
        )
        for row, (number, left, text, size) in enumerate(heads):
            page.insert_text((left, 120 + 26 * row), number, fontsize=size)
            page.insert_text((left + 44, 120 + 26 * row), text, fontsize=size)
        document.save(path)
    ran = run_tool("pdf_table", tmp_path / "ran", [path])
    assert ran.problem and ran.problem.reason == "no_table_found"
