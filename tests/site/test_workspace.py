"""The window while there is work: what gives way, what is kept, where the focus goes, what a start says it will do."""

import re

import pytest
from playwright.sync_api import expect

from tests import make, make_broken, make_forms, make_scan, make_scans
from tests.conftest import wait_until

CARRY = """([name, kind]) => {
  const carried = new DataTransfer();
  carried.items.add(new File([window.bytes], name));
  const made = kind === 'paste'
    ? new ClipboardEvent('paste', {bubbles: true, cancelable: true, clipboardData: carried})
    : new DragEvent('drop', {bubbles: true, cancelable: true, dataTransfer: carried});
  document.querySelector('footer, h1').dispatchEvent(made);
}"""
ACTIVE = "document.activeElement.dataset.next ?? document.activeElement.tagName"


def put(visitor, path, kind):
    """Drop a file far from the upload area, or paste it."""
    visitor.page.evaluate("numbers => { window.bytes = new Uint8Array(numbers) }", list(path.read_bytes()))
    visitor.page.evaluate(CARRY, [path.name, kind])


@pytest.mark.parametrize("kind", ["drop", "paste"])
def test_a_file_is_taken_from_anywhere_on_the_page(desk, tmp_path, kind):
    """From the page's first moment on: the first one comes before the workbench is awake."""
    desk.open("/PdfCompress")
    put(desk, make.text(tmp_path / "一.pdf", 2), kind)
    expect(desk.see("file-row")).to_have_count(1)
    put(desk, make.text(tmp_path / "二.pdf", 1), kind)
    expect(desk.see("file-row")).to_have_count(2)
    expect(desk.see("start")).to_have_text("压缩 2 个文件")


def test_a_pasted_file_is_offered_its_tools(desk, tmp_path):
    desk.open("/").page.wait_for_load_state("networkidle")
    put(desk, make.text(tmp_path / "一.pdf", 1), "paste")
    expect(desk.see("offer")).to_contain_text("一.pdf")
    expect(desk.see("offer-tool").first).to_be_visible()


def test_the_document_fills_the_window_until_one_is_done_with_it(visitor, tmp_path):
    visitor.open("/PdfCompress")
    expect(visitor.see("faq")).to_be_visible()
    visitor.drop(make_scan.scan(tmp_path / "扫描.pdf", 3))
    expect(visitor.see("faq")).to_be_hidden()
    expect(visitor.see("preview").locator('[data-phase="drawn"]').first).to_be_visible()
    assert visitor.page.evaluate("document.documentElement.scrollHeight <= innerHeight"), "the page itself scrolls"
    visitor.finish()
    expect(visitor.see("faq")).to_be_hidden()
    visitor.see("again").click()
    expect(visitor.see("faq")).to_be_visible()


def test_on_a_phone_the_document_stays_in_sight_while_one_types(visitor, tmp_path):
    visitor.open("/watermark").drop(make.text(tmp_path / "合同.pdf", 2))
    text = visitor.options().locator("textarea").first
    text.fill("机密")
    typed, page = text.bounding_box(), visitor.see("marked-page").first.bounding_box()
    height = visitor.page.viewport_size["height"]
    assert page["y"] >= 0 and page["y"] + page["height"] <= height
    assert typed["y"] >= 0 and typed["y"] + typed["height"] <= visitor.see("start").bounding_box()["y"] < height


def test_a_reload_and_the_way_back_keep_files_and_options(visitor, tmp_path):
    visitor.open("/PdfCompress").drop(make_scan.scan(tmp_path / "扫描.pdf", 1))
    expect(visitor.page.locator('[data-upload="stored"]')).to_be_visible()
    visitor.options().get_by_role("radio", name="强力").check(force=True)
    visitor.page.reload()
    expect(visitor.see("file-row")).to_contain_text("扫描.pdf")
    expect(visitor.see("options").get_by_role("radio", name="强力")).to_be_checked()
    visitor.open("/About")
    visitor.page.go_back()
    expect(visitor.see("file-row")).to_contain_text("扫描.pdf")
    expect(visitor.see("options").get_by_role("radio", name="强力")).to_be_checked()


def test_the_focus_goes_to_the_next_thing(desk, tmp_path):
    desk.open("/Image2Text")
    desk.drop(make_scans.page(["一页需要一会儿的文字"] * 12).save(tmp_path / "页.png"))
    wait_until(lambda: desk.page.evaluate(ACTIVE) == "files")
    desk.start()
    wait_until(lambda: desk.page.evaluate(ACTIVE) == "stage")
    expect(desk.see("done")).to_be_visible()
    wait_until(lambda: desk.page.evaluate(ACTIVE) == "result")


def test_the_tab_tells_how_far_it_is(desk, tmp_path):
    desk.open("/Image2Text")
    plain = desk.page.title()
    desk.drop(make_scans.page(["一页需要一会儿的文字"] * 12).save(tmp_path / "页.png"))
    desk.start()
    expect(desk.page).to_have_title(re.compile(rf"^(\d+%|…) · {re.escape(plain)}$"))
    expect(desk.see("done")).to_be_visible()
    expect(desk.page).to_have_title(f"✓ 处理完成 · {plain}")
    desk.see("again").click()
    expect(desk.page).to_have_title(plain)


def test_what_is_shown_is_what_is_saved(desk, tmp_path):
    """The first look counts as a download; saving what one looks at does not count again."""
    asked = []
    desk.page.on("request", lambda request: asked.append(request.url) if "getDownloadInfo" in request.url else None)
    desk.open("/PdfRotate").drop(make.text(tmp_path / "一.pdf", 2))
    desk.finish()
    expect(desk.see("preview").locator('[data-phase="drawn"]').first).to_be_visible()
    saved = desk.save(tmp_path / "out")
    assert saved.name == "一_旋转.pdf" and saved.stat().st_size > 0
    assert len(asked) == 1
    desk.page.reload()
    expect(desk.see("show-preview")).to_be_visible()
    assert len(asked) == 1


def test_a_batch_has_one_table_with_what_needs_attention(visitor, tmp_path):
    bad = make_broken.truncated(tmp_path / "坏.pdf", make.text(tmp_path / "whole.pdf", 3), 0.02)
    good = make_scan.scan(tmp_path / "好.pdf", 1)
    visitor.open("/PdfCompress").drop(good, make_forms.signed(tmp_path / "已签名.pdf"), bad)
    visitor.finish()
    expect(visitor.see("batch-row")).to_have_count(3)
    visitor.see("attention").click()
    expect(visitor.see("batch-row")).to_have_count(2)
    expect(visitor.see("batch-row").first.get_by_test_id("trust")).to_contain_text("签名")
    expect(visitor.see("file-problem")).to_have_attribute("data-reason", "damaged_file")


def test_unlock_tells_beforehand_what_stands_in_the_way(visitor, tmp_path):
    plain = make.text(tmp_path / "普通.pdf", 1)
    restricted = make_broken.encrypted(tmp_path / "受限.pdf", plain, user="")
    locked = make_broken.encrypted(tmp_path / "上锁.pdf", plain, user="芝麻")
    visitor.open("/PdfUnlock").drop(plain)
    expect(visitor.see("protection")).to_have_attribute("data-kind", "none")
    expect(visitor.see("start-hint")).to_contain_text("不需要解锁")
    visitor.see("add-files").locator("input").set_input_files([str(restricted), str(locked)])
    expect(visitor.see("protection")).to_have_count(3)
    kinds = [row.get_by_test_id("protection") for row in visitor.see("file-row").all()]
    assert [kind.get_attribute("data-kind") for kind in kinds] == ["none", "restricted", "locked"]


def test_a_long_result_scrolls_in_its_own_room(desk, tmp_path):
    """The page is as high as the window, and only pages in sight are drawn."""
    desk.open("/PdfRotate").drop(make.text(tmp_path / "长.pdf", 60))
    desk.finish()
    expect(desk.page.locator(".preview-pages canvas").first).to_be_visible()
    assert desk.page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    assert desk.page.locator(".preview-pages > li").count() < 8
