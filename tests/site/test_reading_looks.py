"""The reading tools at both sizes: nothing is cut off, and what was read is in sight."""

from pathlib import Path

from PIL import Image, ImageDraw, ImageFont
from playwright.sync_api import expect

from tests import make, make_reading, make_scans
from tests.site.conftest import DESKTOP_ONLY, PHONE_ONLY, Visitor

ROWS = [["单位", "备注"], ["生产二部", "已复核"]]
#: By how much each of the form's parts reaches over the form's edge.
OVER = """(form) => Math.max(...[...form.querySelectorAll('*')].map((part) => part.getBoundingClientRect().right))
  - form.getBoundingClientRect().right"""
CUT = "(text) => text.scrollWidth - text.clientWidth"


def picture(path: Path) -> Path:
    make_reading.draw_table(Image.new("L", (980, 320), 255), ROWS, (40, 40)).save(path)
    return path


def test_five_short_choices_stay_within_the_form(visitor: Visitor, tmp_path: Path) -> None:
    visitor.open("/PdfTable").drop(make.text(tmp_path / "a.pdf", 1))
    form = visitor.options()
    expect(form.get_by_label("HTML")).to_be_attached()
    assert form.evaluate(OVER) <= 0


def test_a_long_name_does_not_reach_over_what_stands_beside_the_result(visitor: Visitor, tmp_path: Path) -> None:
    visitor.open("/ImageTable").drop(picture(tmp_path / f"{'关于年度报告有关财务事项的说明' * 3}.png"))
    visitor.finish()
    visitor.see("data-files").locator("summary").click()
    expect(visitor.see("download-data")).to_be_visible()
    room, name = (visitor.page.locator(each) for each in (".done-more", "[data-testid=download-data] > span"))
    assert name.last.evaluate("(size) => size.getBoundingClientRect().right") <= room.evaluate(
        "(room) => room.getBoundingClientRect().right"
    )


@PHONE_ONLY
def test_a_phone_shows_the_text_that_was_read_and_no_keys(visitor: Visitor, tmp_path: Path) -> None:
    """The page alone is scrolled: not a room within it."""
    visitor.open("/Image2Text").drop(picture(tmp_path / "表.png"))
    visitor.finish()
    expect(visitor.see("correction").locator("textarea")).to_be_visible()
    room = visitor.page.locator(".done-view")
    assert room.evaluate("(room) => room.scrollHeight - room.clientHeight") <= 1
    assert room.locator("> *").first.evaluate("(room) => room.scrollHeight - room.clientHeight") <= 1

    visitor.open("/ImageTable").drop(picture(tmp_path / "表.png"))
    visitor.finish()
    expect(visitor.see("table-grid")).to_be_visible()
    expect(visitor.page.locator(".hint-of-keys")).to_be_hidden()


@DESKTOP_ONLY
def test_a_column_grows_with_what_is_typed(visitor: Visitor, tmp_path: Path) -> None:
    visitor.open("/ImageTable").drop(picture(tmp_path / "表.png"))
    visitor.finish()
    cell = visitor.see("table-grid").locator("[data-place='1,1']")
    cell.click()
    visitor.page.keyboard.type("已复核，无遗留问题，按期")
    visitor.page.keyboard.press("Enter")
    expect(cell).to_have_text("已复核，无遗留问题，按期")
    assert cell.locator("span").evaluate(CUT) <= 0


@DESKTOP_ONLY
def test_where_a_language_was_chosen_that_is_what_the_sentence_names(visitor: Visitor, tmp_path: Path) -> None:
    line, font = make_scans.STRANGE["thai"]
    strange = Image.new("L", (1600, 200), 255)
    ImageDraw.Draw(strange).text((60, 60), line, 0, ImageFont.truetype(font, 44))
    strange.save(tmp_path / "a.png")
    visitor.open("/Image2Text").drop(tmp_path / "a.png")
    visitor.options().get_by_label("文字语言").select_option(label="英文")
    visitor.start()
    expect(visitor.see("failed")).to_have_attribute("data-reason", "language_not_written")
    expect(visitor.see("problem")).to_contain_text("改为“自动”")
