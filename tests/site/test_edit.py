"""Editing as a person does it: lines changed, words added, marked and removed, forms filled; all of it read back."""

import json
import re
import shutil
import sys
from pathlib import Path

import numpy
import pikepdf
import pypdfium2
import pytest
from playwright.sync_api import expect

from tests import look, make, make_edit
from tests.corpus import CORPUS
from tests.site.audit import chinese, violations
from tests.site.conftest import DESKTOP_ONLY, PHONE_ONLY, Visitor

sys.modules.setdefault("onnxruntime", None)  # type: ignore[arg-type]  # PyMuPDF would load its models
import pymupdf  # noqa: E402

SAMPLES = Path(__file__).parents[1] / "samples"
NEW_LINE, ADDED = "合同 第三章 一二三四五六七", "甲方已核对 checked"


def mode(visitor: Visitor, name: str) -> None:
    visitor.page.locator(f'[data-mode="{name}"]').click()
    expect(visitor.page.locator(f'[data-mode="{name}"]')).to_have_attribute("aria-checked", "true")


def drag(visitor: Visitor, start: tuple[float, float], end: tuple[float, float]) -> None:
    """By the mouse, between two places given as shares of the first page, whose upper part is brought in sight."""
    visitor.page.locator(".canvas-room").evaluate("room => { room.scrollTop = 0; }")
    box = visitor.page.locator('.canvas-page[data-page="1"]').bounding_box()
    assert box
    (x0, y0), (x1, y1) = [(box["x"] + x * box["width"], box["y"] + y * box["height"]) for x, y in (start, end)]
    mouse = visitor.page.mouse
    mouse.move(x0, y0)
    mouse.down()
    mouse.move((x0 + x1) / 2, (y0 + y1) / 2, steps=3)
    mouse.move(x1, y1, steps=3)
    mouse.up()


def undo(visitor: Visitor, name: str = "撤销") -> None:
    visitor.page.get_by_role("button", name=name, exact=True).click()


def readers(path: Path) -> list[str]:
    """What three readers that share no code find on the first page, comments included."""
    with pymupdf.open(path) as document:
        notes = [note.info["content"] for note in document[0].annots()]
        mupdf = document[0].get_text() + "".join(notes)
    with pypdfium2.PdfDocument(path) as document:
        pdfium = document[0].get_textpage().get_text_bounded()
    with pikepdf.open(path) as pdf:
        comments = "".join(str(each.get("/Contents", "")) for each in pdf.pages[0].get("/Annots", []))
    return [mupdf, pdfium + comments, look.text_of(path) + comments]


def squeezed(text: str) -> str:
    return "".join(text.split())


def test_a_line_of_a_contract_is_changed_and_words_are_added(visitor, tmp_path):
    """Nothing is offered before something is changed; Esc gives up, Enter keeps; undo and redo go through all of it."""
    visitor.open("/PdfEdit").drop(make_edit.contract(tmp_path / "采购合同补充协议书（最终版）.pdf"))
    line = visitor.page.get_by_role("button", name=f"改这一行：{make_edit.PARTY}")
    expect(line).to_be_visible()
    expect(visitor.see("start")).to_be_disabled()
    drawn = visitor.page.get_by_role("button", name="改这一行：AA")
    expect(drawn).to_have_attribute("data-locked", "text_drawn")
    drawn.focus()
    expect(drawn.get_by_text("逐笔画成")).to_be_in_viewport(ratio=0.9)
    visitor.page.keyboard.press("Enter")
    expect(visitor.see("writing")).to_have_count(0)
    line.click()
    visitor.see("writing").fill("不要")
    visitor.page.keyboard.press("Escape")
    expect(line).to_be_visible()
    line.click()
    visitor.see("writing").fill(NEW_LINE)
    visitor.page.keyboard.press("Enter")
    expect(visitor.page.get_by_role("button", name=f"已改的行：{NEW_LINE}")).to_be_visible()
    expect(visitor.see("start")).to_have_text("保存 1 处修改")

    mode(visitor, "text")
    drag(visitor, (0.1, 0.02), (0.5, 0.05))
    visitor.see("writing").fill(ADDED)
    visitor.page.keyboard.press("Escape")
    expect(visitor.see("start")).to_have_text("保存 2 处修改")
    visitor.page.get_by_label("写入页面").check()
    undo(visitor)
    expect(visitor.page.get_by_label("写入页面")).not_to_be_checked()
    undo(visitor)
    expect(visitor.see("start")).to_have_text("保存 1 处修改")
    undo(visitor)
    expect(visitor.see("start")).to_be_disabled()
    for _ in range(3):
        undo(visitor, "重做")
    expect(visitor.see("start")).to_have_text("保存 2 处修改")
    assert violations(visitor.page) == []
    visitor.finish()
    for text in readers(visitor.save(tmp_path / "out")):
        found = squeezed(text)
        assert squeezed(NEW_LINE) in found and squeezed(ADDED) in found
        assert squeezed(make_edit.PARTY) not in found
        assert squeezed(make_edit.SUM) in found


#: By language: the page, a real document, a line of it and what that becomes, and a heading that goes, with its place.
REAL = {
    "en": ("/en/PdfEdit", "word/docx4j_toc.pdf", "Discrimination", "Segregation",
           "United Nations Declaration on the", (0.15, 0.06, 0.85, 0.105)),
    "zh": ("/PdfEdit", "word/made_zh_two.pdf", "大问题三项，已全部整改完毕。", "大问题四项，尚未全部整改完毕。",
           "二〇二五年度安全检查报告（内部资料）", (0.12, 0.045, 0.55, 0.068)),
}  # fmt: skip


@pytest.mark.skipif(not (CORPUS / "word").exists(), reason="no collection of foreign files here")
@pytest.mark.parametrize("language", list(REAL))
def test_a_real_document_is_edited_in_either_language(visitor, tmp_path, language):
    """One line changed, one heading redacted, on the desktop and the phone; read back by three readers."""
    address, name, was, words, heading, (left, top, right, bottom) = REAL[language]
    shutil.copyfile(CORPUS / name, source := tmp_path / "Declaration.pdf")
    visitor.open(address).drop(source)
    line = visitor.page.get_by_role("button", name=re.compile(f"[:：] ?{re.escape(was)}$")).first
    line.click()
    visitor.see("writing").fill(words)
    visitor.page.keyboard.press("Enter")
    mode(visitor, "redact")
    drag(visitor, (left, top), (right, bottom))
    expect(visitor.see("start")).to_have_text(re.compile("2"))
    if language == "en":
        assert chinese(visitor.page, *readers(source)) == []
    assert violations(visitor.page) == []
    visitor.finish()
    if language == "en":
        assert chinese(visitor.page) == []
    (tmp_path / "out").mkdir()
    for before, after in zip(readers(source), readers(result := visitor.save(tmp_path / "out")), strict=True):
        old, new = squeezed(before), squeezed(after)
        assert new.count(squeezed(words)) == old.count(squeezed(words)) + 1
        assert new.count(squeezed(was)) == old.count(squeezed(was)) - 1
        assert squeezed(heading) in old and squeezed(heading) not in new
    with pymupdf.open(source) as before, pymupdf.open(result) as after:
        assert [page.get_text() for page in before][1:] == [page.get_text() for page in after][1:]


@DESKTOP_ONLY
def test_marked_drawn_noted_moved_and_deleted(visitor, tmp_path):
    visitor.open("/PdfEdit").drop(make.text(tmp_path / "会议.pdf", 2))
    mode(visitor, "mark")
    piece = visitor.page.locator(".text-piece").first
    words = piece.inner_text()
    box = piece.bounding_box()
    assert box
    visitor.page.mouse.move(box["x"] + 1, box["y"] + box["height"] / 2)
    visitor.page.mouse.down()
    visitor.page.mouse.move(box["x"] + box["width"] - 1, box["y"] + box["height"] / 2, steps=5)
    visitor.page.mouse.up()
    expect(visitor.see("thing")).to_have_count(1)
    # By the keyboard: a letter chooses the tool, Enter puts a thing in the middle, arrows and keys do the rest.
    visitor.page.locator('[data-mode="mark"]').focus()
    visitor.page.keyboard.press("d")
    visitor.see("trace").first.focus()
    visitor.page.keyboard.press("Enter")
    expect(visitor.see("thing")).to_have_count(2)
    shape = visitor.see("thing").nth(1)
    shape.focus()
    before = shape.get_attribute("aria-label")
    for _ in range(3):
        visitor.page.keyboard.press("Shift+ArrowDown")
    expect(shape).not_to_have_attribute("aria-label", str(before))
    visitor.page.keyboard.press("Control+d")
    expect(visitor.see("thing")).to_have_count(3)
    visitor.see("thing").nth(2).focus()
    visitor.page.keyboard.press("Delete")
    expect(visitor.see("thing")).to_have_count(2)
    mode(visitor, "note")
    drag(visitor, (0.8, 0.1), (0.8, 0.1))
    visitor.see("writing").fill("请法务确认")
    visitor.page.keyboard.press("Control+Enter")
    expect(visitor.see("thing")).to_have_count(3)
    visitor.finish()
    with pikepdf.open(visitor.save(tmp_path / "out")) as pdf:
        kinds = [str(each.Subtype) for each in pdf.pages[0].Annots]
        marked = next(each for each in pdf.pages[0].Annots if each.Subtype == "/Highlight")
        assert str(marked.Contents).strip() == words.strip()
    assert sorted(kinds) == ["/Highlight", "/Popup", "/Square", "/Text"]


def secret(path: Path) -> Path:
    """Numbers to be found by their check digits, and words that look like them."""
    with make.edit(make.text(path, 2, lines=1)) as pdf:
        lines = [b"ID 11010519491231002X", b"not 110105194912310021", b"call 13800138000 now", b"order 99138001380007"]
        drawn = b" ".join(b"1 0 0 1 60 %d Tm (%b) Tj" % (600 - 30 * at, line) for at, line in enumerate(lines))
        pdf.pages[1].obj.Contents = pdf.make_stream(b"BT /F1 14 Tf %b ET" % drawn)
    return path


def test_what_is_redacted_is_nowhere_in_the_file(visitor, tmp_path):
    visitor.open("/PdfEdit").drop(secret(tmp_path / "名单.pdf"))
    mode(visitor, "redact")
    expect(visitor.page.get_by_text("真正删除，无法恢复").first).to_be_visible()
    drag(visitor, (0.02, 0.02), (0.9, 0.12))
    expect(visitor.see("thing")).to_have_count(1)
    mode(visitor, "find")
    for preset in ("身份证号", "手机号"):
        visitor.page.get_by_label(preset, exact=True).check()
    visitor.see("find").click()
    expect(visitor.see("find-status")).to_have_attribute("data-count", "2")
    assert violations(visitor.page) == []
    visitor.see("hide").click()
    expect(visitor.see("planned")).to_contain_text("涂去 2 处：身份证号、手机号")
    visitor.finish()
    saved = visitor.save(tmp_path / "out")
    everything = look.all_bytes(saved)
    for gone in (b"11010519491231002X", b"13800138000 ", b"Page 1"):
        assert gone not in everything, gone
    left = look.texts_of(saved)
    assert "Page" not in left[0]
    assert all(kept in left[1] for kept in ("110105194912310021", "99138001380007", "call", "now"))
    assert "11010519491231002X" not in left[1] and "call 138" not in left[1]


@PHONE_ONLY
def test_a_form_is_filled_on_a_phone(visitor, tmp_path):
    visitor.open("/PdfEdit").drop(make_edit.questionnaire(tmp_path / "登记表.pdf"))
    expect(visitor.see("form-fields")).to_have_attribute("data-count", "6")
    field = visitor.page.locator
    field('[data-field="name"]').fill("欧阳娜娜")
    field('[data-field="comb"]').fill("100081")
    field('[data-field="agree"]').check()
    field('[data-field="city"]').select_option(label="上海")
    visitor.page.get_by_label("表单项 size Large").check()
    expect(visitor.see("start")).to_have_text("保存 5 处修改")
    undo(visitor)
    expect(visitor.page.get_by_label("表单项 size Large")).not_to_be_checked()
    undo(visitor, "重做")
    assert violations(visitor.page) == []
    visitor.finish()
    values = look.fields_of(visitor.save(tmp_path / "out"))
    assert values == {"name": "欧阳娜娜", "comb": "100081", "agree": "/On", "city": "sh", "size": "/Large"}


@PHONE_ONLY
def test_a_button_without_a_look_is_chosen(visitor, tmp_path):
    """Two buttons that readers draw nothing for: each has its place, and the one that is tapped is on in the result."""
    path = make_edit.questionnaire(tmp_path / "登记表.pdf")
    with make.edit(path) as pdf:
        for kid in pdf.Root.AcroForm.Fields[-1].Kids:
            del kid.AP
    visitor.open("/PdfEdit").drop(path)
    buttons = visitor.page.locator('[data-field="size"]')
    expect(buttons).to_have_count(2)
    buttons.nth(1).check()
    expect(buttons.nth(0)).not_to_be_checked()
    visitor.finish()
    saved = visitor.save(tmp_path / "out")
    assert look.fields_of(saved)["size"] == "/1"
    with pikepdf.open(saved) as pdf:
        assert [str(kid.AS) for kid in pdf.Root.AcroForm.Fields[-1].Kids] == ["/Off", "/1"]


#: The box around all ink of a canvas, as shares of its sides: left, top, right, bottom.
INK = """canvas => {
  const {width, height} = canvas;
  const data = canvas.getContext('2d').getImageData(0, 0, width, height).data;
  const box = [width, height, 0, 0];
  for (let at = 0; at < width * height; at += 1) {
    if (data[at * 4 + 3] < 80) continue;
    const [x, y] = [at % width, Math.floor(at / width)];
    [box[0], box[1]] = [Math.min(box[0], x), Math.min(box[1], y)];
    [box[2], box[3]] = [Math.max(box[2], x + 1), Math.max(box[3], y + 1)];
  }
  return [box[0] / width, box[1] / height, box[2] / width, box[3] / height];
}"""


@DESKTOP_ONLY
@pytest.mark.parametrize("page", [2, 8, 11, 20])
def test_the_result_is_where_the_preview_drew_it(visitor, tmp_path, page):
    """Turned pages, a visible box off the origin, a unit of two: words that wrap and an arrow, within two points."""
    source = make.geometry(tmp_path / "geometry.pdf")
    with make.edit(source) as pdf:
        kept = pdf.pages[page - 1]
        turn, unit = kept.obj.get("/Rotate", 0), kept.obj.get("/UserUnit", 1)
        for number in range(len(pdf.pages), 0, -1):
            if number != page:
                del pdf.pages[number - 1]
        kept.obj.Contents = pdf.make_stream(b"")
    assert (turn, unit) != (0, 1)
    visitor.page.set_viewport_size({"width": 1440, "height": 2400})
    visitor.open("/PdfEdit").drop(source)
    expect(visitor.page.locator(".canvas-page")).to_have_count(1)
    mode(visitor, "text")
    drag(visitor, (0.15, 0.2), (0.4, 0.3))
    visitor.see("writing").fill("左上角的文字会换行 wraps as it should, line by line")
    visitor.page.keyboard.press("Escape")
    mode(visitor, "draw")
    visitor.page.get_by_role("button", name="箭头").click()
    visitor.page.get_by_label("颜色").fill("#000000")  # so that every spot of ink counts the same
    drag(visitor, (0.2, 0.6), (0.5, 0.8))
    expect(visitor.see("thing")).to_have_count(2)
    shown = visitor.page.locator(".canvas-marks:not([data-ink]) canvas").evaluate(INK)
    visitor.finish()
    drawn = look.render(visitor.save(tmp_path / "out"), 1, 144).convert("L")
    rows, columns = numpy.nonzero(numpy.asarray(drawn) < 175)
    found = columns.min(), rows.min(), columns.max() + 1, rows.max() + 1
    pixels = numpy.array(shown) * (drawn.size * 2)
    assert numpy.abs(pixels - found).max() / 2 <= 2, (pixels / 2, found)


def test_the_preview_wraps_as_the_server_does():
    from cluster.engines.edit.drawings import wrapped

    for case in json.loads((SAMPLES / "wrap.json").read_text("utf-8"))["wrap"]:
        lines = wrapped(case["text"], case["width"] / case["size"], case["font"], case["bold"])
        assert lines == case["lines"], case["text"]
