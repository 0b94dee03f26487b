"""The correction grid as people know it from spreadsheets: fills, whole rows and columns, copies."""

import csv
import io
from pathlib import Path
from typing import Any

import openpyxl
from PIL import Image, ImageFilter
from playwright.sync_api import expect

from tests import make_reading
from tests.site.conftest import DESKTOP_ONLY, PHONE_ONLY, Visitor

#: Letters that are read as figures, with little certainty.
ROWS = [["单位", "编号", "整改率"], ["生产一部", "O0lI1", "85%"], ["生产二部", "836", "97%"]]


def drawn(rows: list[list[str]] = ROWS) -> Image.Image:
    return make_reading.draw_table(Image.new("L", (980, 80 + 80 * len(rows)), 255), rows, (40, 40))


def open_table(visitor: Visitor, path: Path, first: Image.Image | None = None, *more: Image.Image) -> Any:
    """The grid of a picture, or of a PDF with a page for each."""
    (first or drawn()).save(path, **({"save_all": True, "append_images": more} if more else {}))
    visitor.open("/PdfTable" if path.suffix == ".pdf" else "/ImageTable").drop(path)
    visitor.finish()
    expect(visitor.see("table-picture")).to_be_visible()
    return visitor.see("table-grid")


def press(visitor: Visitor, *keys: str) -> None:
    for key in keys:
        visitor.page.keyboard.press(key)


def texts(grid: Any) -> list[str]:
    return [text.strip() for text in grid.locator("[data-place]").all_inner_texts()]


def saved(visitor: Visitor, folder: Path) -> list[list[Any]]:
    (sheet,) = openpyxl.load_workbook(visitor.save(folder)).worksheets
    return [[cell.value for cell in row] for row in sheet.iter_rows()]


@DESKTOP_ONLY
def test_rows_are_filled_taken_by_their_heads_and_copied(visitor: Visitor, tmp_path: Path) -> None:
    grid = open_table(visitor, tmp_path / "表.png")
    before = texts(grid)
    grid.locator("[data-place='1,2']").click()
    press(visitor, "Shift+ArrowDown", "Control+d")
    expect(grid.locator("[data-place='2,2']")).to_have_text("85%")
    visitor.page.keyboard.type("90%")
    press(visitor, "Control+Enter")
    expect(grid.locator("[data-place='1,2']")).to_have_text("90%")
    expect(grid.locator("[data-place='2,2']")).to_have_text("90%")
    expect(visitor.page.locator(".table-range")).to_have_count(1)
    for _ in range(2):
        visitor.see("undo").click()
    assert texts(grid) == before
    press(visitor, "ArrowUp")
    expect(visitor.page.locator(".table-name")).to_have_text("C1")

    heads = visitor.page.locator(".sheet-rows .sheet-head")
    heads.nth(1).hover()
    visitor.page.mouse.down()
    heads.nth(2).hover()
    visitor.page.mouse.up()
    expect(visitor.page.locator(".sheet-head[data-chosen]")).to_have_text(["A", "B", "C", "2", "3"])
    press(visitor, "Delete")
    assert texts(grid) == [*ROWS[0], *[""] * 6]
    press(visitor, "Control+z")
    grid.locator("[data-column='0']").hover()
    visitor.page.mouse.down()
    grid.locator("[data-column='1']").hover()
    visitor.page.mouse.up()
    expect(visitor.page.locator(".sheet-head[data-chosen]")).to_have_text(["A", "B", "1", "2", "3"])

    grid.locator("[data-place='2,1']").click()
    press(visitor, "Shift+ArrowRight", "Control+Space", "Control+r")
    assert saved(visitor, tmp_path / "out") == [[row[0], *[_value(row[1])] * 2] for row in _rows(before)]


def _rows(shown: list[str]) -> list[list[str]]:
    return [shown[at : at + 3] for at in range(0, len(shown), 3)]


def _value(text: str) -> Any:
    return int(text) if text == "836" else text


@DESKTOP_ONLY
def test_the_whole_table_is_copied_and_one_cell_pasted_fills_what_is_chosen(visitor: Visitor, tmp_path: Path) -> None:
    visitor.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    grid = open_table(visitor, tmp_path / "表.png")
    visitor.see("copy-table").click()
    expect(visitor.see("copy-table")).to_have_attribute("aria-label", "已复制")
    copied = visitor.page.evaluate("navigator.clipboard.readText()")
    assert [cell for row in csv.reader(io.StringIO(copied), delimiter="\t") for cell in row] == texts(grid)

    grid.locator("[data-place='2,0']").click()
    press(visitor, "Control+c")
    grid.locator("[data-place='1,0']").click()
    press(visitor, "Shift+ArrowDown", "Control+v")
    expect(grid.locator("[data-place='1,0']")).to_have_text("生产二部")
    visitor.see("all-cells").click()
    expect(visitor.page.locator(".sheet-head[data-chosen]")).to_have_count(6)


@DESKTOP_ONLY
def test_from_doubt_to_doubt_through_every_table(visitor: Visitor, tmp_path: Path) -> None:
    """Who finds a cell right is led on; a table without doubts tells of those in others."""
    blurred = drawn([ROWS[0], ["生产一部", "rn丨l1", "85%"], ["生产二部", "rn丨l1", "97%"]])
    lower = (0, 120, *blurred.size)
    blurred.paste(blurred.crop(lower).filter(ImageFilter.GaussianBlur(1.5)), lower[:2])
    other = drawn([row[1:] for row in ROWS])  # else it would go on with the first
    grid = open_table(visitor, tmp_path / "扫描.pdf", blurred, other)
    number, doubts, name = visitor.see("table-number"), visitor.see("doubts"), visitor.page.locator(".table-name")
    count = int(doubts.get_attribute("data-count") or 0)
    assert count > 1
    expect(number.locator("option")).to_have_text([f"表 1（第 1 页） · {count} 处存疑", "表 2（第 2 页） · 1 处存疑"])
    grid.locator("[data-place='0,0']").click()
    press(visitor, "F8")
    first = name.inner_text()
    press(visitor, "F8")
    expect(name).not_to_have_text(first)
    visitor.see("last-doubt").click()
    expect(name).to_have_text(first)
    for left in range(count - 1, -1, -1):
        visitor.see("confirm-cell").click()
        expect(doubts).to_have_attribute("data-count", str(left))
    expect(doubts).to_have_text("其他表还有 1 处存疑")
    visitor.see("next-doubt").click()
    expect(number).to_have_value("1")
    expect(name).to_have_text("A2")
    expect(visitor.see("table-picture")).to_have_attribute("data-page", "2")


@PHONE_ONLY
def test_a_finger_takes_a_whole_column_and_stays_where_it_is(visitor: Visitor, tmp_path: Path) -> None:
    """One page needs no buttons from page to page."""
    rows = [ROWS[0], *[[f"生产{number}部", str(number), "85%"] for number in range(11, 23)]]
    drawn(rows).save(tmp_path / "表.png")
    visitor.open("/ImageTable").drop(tmp_path / "表.png")
    expect(visitor.see("draw-area")).to_be_visible()
    expect(visitor.page.locator(".page-switch")).to_have_count(0)
    visitor.finish()
    grid = visitor.see("table-grid")
    grid.locator("[data-column='1']").tap()
    expect(visitor.page.locator(".sheet-head[data-chosen]").first).to_have_text("B")
    assert grid.evaluate("(room) => room.scrollTop") == 0
    visitor.see("all-cells").tap()
    expect(grid.locator(".sheet-heads [data-chosen]")).to_have_count(3)
