"""The page board in a real browser: rotate, split and merge stand on it, and the coming page tools will."""

import re
from pathlib import Path

import pikepdf
import pytest
from playwright.sync_api import Locator, expect

from tests import look, make, make_big, make_broken
from tests.site.audit import violations
from tests.site.conftest import Visitor, visiting

#: CPU time of the page's main thread for each of so many frames, scrolling so many pixels a frame.
#: Scrolls so many pixels at each of so many frames; what it changed in the tree.
SCROLL = """async ([step, frames]) => {
  const grid = document.querySelector('.board-grid');
  const done = {changes: 0, pages: 0};
  const watch = new MutationObserver((changes) => {
    done.changes += changes.length;
    done.pages += changes.flatMap((each) => [...each.addedNodes]).filter((each) => each.querySelector?.('.leaf')).length;
  });
  watch.observe(grid, {childList: true, subtree: true, attributes: true, characterData: true});
  for (let frame = 0; frame < frames; frame += 1) {
    await new Promise(requestAnimationFrame);
    grid.scrollTop += step;
  }
  watch.disconnect();
  return {...done, top: grid.scrollTop};
}"""
#: Pixels of the canvas for each CSS pixel of its own, of all pages that are drawn.
DENSITIES = """() => [...document.querySelectorAll('.leaf [data-phase=drawn] canvas')]
  .map((canvas) => [canvas.width / canvas.clientWidth, canvas.clientWidth])"""


def faces(visitor: Visitor) -> Locator:
    return visitor.page.locator(".leaf-face")


def chosen(visitor: Visitor) -> list[int]:
    """Places of the chosen pages among those in the tree."""
    pressed = faces(visitor).evaluate_all("(all) => all.map((one) => one.ariaPressed === 'true')")
    return [place for place, is_chosen in enumerate(pressed, 1) if is_chosen]


def mixed(path: Path) -> Path:
    """Five pages, of which the second and the fourth lie."""
    with pikepdf.new() as pdf:
        for number in range(1, 6):
            pdf.add_blank_page(page_size=(842, 595) if number % 2 == 0 else (595, 842))
        pdf.save(path)
    return path


def test_pages_are_chosen_by_clicks_and_by_number(visitor, tmp_path):
    visitor.open("/PdfRotate").drop(mixed(tmp_path / "横竖.pdf"))
    typed = visitor.see("options").get_by_label("页码范围")
    faces(visitor).nth(0).click()
    faces(visitor).nth(2).click(modifiers=["Shift"])
    assert chosen(visitor) == [1, 2, 3]
    expect(typed).to_have_value("1-3")
    faces(visitor).nth(1).click(modifiers=["ControlOrMeta"])
    expect(typed).to_have_value("1,3")
    visitor.options().get_by_label("页码范围").fill("4-")
    expect(visitor.see("board-count")).to_have_attribute("data-count", "2")
    assert chosen(visitor) == [4, 5]
    visitor.see("board-select").click()
    visitor.page.get_by_role("button", name="横向页", exact=True).click()
    expect(visitor.see("board-range")).to_have_value("2,4")
    expect(typed).to_have_value("2,4")
    visitor.see("board-range").fill("2,9")
    expect(visitor.page.get_by_text("请写 1 到 5 之间的页码")).to_be_visible()
    visitor.see("board-range").fill("5")
    expect(typed).to_have_value("5")
    visitor.page.keyboard.press("Escape")
    visitor.finish()
    with pikepdf.open(visitor.save(tmp_path / "out")) as pdf:
        assert [page.rotation for page in pdf.pages] == [0, 0, 0, 0, 90]


def test_pages_of_a_merge_are_carried_copied_and_deleted(desk, tmp_path):
    one, two = make.text(tmp_path / "甲.pdf", 4), make.text(tmp_path / "乙.pdf", 2, title="Other {n}")
    desk.open("/PdfMerge").drop(one, two)
    desk.page.get_by_role("button", name="按页面").click()
    expect(desk.see("board")).to_have_attribute("data-pages", "6")
    frame(desk, faces(desk).nth(0), faces(desk).nth(1))
    assert chosen(desk) == [1, 2]
    carry(desk, faces(desk).nth(0), faces(desk).nth(3))
    assert names(desk)[:4] == ["3", "1", "2", "4"]
    desk.see("undo").click()
    assert names(desk)[:4] == ["1", "2", "3", "4"]
    desk.see("redo").click()
    assert names(desk)[:4] == ["3", "1", "2", "4"]
    desk.page.get_by_role("button", name="复制乙.pdf 第 1 页").click()
    desk.page.get_by_role("button", name="删除甲.pdf 第 4 页").click()
    expect(desk.see("board")).to_have_attribute("data-pages", "6")
    desk.see("board-select").click()
    desk.page.get_by_role("button", name="全部", exact=True).click()
    desk.page.keyboard.press("Escape")
    desk.see("board").get_by_role("button", name="删除", exact=True).click()
    expect(desk.page.get_by_text("每个文件至少留一页")).to_be_visible()
    desk.finish()
    texts = look.texts_of(desk.save(tmp_path / "out"))
    assert [re.search(r"(Page|Other) \d", text)[0] for text in texts] == [
        "Page 3", "Page 1", "Page 2", "Other 1", "Other 1", "Other 2",
    ]  # fmt: skip


def names(visitor: Visitor) -> list[str]:
    return [text.strip() for text in visitor.page.locator(".leaf-number").all_inner_texts()]


def frame(visitor: Visitor, first: Locator, last: Locator) -> None:
    """Draw a rectangle from the gap above the first page to the middle of the last."""
    begin, end = first.bounding_box(), last.bounding_box()
    visitor.page.mouse.move(begin["x"] - 4, begin["y"] - 3)
    visitor.page.mouse.down()
    visitor.page.mouse.move(end["x"] + end["width"] / 2, end["y"] + end["height"] / 2, steps=5)
    expect(visitor.page.locator(".board-frame")).to_be_visible()
    visitor.page.mouse.up()


def carry(visitor: Visitor, page: Locator, before: Locator) -> None:
    """Drag a page, and with it all that is chosen, to before another."""
    begin, end = page.bounding_box(), before.bounding_box()
    visitor.page.mouse.move(begin["x"] + begin["width"] / 2, begin["y"] + begin["height"] / 2)
    visitor.page.mouse.down()
    visitor.page.mouse.move(end["x"] + 8, end["y"] + end["height"] / 2, steps=5)
    expect(visitor.see("board-drop")).to_be_visible()
    visitor.page.mouse.up()
    expect(visitor.see("board-drop")).to_have_count(0)


def test_the_keyboard_alone(desk, tmp_path):
    desk.open("/PdfRotate").drop(make.text(tmp_path / "键盘.pdf", 9))
    faces(desk).nth(0).focus()
    press = desk.page.keyboard.press
    for key in ("ArrowRight", "Enter", "Shift+ArrowRight", "Shift+ArrowRight"):
        press(key)
    assert chosen(desk) == [2, 3, 4]
    press("Space")
    expect(desk.see("big-view")).to_have_attribute("aria-label", "第 4 页")
    press("ArrowRight")
    expect(desk.see("big-view")).to_have_attribute("aria-label", "第 5 页")
    press("Escape")
    expect(desk.see("big-view")).to_have_count(0)
    press("Escape")
    assert chosen(desk) == []
    press("]")
    press("End")
    press("[")
    turned = desk.page.locator(".leaf[data-turned] .leaf-number")
    expect(turned).to_have_text(["4", "9"])
    press("ControlOrMeta+z")
    expect(turned).to_have_text(["4"])
    press("ControlOrMeta+Shift+z")
    expect(turned).to_have_text(["4", "9"])
    desk.page.get_by_role("button", name="第 8 页向右转").focus()
    press("Space")
    expect(turned).to_have_text(["4", "8", "9"])
    desk.finish()
    with pikepdf.open(desk.save(tmp_path / "out")) as pdf:
        assert [page.rotation for page in pdf.pages] == [0, 0, 0, 90, 0, 0, 0, 90, 270]


def test_a_finger_chooses_carries_and_scrolls(browser, stack, tmp_path):
    with visiting(browser, stack, "phone", is_mobile=True) as visitor:
        visitor.open("/PdfMerge").drop(make.text(tmp_path / "手指.pdf", 12), make.text(tmp_path / "二.pdf", 1))
        visitor.page.get_by_role("button", name="按页面").click()
        expect(faces(visitor).first).to_be_visible()
        visitor.see("board").scroll_into_view_if_needed()
        faces(visitor).nth(1).tap()
        assert chosen(visitor) == [2]
        finger = Finger(visitor)
        finger.down(faces(visitor).nth(0))
        visitor.page.wait_for_timeout(500)
        assert chosen(visitor) == [1, 2]
        finger.to(faces(visitor).nth(3), right=0.9)
        expect(visitor.see("board-drop")).to_be_visible()
        finger.up()
        assert names(visitor)[:4] == ["3", "4", "1", "2"]
        finger.down(faces(visitor).nth(2))
        finger.to(faces(visitor).nth(0), right=0.5)
        finger.up()
        assert names(visitor)[:4] == ["3", "4", "1", "2"]
        assert chosen(visitor) == [3, 4]


class Finger:
    """Touch events as a screen sends them."""

    def __init__(self, visitor: Visitor) -> None:
        self.session = visitor.page.context.new_cdp_session(visitor.page)
        self.at = (0.0, 0.0)

    def _send(self, kind: str, *points: tuple[float, float]) -> None:
        touches = [{"x": x, "y": y} for x, y in points]
        self.session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})

    def down(self, target: Locator) -> None:
        box = target.bounding_box()
        self.at = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        self._send("touchStart", self.at)

    def to(self, target: Locator, right: float) -> None:
        box, (x, y) = target.bounding_box(), self.at
        self.at = (box["x"] + box["width"] * right, box["y"] + box["height"] / 2)
        for step in range(1, 7):
            self._send("touchMove", (x + (self.at[0] - x) * step / 6, y + (self.at[1] - y) * step / 6))

    def up(self) -> None:
        self._send("touchEnd")


def test_a_locked_file_asks_in_its_place(visitor, tmp_path):
    plain = make.text(tmp_path / "开.pdf", 2)
    locked = make_broken.encrypted(tmp_path / "锁.pdf", make.text(tmp_path / "里.pdf", 3), user="芝麻开门")
    visitor.open("/PdfRotate").drop(plain, locked)
    expect(visitor.see("board")).to_have_attribute("data-pages", "2")
    place = visitor.see("board-locked")
    place.scroll_into_view_if_needed()
    expect(visitor.see("skip-locked")).to_be_visible()
    expect(visitor.see("password")).to_be_hidden()
    place.get_by_label("锁.pdf 的打开密码").fill("芝麻")
    place.get_by_role("button", name="打开").click()
    expect(place.get_by_role("alert")).to_be_visible()
    place.get_by_label("锁.pdf 的打开密码").fill("芝麻开门")
    place.get_by_role("button", name="打开").click()
    expect(visitor.see("board")).to_have_attribute("data-pages", "5")
    visitor.page.get_by_role("button", name="锁.pdf 第 1 页向右转").click()
    visitor.finish()
    with pikepdf.open(visitor.save(tmp_path / "out", nth=1)) as pdf:
        assert [page.rotation for page in pdf.pages] == [90, 0, 0]


@pytest.mark.parametrize("density", [1, 1.25, 2, 3])
def test_thumbnails_are_sharp_at_every_density_and_zoom(browser, stack, tmp_path, density):
    with visiting(browser, stack, device_scale_factor=density) as visitor:
        visitor.open("/PdfRotate").drop(make.text(tmp_path / "清.pdf", 3))
        widths = []
        for zoom in ("", "缩小缩略图", "缩小缩略图"):
            visitor.page.get_by_role("button", name=zoom).click() if zoom else None
            expect(visitor.page.locator(".leaf [data-phase=drawn]")).to_have_count(3)
            drawn = visitor.page.evaluate(DENSITIES)
            assert all(abs(ratio - density) * width < 1.01 for ratio, width in drawn), drawn
            widths.append(drawn[0][1])
        assert widths == sorted(set(widths), reverse=True)


def test_twenty_thousand_pages(desk, tmp_path):
    path = make_big.many(tmp_path / "两万页.pdf", 20_000)
    desk.open("/BigPdfSplit")
    desk.see("file-input").first.set_input_files(str(path))
    expect(desk.page.locator(".leaf [data-phase=drawn]").first).to_be_visible()
    faces(desk).first.focus()
    desk.page.keyboard.press("End")
    expect(desk.page.get_by_role("button", name="放大看第 20000 页").first).to_be_focused()
    expect(desk.page.locator(".leaf [data-phase=drawn]").last).to_be_visible()
    assert faces(desk).count() < 60


def test_scrolling_touches_what_comes_and_goes_alone(desk, tmp_path):
    """Counted, not timed (tests/bench/bench_board.py does that): a page comes once, and a frame is laid out once."""
    desk.open("/PdfRotate").drop(make.text(tmp_path / "千页.pdf", 1000))
    expect(desk.page.locator(".leaf [data-phase=drawn]").first).to_be_visible()
    session = desk.page.context.new_cdp_session(desk.page)
    session.send("Performance.enable")
    for step, frames, come in ((100, 340, 1000), (12, 200, 80)):
        desk.page.evaluate("document.querySelector('.board-grid').scrollTop = 0")
        before = layouts(session)
        done = desk.page.evaluate(SCROLL, [step, frames])
        assert done["top"] >= 0.9 * step * frames
        assert 0 < done["pages"] <= come
        assert done["changes"] < 6 * done["pages"] + 2 * frames  # 36 pages at each frame would be 36 × frames
        assert layouts(session) - before < 1.5 * frames


def layouts(session) -> int:
    """How often the page was laid out."""
    metrics = session.send("Performance.getMetrics")["metrics"]
    return next(each["value"] for each in metrics if each["name"] == "LayoutCount")


def test_axe_finds_nothing_on_the_board(browser, stack, tmp_path):
    files = [make.text(tmp_path / "一.pdf", 5), mixed(tmp_path / "二.pdf")]
    locked = make_broken.encrypted(tmp_path / "密.pdf", files[0])
    with visiting(browser, stack, reduced_motion="reduce") as visitor:
        visitor.open("/PdfRotate").drop(*files, locked)
        expect(visitor.page.locator(".leaf [data-phase=drawn]").first).to_be_visible()
        faces(visitor).nth(1).click()
        visitor.see("board-select").click()
        assert violations(visitor.page) == []
        visitor.page.keyboard.press("Escape")
        visitor.page.locator(".board-grid").evaluate("(grid) => grid.scrollTo(0, grid.scrollHeight)")
        expect(visitor.see("board-locked")).to_be_visible()
        assert violations(visitor.page) == []
        faces(visitor).last.dblclick()
        expect(visitor.see("big-view").locator("[data-phase=drawn]")).to_be_visible()
        assert violations(visitor.page) == []
        visitor.open("/PdfMerge")
        visitor.drop(*files)
        visitor.page.get_by_role("button", name="按页面").click()
        expect(visitor.page.locator(".leaf [data-phase=drawn]").first).to_be_visible()
        assert violations(visitor.page) == []
