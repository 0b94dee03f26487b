"""The page tools as a person uses them, each from the drop to the download, chained where one goes on to the next."""

import os
import shutil
from pathlib import Path

import pikepdf
from playwright.sync_api import Locator, expect

from tests import look, make
from tests.site.conftest import Visitor

CORPUS = Path(os.environ.get("PAPERCRANE_CORPUS", Path(__file__).parents[3] / "shared/corpus"))


def book(path: Path) -> Path:
    """A document of several pages that nobody here drew, where the corpus is; else one that is drawn."""
    found = CORPUS / "pypdfsamples/pdfs/side-by-side-subfig.pdf"
    for each in (found, *sorted((CORPUS / "pypdfsamples").rglob("*.pdf"))[:60]):
        if each.is_file() and 3 <= pages_of(each) <= 12:
            return Path(shutil.copyfile(each, path))
    return make.rich(path, 5)


def pages_of(path: Path) -> int:
    try:
        with pikepdf.open(path) as pdf:
            return 0 if pdf.is_encrypted else len(pdf.pages)
    except pikepdf.PdfError:
        return 0


def faces(visitor: Visitor) -> Locator:
    return visitor.page.locator(".leaf-face")


def go_on(visitor: Visitor, tool: str) -> None:
    """Take the results to another tool."""
    taker = visitor.see("continue").locator(f'[data-tool="{tool}"]')
    if not taker.is_visible():
        visitor.see("continue-more").locator("summary").click()
    taker.click()
    expect(visitor.see("options")).to_be_attached()


def test_extract_rotate_and_encrypt_in_one_go(visitor, tmp_path):
    """Without another upload; the form's password is measured while it is typed."""
    uploads = []
    visitor.page.on("request", lambda request: uploads.append(request.url) if request.method == "PUT" else None)
    visitor.open("/PdfExtract").drop(book(tmp_path / "书.pdf"))
    faces(visitor).nth(0).click()
    faces(visitor).nth(2).click()
    visitor.finish()
    sent = len(uploads)
    go_on(visitor, "rotate")
    visitor.page.get_by_role("button", name="第 2 页向右转").click()
    visitor.finish()
    go_on(visitor, "encrypt")
    visitor.options().get_by_label("打开密码", exact=True).fill("Kite7x hill over")
    expect(visitor.page.locator("[data-strength]")).to_have_attribute("data-strength", "3")
    visitor.finish()
    assert len(uploads) == sent
    with pikepdf.open(visitor.save(tmp_path / "out"), password="Kite7x hill over") as pdf:
        turns = [page.rotation for page in pdf.pages]
        assert len(turns) == 2 and (turns[1] - turns[0]) % 360 == 90


def test_blank_pages_are_shown_before_they_go(visitor, tmp_path):
    with make.edit(make.text(tmp_path / "扫描.pdf", 5)) as pdf:
        pdf.pages[1].obj.Contents = pdf.make_stream(b"")
        pdf.pages[2].obj.Contents = pdf.make_stream(b"BT /F1 9 Tf 290 20 Td (3) Tj ET")
        pdf.pages[3].obj.Contents = pdf.make_stream(b"1 g 0 0 50 50 re f")
    visitor.open("/PdfDelete").drop(tmp_path / "扫描.pdf")
    expect(faces(visitor)).to_have_count(5)
    blanks = visitor.options().get_by_label("空白页")
    blanks.select_option(label="删除空白页（不计扫描的噪点、装订孔）")
    expect(visitor.see("blanks")).to_have_attribute("data-count", "2")
    blanks.select_option(label="删除几乎空白的页（只有页码也算）")
    expect(visitor.see("blanks")).to_have_attribute("data-count", "3")
    struck = visitor.page.locator('.leaf-face[aria-pressed="true"]')
    expect(struck).to_have_count(3)
    faces(visitor).nth(1).click()
    faces(visitor).nth(0).click()
    expect(visitor.see("board-count")).to_have_attribute("data-count", "3")
    visitor.finish()
    assert [text.split()[:2] for text in look.texts_of(visitor.save(tmp_path / "out"))] == [[], ["Page", "5"]]
