"""What was read is corrected in the page, by keys and by finger, and found in what is downloaded."""

import re
from datetime import datetime
from pathlib import Path
from typing import Any

import docx
import openpyxl
from PIL import Image
from playwright.sync_api import expect

from tests import make_reading
from tests.site.conftest import DESKTOP_ONLY, PHONE_ONLY, Visitor

#: Letters that are read as figures, with little certainty.
ROWS = [["单位", "编号", "整改率"], ["生产一部", "O0lI1", "85%"], ["生产二部", "836", "97%"]]


def picture(path: Path) -> Path:
    make_reading.draw_table(Image.new("L", (980, 320), 255), ROWS, (40, 40)).save(path)
    return path


def saved(visitor: Visitor, folder: Path) -> Any:
    (sheet,) = openpyxl.load_workbook(visitor.save(folder)).worksheets
    return sheet


def values(sheet: Any) -> list[list[Any]]:
    return [[cell.value for cell in row] for row in sheet.iter_rows()]


@DESKTOP_ONLY
def test_keys_of_a_spreadsheet_correct_a_table(visitor: Visitor, tmp_path: Path) -> None:
    visitor.open("/ImageTable")
    visitor.drop(picture(tmp_path / "表.png"))
    visitor.finish()
    grid, field, text = visitor.see("table-grid"), visitor.see("table-field"), visitor.see("cell-text")
    expect(visitor.see("doubts")).to_have_attribute("data-count", "1")
    expect(visitor.see("table-picture")).to_have_attribute("data-page", "1")
    visitor.see("next-doubt").click()
    expect(visitor.see("table-crop")).to_be_visible()
    expect(text).to_have_value("00111")

    grid.locator("[data-place='1,1']").click()
    visitor.page.keyboard.type("O0lI1")
    expect(text).to_have_value("O0lI1")
    visitor.page.keyboard.press("Enter")
    expect(visitor.see("doubts")).to_have_attribute("data-count", "0")
    expect(text).to_have_value("836")
    for key in ("F2", "End", "0", "Tab", "Delete", "Control+z", "Control+z", "Control+y"):
        visitor.page.keyboard.press(key)
    expect(grid.locator("[data-place='2,1']")).to_have_text("8360")
    expect(grid.locator("[data-place='2,2']")).to_have_text("97%")

    visitor.see("row-below").click()
    grid.locator("[data-place='2,0']").click()
    for key in ("Shift+ArrowRight", "Control+c", "ArrowDown"):
        visitor.page.keyboard.press(key)
    visitor.page.evaluate(
        """() => {
          const data = new DataTransfer();
          data.setData('text/plain', '合计\\t\\t9%\\r\\n"两\\n行"\\t007\\tx\\r\\n');
          document.querySelector('.sheet-field').dispatchEvent(
            new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
        }"""
    )
    expect(grid.locator("[data-place='4,1']")).to_have_text("007")
    grid.locator("[data-place='4,1']").click()
    visitor.see("cell-kind").select_option("number")
    grid.locator("[data-place='3,0']").click()
    visitor.page.keyboard.press("Shift+ArrowRight")
    visitor.see("merge").click()
    expect(visitor.see("table-changed")).to_be_visible()
    field.press("Escape")
    field.press("Tab")
    expect(field).not_to_be_focused()

    visitor.page.reload()
    sheet = saved(visitor, tmp_path / "out")
    assert values(sheet) == [
        ROWS[0],
        ["生产一部", "O0lI1", 0.85],
        ["生产二部", 8360, 0.97],
        ["合计", None, 0.09],
        ["两\n行", 7, "x"],
    ]
    assert [str(each) for each in sheet.merged_cells.ranges] == ["A4:B4"]
    visitor.see("show-preview").click()
    expect(visitor.see("table-changed")).to_have_count(0)
    expect(grid.locator("[data-place='4,1']")).to_have_text("007")

    visitor.see("undo").click()
    assert not saved(visitor, tmp_path / "again").merged_cells.ranges
    visitor.see("continue").locator('[data-tool="excel_to_pdf"]').click()
    expect(visitor.see("file-row").first).to_be_visible()


@PHONE_ONLY
def test_a_finger_corrects_tables_of_a_pdf(visitor: Visitor, tmp_path: Path) -> None:
    visitor.open("/Pdf2Excel")
    visitor.drop(make_reading.report(tmp_path / "报告.pdf"))
    visitor.finish()
    grid = visitor.see("table-grid")
    grid.locator("[data-place='2,0']").tap()
    visitor.see("cell-text").fill("生产一部（总部）")
    visitor.see("table-number").select_option("1")
    expect(visitor.see("table-picture")).to_have_attribute("data-page", "2")
    grid.locator("[data-place='0,0']").tap()
    visitor.see("remove-columns").click()
    book = openpyxl.load_workbook(visitor.save(tmp_path / "out"))
    first, second = book.worksheets
    assert first["A3"].value == "生产一部（总部）"
    assert values(second)[1] == [1250, 3.5, datetime(2026, 1, 31)]


@PHONE_ONLY
def test_a_finger_draws_a_corner_over_cells_and_reaches_every_button(visitor: Visitor, tmp_path: Path) -> None:
    """What a finger meets is 44 pixels high and wide, and in sight: no bar is scrolled sideways."""
    visitor.open("/ImageTable").drop(picture(tmp_path / "表.png"))
    visitor.finish()
    grid = visitor.see("table-grid")
    grid.locator("[data-place='1,0']").tap()
    tools = visitor.page.locator(".table-top").locator("button, select").all()
    assert len(tools) == 13
    for target in [*tools, visitor.page.locator(".sheet-rows button").first, grid.locator("[data-column='0']")]:
        box = target.bounding_box()
        assert box and box["height"] >= 44 and box["width"] >= 44 and box["x"] + box["width"] <= 390

    visitor.page.locator(".table-review").scroll_into_view_if_needed()
    start = visitor.see("range-handle").bounding_box()
    end = grid.locator("[data-place='2,1']").bounding_box()
    assert start and end
    touch(
        visitor,
        (start["x"] + start["width"] / 2, start["y"] + start["height"] / 2),
        (end["x"] + end["width"] / 2, end["y"] + end["height"] / 2),
    )
    expect(visitor.page.locator(".sheet-head[data-chosen]")).to_have_text(["A", "B", "2", "3"])
    # The picture shows all that is chosen, not its first cell alone.
    first, chosen = (visitor.page.locator(f".table-{name}").bounding_box() for name in ("here", "range"))
    assert first and chosen and chosen["width"] > 1.5 * first["width"] and chosen["height"] > 1.5 * first["height"]
    visitor.see("merge").tap()
    expect(grid.locator("[data-place='2,1']")).to_have_count(0, timeout=5000)
    grid.locator("[data-column='2']").tap()
    expect(visitor.page.locator(".sheet-head[data-chosen]")).to_have_text(["C", "1", "2", "3"], timeout=5000)
    visitor.see("remove-columns").tap()
    sheet = saved(visitor, tmp_path / "out")
    assert [str(each) for each in sheet.merged_cells.ranges] == ["A2:B3"]
    assert sheet.max_column == 2


def touch(visitor: Visitor, start: tuple[float, float], end: tuple[float, float]) -> None:
    """A finger put down, drawn along and lifted at rest: what flings swallows the next tap."""
    finger = visitor.page.context.new_cdp_session(visitor.page)
    for step in range(5):
        x, y = (begun + (ended - begun) * step / 4 for begun, ended in zip(start, end, strict=True))
        kind = "touchMove" if step else "touchStart"
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y}]})
    visitor.page.wait_for_timeout(200)
    finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y}]})
    finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


@DESKTOP_ONLY
def test_doubtful_lines_of_a_picture_stand_beside_what_was_read(visitor: Visitor, tmp_path: Path) -> None:
    visitor.open("/Image2Text")
    visitor.drop(picture(tmp_path / "表.png"))
    visitor.finish()
    doubt = visitor.see("doubtful-lines").get_by_role("button")
    expect(doubt).to_have_text("00111")
    expect(doubt.locator("canvas")).to_be_visible()
    doubt.click()
    visitor.page.keyboard.type("O0lI1")
    expect(visitor.see("correction").locator("textarea")).to_have_value(re.compile("O0lI1"))
    expect(visitor.see("correction").locator("textarea")).not_to_have_value(re.compile("00111"))
    text = visitor.save(tmp_path / "out").read_text("utf-8-sig")
    assert "O0lI1" in text and "00111" not in text and "[?]" not in text
    expect(visitor.see("doubtful-lines")).to_have_count(0)


def test_lines_of_a_picture_are_corrected_beside_it_and_found_in_word(visitor: Visitor, tmp_path: Path) -> None:
    """Also in the preview; what was undone is not written, and what is right as it was read may be said to be."""
    visitor.open("/Image2Word")
    visitor.drop(picture(tmp_path / "表.png"))
    visitor.finish()
    doubts = visitor.see("doubts")
    expect(doubts).to_have_attribute("data-count", "1")
    visitor.see("next-doubt").click()
    line = visitor.page.locator(".line-one[data-here] textarea")
    expect(line).to_have_value("00111")
    expect(visitor.page.locator(".line-one[data-here]").get_by_test_id("line-crop")).to_be_visible()
    visitor.see("confirm-line").click()
    expect(doubts).to_have_attribute("data-count", "0")
    line.fill("O0lI1")
    line.press("Enter")
    expect(line).to_have_value("85%")
    line.fill("错")
    visitor.page.keyboard.press("Control+z")
    expect(line).to_have_value("85%")
    visitor.page.locator(".line-there").first.dispatch_event("click")
    expect(line).to_have_value("单位")
    line.fill("")
    visitor.see("preview-word").click()
    pages = visitor.see("word-pages")
    expect(pages).to_have_attribute("data-state", "shown")
    expect(pages.get_by_text("O0lI1")).to_be_visible()
    visitor.see("proofread").click()
    expect(visitor.see("lines-changed")).to_have_count(0)
    document = docx.Document(str(visitor.save(tmp_path)))
    words = [[cell.text for cell in row.cells] for table in document.tables for row in table.rows]
    assert words == [["", *ROWS[0][1:]], ROWS[1], ROWS[2]]
