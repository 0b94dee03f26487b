"""A huge file is shown from a few reads of its own: pages that nobody looks at are not read."""

from playwright.sync_api import expect

from tests import make_big

COUNT_READS = """
    window.reads = 0;
    const read = Blob.prototype.arrayBuffer;
    Blob.prototype.arrayBuffer = function () { window.reads += 1; return read.call(this); };
"""


def test_the_first_page_does_not_wait_for_all_others(desk, tmp_path):
    path = tmp_path / "大文件.pdf"
    make_big.big(path, pages=3000, bytes=200_000_000)
    desk.page.add_init_script(COUNT_READS)
    desk.open("/BigPdfSplit")
    desk.see("file-input").first.set_input_files(str(path))
    expect(desk.page.locator("[data-testid=editor] [data-phase=drawn]").first).to_be_visible()
    assert 0 < desk.page.evaluate("window.reads") < 300
