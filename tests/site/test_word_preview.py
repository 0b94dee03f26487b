"""A Word document is seen before it is converted, and after a PDF became one."""

from playwright.sync_api import expect

from tests import make, make_office


def test_a_word_file_is_seen_before_and_after(visitor, tmp_path):
    visitor.open("/Word2Pdf").drop(make_office.chapters(tmp_path / "论文.docx"))
    pages = visitor.see("word-pages")
    expect(pages).to_have_attribute("data-state", "shown")
    expect(pages.get_by_text("第2章")).to_be_visible()
    assert pages.evaluate("(figure) => figure.scrollWidth <= figure.clientWidth"), "a page is wider than its room"
    # The document names no paper: it is drawn on the format's, not on a scrap as wide as its words.
    page = pages.locator("section.docx").first
    assert page.evaluate("(section) => section.offsetHeight > section.offsetWidth && section.offsetWidth > 700")

    visitor.open("/Pdf2Word").drop(make.text(tmp_path / "页.pdf", 2))
    visitor.finish()
    expect(visitor.see("word-pages")).to_have_attribute("data-state", "shown")
    expect(visitor.see("word-pages").get_by_text("Line 2 of page 2")).to_be_attached()


def test_a_word_file_that_cannot_be_drawn_is_told_and_may_still_be_tried(desk, tmp_path):
    path = tmp_path / "坏.docx"
    path.write_bytes(make_office.chapters(tmp_path / "论文.docx").read_bytes()[:-900])
    desk.open("/Word2Pdf").drop(path)
    expect(desk.see("preview-empty")).to_contain_text("不能在这里预览")
    expect(desk.see("start")).to_be_enabled()
