"""Where the finder finds no table, somebody draws one on the page, and it is read."""

from pathlib import Path

from playwright.sync_api import expect

from tests.site.conftest import DESKTOP_ONLY, Visitor
from tests.tools.test_table_areas import ROWS, around, page, rotated


@DESKTOP_ONLY
def test_a_table_that_was_missed_is_drawn_and_read(visitor: Visitor, tmp_path: Path) -> None:
    file = page(tmp_path / "漏.pdf", rotated)
    visitor.open("/PdfTable")
    visitor.drop(file)
    visitor.start()
    expect(visitor.see("failed")).to_have_attribute("data-reason", "no_table_found")
    visitor.see("edit-options").click()
    visitor.see("draw-area").click()
    leaf = visitor.see("marked-page")
    expect(leaf.locator(".page-picture")).to_have_attribute("data-phase", "drawn")
    # Drawn to half of the rows, then sized by its handle over both.
    shown, area, mouse = leaf.bounding_box(), around(file, "Apples", "2.25"), visitor.page.mouse
    assert shown
    scale = shown["width"] / 595
    left, top = shown["x"] + area["x"] * scale, shown["y"] + area["y"] * scale
    right, bottom = left + area["width"] * scale, top + area["height"] * scale
    mouse.move(left, top)
    mouse.down()
    mouse.move(right, (top + bottom) / 2, steps=4)
    mouse.up()
    visitor.see("thing").locator(".canvas-grip[data-across='1'][data-up='-1']").hover()
    mouse.down()
    mouse.move(right, bottom, steps=4)
    mouse.up()
    visitor.finish()
    cells = visitor.see("table-grid").locator("[data-place]")
    expect(cells).to_have_text([text for row in ROWS for text in row])
