"""The page tools as a person uses them, each from the drop to the download, chained where one goes on to the next."""

import os
import re
import shutil
from pathlib import Path

import pikepdf
import pypdfium2
from playwright.sync_api import Locator, expect

from tests import look, make, make_broken, make_slices
from tests.site.conftest import DESKTOP_ONLY, PHONE_ONLY, Visitor

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


@DESKTOP_ONLY
def test_arrange_with_a_locked_file_in_the_middle(visitor, tmp_path):
    inner = make.text(tmp_path / "里.pdf", 2, title="Inner {n}")
    files = [make.text(tmp_path / "甲.pdf", 3), make_broken.encrypted(tmp_path / "锁.pdf", inner, user="芝麻开门")]
    files.append(make.text(tmp_path / "乙.pdf", 1, title="Last {n}"))
    visitor.open("/PdfArrange").drop(*files)
    expect(visitor.see("board")).to_have_attribute("data-pages", "4")
    visitor.see("password").fill("芝麻开门")
    expect(visitor.see("board")).to_have_attribute("data-pages", "6")
    visitor.page.get_by_role("button", name="删除甲.pdf 第 2 页").click()
    expect(visitor.see("board")).to_have_attribute("data-pages", "5")
    visitor.see("undo").click()
    expect(visitor.see("board")).to_have_attribute("data-pages", "6")
    visitor.see("redo").click()
    expect(visitor.see("board")).to_have_attribute("data-pages", "5")
    faces(visitor).nth(2).click()
    visitor.page.get_by_role("button", name="复制", exact=True).click()
    expect(visitor.see("board")).to_have_attribute("data-pages", "6")
    visitor.options().locator("select").first.select_option(label="倒序")
    visitor.finish()
    texts = look.texts_of(visitor.save(tmp_path / "out"))
    assert [text.split("marker")[0].split() for text in texts] == [
        ["Last", "1"], ["Inner", "2"], ["Inner", "1"], ["Inner", "1"], ["Page", "3"], ["Page", "1"],
    ]  # fmt: skip


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


@PHONE_ONLY
def test_insert_where_a_page_is_clicked_then_blank_pages(visitor, tmp_path):
    first = make.text(tmp_path / "正文.pdf", 3)
    second = make.text(tmp_path / "插页.pdf", 2, size=(300, 400), title="More {n}")
    visitor.open("/InsertPdfPage").drop(first, second)
    expect(visitor.see("insert-result")).to_have_attribute("data-count", "5")
    faces(visitor).nth(0).click()
    expect(visitor.page.locator('.leaf-face[aria-pressed="true"]')).to_have_count(2)
    visitor.options().get_by_label("插入的页码").fill("2")
    expect(visitor.see("insert-result")).to_have_attribute("data-count", "4")
    visitor.finish()
    go_on(visitor, "blank")
    visitor.finish()
    saved = visitor.save(tmp_path / "out")
    assert [" ".join(text.split()[:2]) for text in look.texts_of(saved)] == [
        "Page 1", "More 2", "Page 2", "Page 3", "",
    ]  # fmt: skip


@PHONE_ONLY
def test_one_width_tells_the_sizes_beforehand(visitor, tmp_path):
    visitor.open("/UniformWidth").drop(make.text(tmp_path / "窄.pdf", 2, size=(300, 400)))
    visitor.options()
    expect(visitor.see("sizes")).to_contain_text("106 × 141 mm")
    visitor.options().get_by_label("统一为").select_option(label="A5（148 mm）")
    expect(visitor.see("sizes")).to_contain_text("148 × 197 mm")
    visitor.finish()
    with pypdfium2.PdfDocument(visitor.save(tmp_path / "out")) as document:
        assert {round(page.get_width()) for page in document} == {420}


@DESKTOP_ONLY
def test_segmentation_with_lines_that_are_dragged(visitor, tmp_path):
    path = make_slices.scanned(tmp_path / "书.pdf", [make_slices.spread(each) for each in (0.5, 0.47)])
    visitor.open("/pdfsegmentation").drop(path)
    page = visitor.see("sliced-page")
    expect(page.locator('[data-phase="drawn"]')).to_be_visible()
    expect(visitor.see("slices-result")).to_have_attribute("data-count", "4")
    expect(page.locator(".slice-number")).to_have_text(["1", "2"])
    visitor.options().get_by_label("阅读顺序").select_option(index=1)
    expect(page.locator(".slice-number").first).to_have_attribute("style", "left: 75%; top: 50%;")
    if visitor.see("options-toggle").is_visible():
        visitor.page.keyboard.press("Escape")
    room, area = visitor.page.locator(".sheet-room").bounding_box(), page.bounding_box()
    assert room and area and room["height"] > 500, "the pages fill the stage"
    mouse, middle = visitor.page.mouse, area["y"] + area["height"] / 3
    mouse.move(area["x"] + area["width"] / 2, middle)
    mouse.down()
    mouse.move(area["x"] + area["width"] * 0.35, middle, steps=4)
    mouse.up()
    line = page.locator(".slice-cut")
    line.press("Shift+ArrowLeft")
    expect(line).to_have_attribute("aria-label", re.compile(r"竖切线 1，在 (29\.\d|30\.\d)%，可拖动"))
    visitor.page.get_by_role("button", name="下一页").click()
    expect(page).to_have_attribute("data-page", "2")
    visitor.page.get_by_role("button", name="这一页不切").click()
    expect(visitor.see("slices-result")).to_have_attribute("data-count", "3")
    visitor.finish()
    with pypdfium2.PdfDocument(visitor.save(tmp_path / "out")) as result, pypdfium2.PdfDocument(path) as before:
        widths = [result[at].get_width() / before[0].get_width() for at in range(3)]
    assert [round(width, 2) for width in widths] == [0.7, 0.3, 1.0]


def reach(visitor: Visitor, target: Locator, key: str = "Tab", most: int = 60) -> None:
    """Go there with a key alone."""
    for _ in range(most):
        if target.evaluate("(one) => one === document.activeElement"):
            return
        visitor.page.keyboard.press(key)
    raise AssertionError(f"{target} is not reached by {key}")


def chosen_by_keyboard(visitor: Visitor, *files: Path) -> None:
    """The button that asks for files is pressed by a key; the system's own window is not the page's."""
    # Told to the browser now: it is not in force yet when the next call is made, and a key in between opens nothing.
    visitor.page.on("filechooser", lambda chooser: None)
    visitor.page.keyboard.press("Tab")
    reach(visitor, visitor.see("file-input").first)
    with visitor.page.expect_file_chooser() as chosen:
        visitor.page.keyboard.press("Enter")
    chosen.value.set_files([str(file) for file in files])
    expect(visitor.see("start")).to_be_attached()


def started_and_saved(visitor: Visitor, folder: Path) -> Path:
    expect(visitor.see("start")).to_be_enabled()
    reach(visitor, visitor.see("start"))
    visitor.page.keyboard.press("Enter")
    expect(visitor.see("done")).to_be_visible()
    reach(visitor, visitor.see("download").first, most=8)
    with visitor.page.expect_download() as begun:
        visitor.page.keyboard.press("Enter")
    path = folder / begun.value.suggested_filename
    begun.value.save_as(path)
    return path


@DESKTOP_ONLY
def test_rotate_by_keyboard_alone(visitor, tmp_path):
    visitor.open("/PdfRotate")
    chosen_by_keyboard(visitor, make.text(tmp_path / "页.pdf", 3))
    expect(faces(visitor)).to_have_count(3)
    reach(visitor, faces(visitor).first)
    visitor.page.keyboard.press("ArrowRight")
    visitor.page.keyboard.press("]")
    with pikepdf.open(started_and_saved(visitor, tmp_path / "out")) as pdf:
        assert [page.rotation for page in pdf.pages] == [0, 90, 0]


@DESKTOP_ONLY
def test_extract_by_keyboard_alone(visitor, tmp_path):
    """Nothing is chosen until something is, and nothing says that everything were."""
    visitor.open("/PdfExtract")
    chosen_by_keyboard(visitor, make.text(tmp_path / "页.pdf", 3))
    expect(faces(visitor)).to_have_count(3)
    expect(visitor.see("start")).to_be_disabled()
    expect(visitor.options().locator('.field-chip[aria-pressed="true"]')).to_have_count(0)
    reach(visitor, faces(visitor).first)
    visitor.page.keyboard.press("ArrowRight")
    visitor.page.keyboard.press("Enter")
    assert look.texts_of(started_and_saved(visitor, tmp_path / "out"))[0].startswith("Page 2")


@DESKTOP_ONLY
def test_merge_by_keyboard_alone(visitor, tmp_path):
    """The second file is lifted over the first."""
    files = [
        make.text(tmp_path / f"{name}.pdf", 1, title=f"{title} {{n}}") for name, title in (("甲", "A"), ("乙", "B"))
    ]
    visitor.open("/PdfMerge")
    chosen_by_keyboard(visitor, *files)
    reach(visitor, visitor.page.get_by_role("button", name="上移 乙.pdf"))
    visitor.page.keyboard.press("Enter")
    texts = look.texts_of(started_and_saved(visitor, tmp_path / "out"))
    assert [text[0] for text in texts] == ["B", "A"]
