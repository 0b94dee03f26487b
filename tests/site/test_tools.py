"""The tools as a person uses them: drop, look, start, wait, read the receipt, save, open the file."""

import json
import re
import zipfile

import pikepdf
from PIL import Image
from playwright.sync_api import expect

from tests import look, make, make_chinese, make_office, make_scan, make_scans
from tests.site.conftest import DESKTOP_ONLY, PHONE_ONLY

LONG = "关于二〇二六年度第三季度采购合同的补充协议书（最终版，请勿外传）.pdf"


def test_compress_another_level_continue_and_delete(visitor, tmp_path):
    visitor.open("/PdfCompress")
    visitor.is_in("Default")
    path = make_scan.scan(tmp_path / LONG, 2)
    visitor.drop(path)
    expect(visitor.see("thumbnail")).to_be_visible()
    visitor.finish()
    visitor.is_in("Success")
    expect(visitor.see("receipt-line").first).to_contain_text("→")
    expect(visitor.see("expires")).to_contain_text("12")
    saved = visitor.save(tmp_path / "out")
    assert saved.name == LONG.replace(".pdf", "_压缩.pdf")
    assert saved.stat().st_size < path.stat().st_size
    assert look.looks_like(saved, path) > 0.98
    expect(visitor.see("compare").locator('[data-phase="drawn"]')).to_have_count(2)
    visitor.see("compare-slider").press("ArrowRight")
    expect(visitor.see("compare-slider")).to_have_value("51")

    before = visitor.see("result").get_attribute("data-size") or ""
    visitor.see("level").first.click()
    expect(visitor.see("result")).not_to_have_attribute("data-size", before)

    uploads = []
    visitor.page.on("request", lambda request: uploads.append(request.url) if request.method == "PUT" else None)
    visitor.see("continue").locator('[data-tool="rotate"]').click()
    expect(visitor.see("file-row").first).to_be_visible()
    visitor.is_at("/PdfRotate")
    visitor.finish()
    assert uploads == []
    expect(visitor.see("preview").locator('[data-phase="drawn"]').first).to_be_visible()

    visitor.see("delete").click()
    visitor.see("delete-confirm").click()
    expect(visitor.see("file-input").first).to_be_attached()
    visitor.is_in("Default")


def test_merge_keeps_the_order_and_the_bookmarks(visitor, tmp_path):
    visitor.open("/PdfMerge")
    one, two = make.rich(tmp_path / "文件10.pdf", 4), make.rich(tmp_path / "文件2.pdf", 4)
    visitor.drop(one)
    expect(visitor.see("start-hint")).to_contain_text("再添加一个文件")
    expect(visitor.see("start")).to_be_disabled()
    visitor.see("add-files").locator("input").set_input_files(str(two))
    expect(visitor.see("start")).to_have_text("合并 2 个文件 · 8 页")
    expect(visitor.see("editor")).to_be_visible()
    visitor.page.get_by_text("按名称排序").click()
    visitor.finish()
    expect(visitor.see("trust")).to_contain_text("书签")
    expect(visitor.see("trust")).to_contain_text("都在")
    saved = visitor.save(tmp_path / "out")
    assert look.page_count(saved) == 8
    assert saved.name.startswith("文件2_合并")
    assert len(look.outline_of(saved)) == 2 * len(look.outline_of(one))


def test_split_by_cut_marks(visitor, tmp_path):
    visitor.open("/PdfSplit")
    visitor.drop(make.text(tmp_path / "书.pdf", 5))
    expect(visitor.see("start-hint")).to_contain_text("还没有切口")
    expect(visitor.see("start")).to_be_disabled()
    visitor.page.get_by_role("button", name="在第 2 页后切开").click()
    expect(visitor.see("start")).to_have_text("拆成 2 份")
    visitor.finish()
    expect(visitor.see("result")).to_have_count(2)
    with zipfile.ZipFile(visitor.save(tmp_path / "out", testid="download-all")) as archive:
        names = sorted(archive.namelist())
        archive.extractall(tmp_path / "parts")
    assert [look.page_count(tmp_path / "parts" / name) for name in names] == [2, 3]


def test_rotate_one_page_in_the_grid(visitor, tmp_path):
    visitor.open("/PdfRotate")
    path = make.text(tmp_path / "页.pdf", 3)
    visitor.drop(path)
    visitor.page.get_by_role("button", name="第 2 页向右转").click()
    visitor.finish()
    with pikepdf.open(visitor.save(tmp_path / "out")) as pdf:
        assert [page.rotation for page in pdf.pages] == [0, 90, 0]


def test_watermark_shows_what_it_will_draw(visitor, tmp_path):
    visitor.open("/watermark")
    path = make_chinese.chinese(tmp_path / "合同.pdf", 2)
    visitor.drop(path)
    visitor.page.locator("textarea").first.fill("机密 ①€龘𠮷")
    expect(visitor.see("marked-page").first.locator('[data-phase="drawn"]')).to_be_visible()
    visitor.finish()
    saved = visitor.save(tmp_path / "out")
    assert "机密 ①€龘𠮷" in look.text_of(saved, 2)
    assert look.ink(look.render(saved)) > look.ink(look.render(path))


@DESKTOP_ONLY
def test_word_to_pdf(visitor, tmp_path):
    visitor.open("/Word2Pdf")
    visitor.drop(make_office.chapters(tmp_path / "论文.docx"))
    visitor.finish()
    saved = visitor.save(tmp_path / "out")
    assert look.outline_of(saved)
    assert "第" in look.text_of(saved)


@PHONE_ONLY
def test_pdf_to_image_predicts_its_pixels(visitor, tmp_path):
    visitor.open("/Pdf2Image")
    visitor.drop(make.text(tmp_path / "图.pdf", 2))
    expect(visitor.page.get_by_text("1240 × 1755")).to_be_visible()
    visitor.finish()
    expect(visitor.see("result")).to_have_count(2)
    expect(visitor.see("gallery-drawn")).to_have_count(2)
    visitor.see("gallery-picture").first.click()
    expect(visitor.see("preview")).to_contain_text("1240 × 1755")
    with Image.open(visitor.save(tmp_path / "out")) as picture:
        assert picture.size == (1240, 1755)


def test_image_to_text_beside_its_picture(visitor, tmp_path):
    visitor.open("/Image2Text")
    visitor.drop(make_scans.page(["纸鹤让文档变得简单", "第二行文字"]).save(tmp_path / "照片.png"))
    visitor.finish()
    visitor.see("data-files").click()
    told = json.loads(visitor.save(tmp_path / "out", testid="download-data").read_text())
    assert told["pages"][0]["paragraphs"][0]["text"].startswith("纸鹤")
    expect(visitor.see("correction")).to_be_visible()
    text = visitor.see("correction").locator("textarea").first
    expect(text).to_have_value(re.compile("纸鹤让文档变得简单"))


@DESKTOP_ONLY
def test_big_split(visitor, tmp_path):
    visitor.open("/BigPdfSplit")
    visitor.drop(make.text(tmp_path / "大书.pdf", 12))
    visitor.options().get_by_text("每 N 页", exact=True).click()
    visitor.finish()
    with zipfile.ZipFile(visitor.save(tmp_path / "out", testid="download-all")) as archive:
        archive.extractall(tmp_path / "parts")
    assert [look.page_count(path) for path in (tmp_path / "parts").iterdir()] == [1] * 12
