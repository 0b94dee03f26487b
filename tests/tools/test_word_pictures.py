"""Where pictures and grounds go when a PDF becomes Word: beside their text, into headers, behind white words."""

import io
import zipfile
from pathlib import Path

import docx
import pikepdf
import pymupdf
import pytest
from docx.oxml.ns import qn
from pikepdf import Array, Dictionary, Name
from PIL import Image

from cluster.engines.export.ooxml import family
from cluster.engines.pdf.libraries import import_pymupdf
from tests import look, make, make_reading
from tests.make_reading import PROSE
from tests.running import run_tool

LOGO, PHOTO = (72, 20, 152, 44), (403, 80, 523, 240)


def resume(path: Path, pages: int = 3, cover: bool = False) -> Path:
    """A photograph beside the first page's text, white words in a dark box, a logo on each page (but the cover)."""
    document = import_pymupdf().open()
    logo, photo = (make.jpeg_bytes("", size) for size in ((160, 48), (240, 320)))
    for number in range(pages):
        sheet = make_reading.Sheet(document)
        if number or not cover:
            sheet.page.insert_image(LOGO, stream=logo)
        if not number:
            sheet.page.insert_image(PHOTO, stream=photo, keep_proportion=False)
            for at, text in enumerate(("姓名：纸鹤", "电话：13800000000", "学历：本科，计算机科学与技术专业")):
                sheet.line(72, text, y=110 + 40 * at)
            sheet.page.draw_rect((72, 260, 523, 300), fill=(0.1, 0.2, 0.4), color=None)
            sheet.page.insert_text((80, 285), "工作经历与主要成绩", fontsize=16, fontname="china-s", color=(1, 1, 1))
            sheet.y = 330
        for text in PROSE:
            sheet.prose(text[7 * number :])
    document.save(path)
    return path


@pytest.mark.started
def test_a_photograph_stays_beside_its_text(tmp_path, office_engine):
    path = resume(tmp_path / "简历.pdf")
    ran = run_tool("pdf_to_word", tmp_path / "out", [path])
    (drawn,) = run_tool("word_to_pdf", tmp_path / "back", [ran.path]).outputs
    assert look.page_count(drawn.path) == 3
    for page in (1, 2, 3):
        one = look.render(path, page)
        assert look.ssim(one, look.render(drawn.path, page).resize(one.size)) > 0.9, page


def test_a_picture_beside_what_goes_on_from_the_page_before_stays_on_its_page(tmp_path):
    document = import_pymupdf().open()
    first = make_reading.Sheet(document)
    for at in range(40):
        first.line(72, "满" * 40, y=100 + 16.5 * at)
    second = make_reading.Sheet(document)
    for at in range(3):
        second.line(72, "续" * (24 if at < 2 else 9), y=100 + 16.5 * at)
    second.page.insert_image((403, 80, 523, 150), stream=make.jpeg_bytes("", (240, 140)), keep_proportion=False)
    second.y = 300
    second.prose(PROSE[0])
    document.save(tmp_path / "goes on.pdf")
    path = run_tool("pdf_to_word", tmp_path / "out", [tmp_path / "goes on.pdf"]).path
    (held,) = [each for each in docx.Document(str(path)).paragraphs if "wp:anchor" in each._p.xml]
    assert "续" in held.text and "满" not in held.text


def test_white_words_keep_their_ground(tmp_path):
    document = docx.Document(str(run_tool("pdf_to_word", tmp_path / "out", [resume(tmp_path / "简历.pdf")]).path))
    (white,) = [each for each in document.paragraphs if "工作经历" in each.text]
    assert white._p.pPr.find(qn("w:shd")).get(qn("w:fill")) == "1A3366"
    assert all(each._p.pPr.find(qn("w:shd")) is None for each in document.paragraphs if "检查组" in each.text)


@pytest.mark.parametrize("cover", [False, True])
def test_a_logo_of_every_page_is_in_the_header(tmp_path, cover):
    path = run_tool("pdf_to_word", tmp_path / "out", [resume(tmp_path / "简历.pdf", cover=cover)]).path
    section = docx.Document(str(path)).sections[0]
    assert "wp:anchor" in section.header._element.xml
    assert section.different_first_page_header_footer is cover
    assert not cover or "wp:anchor" not in section.first_page_header._element.xml
    with zipfile.ZipFile(path) as file:
        assert file.read("word/document.xml").decode().count("wp:anchor ") == 1


def test_a_heading_is_italic_only_where_it_was(tmp_path):
    """The template's fourth heading is italic by itself."""
    document = import_pymupdf().open()
    sheet = make_reading.Sheet(document)
    for at, number in enumerate(("1", "1.1", "1.1.1", "1.1.1.1")):
        sheet.line(72, f"{number} Heading of depth {at + 1}", size=20 - 2 * at, font="hebo")
        sheet.y += 24
        sheet.prose(PROSE[0])
    document.save(tmp_path / "headings.pdf")
    read = docx.Document(str(run_tool("pdf_to_word", tmp_path / "out", [tmp_path / "headings.pdf"]).path))
    (deep,) = [each for each in read.paragraphs if each.text.startswith("1.1.1.1")]
    assert deep.style.name == "Heading 4" and all(run.font.italic is False for run in deep.runs)


def drawings(pdf: pikepdf.Pdf, letter: str) -> pikepdf.Dictionary:
    """A Type 3 font of one letter."""
    glyph = pdf.make_stream(b"600 0 0 0 500 700 d1 0 0 500 700 re f")
    return Dictionary(
        Type=Name.Font, Subtype=Name.Type3, FontBBox=Array([0, 0, 500, 700]),
        FontMatrix=Array([0.001, 0, 0, 0.001, 0, 0]), CharProcs=Dictionary({f"/{letter}": glyph}),
        FirstChar=ord(letter), LastChar=ord(letter), Widths=Array([600]), Resources=Dictionary(),
        Encoding=Dictionary(Differences=Array([ord(letter), Name(f"/{letter}")])),
    )  # fmt: skip


def test_letters_that_are_drawings_get_a_font_that_exists(tmp_path):
    """Chrome prints many faces as Type 3, with a font of its own for every few letters."""
    path = make.blank(tmp_path / "deck.pdf")
    with make.edit(path) as pdf:
        page = pdf.pages[0].obj
        page.Resources = Dictionary(Font=Dictionary(A=drawings(pdf, "A"), B=drawings(pdf, "B")))
        page.Contents = pdf.make_stream(b"BT /A 20 Tf 72 700 Td (AA) Tj /B 20 Tf (BB) Tj /A 20 Tf (A) Tj ET")
    read = docx.Document(str(run_tool("pdf_to_word", tmp_path / "out", [path], ocr="off").path))
    (text,) = [each for each in read.paragraphs if each.text]
    assert [(run.text, run.font.name) for run in text.runs] == [("AABBA", "Microsoft YaHei")]


@pytest.mark.parametrize(
    ("name", "meant"),
    [("CIDFont+F3", "Microsoft YaHei"), ("ABCDEF+NimbusMonL-Bold", "Courier New"), ("SimSun", "SimSun")],
)
def test_a_font_is_called_as_people_have_it(name, meant):
    assert family(name) == meant


def chart(page: pymupdf.Page) -> None:
    """Axes, a line that rises and falls, numbers at the axes, a legend; the drawing is at 150, 300 to 450, 480."""
    page.draw_line((150, 300), (150, 480))
    page.draw_line((150, 480), (450, 480))
    for at in range(4):
        page.insert_text((130, 484 - 50 * at), str(10 * at), fontsize=9)
        page.insert_text((150 + 90 * at, 492), f"Q{at + 1}", fontsize=9)
    page.draw_polyline([(150 + 20 * at, 470 - 80 * (at % 3) - at) for at in range(15)], color=(0.8, 0, 0))
    page.insert_text((330, 320), "Turnover", fontsize=9)


def test_a_chart_is_a_picture_with_its_words_and_text_stays_text(tmp_path):
    path = tmp_path / "chart.pdf"
    with import_pymupdf().open() as document:
        sheet = make_reading.Sheet(document)
        sheet.prose(PROSE[0])
        chart(sheet.page)
        sheet.y = 540
        sheet.prose(PROSE[1])
        document.save(path)
    ran = run_tool("pdf_to_word", tmp_path / "made", [path])
    result = docx.Document(str(ran.path))
    assert [each.text for each in result.paragraphs if each.text.strip()] == [*PROSE]
    (picture,) = result.inline_shapes
    told = picture._inline.docPr.get("descr").split()
    assert {"Turnover", "0", "30", "Q1", "Q4"} <= set(told)
    assert abs(picture.width.pt - 330) < 15 and abs(picture.height.pt - 200) < 20
    held = result.part.related_parts[picture._inline.graphic.graphicData.pic.blipFill.blip.embed].blob
    colours = dict(map(reversed, Image.open(io.BytesIO(held)).convert("RGB").getcolors(1 << 20)))
    assert colours[204, 0, 0] > 2000 and colours[0, 0, 0] > 2000
    assert ran.noted("drawings_pictured") == {"count": 1}


def test_boxes_with_round_corners_and_check_marks_are_no_drawings(tmp_path):
    path = tmp_path / "form.pdf"
    with import_pymupdf().open() as document:
        page = document.new_page()
        for number in range(6):
            page.draw_rect((72, 100 + 60 * number, 300, 140 + 60 * number), radius=0.2)
            page.draw_circle((90, 120 + 60 * number), 4)
            page.insert_text((110, 124 + 60 * number), f"Answer {number}")
        document.save(path)
    ran = run_tool("pdf_to_word", tmp_path / "made", [path])
    document = docx.Document(str(ran.path))
    assert not document.inline_shapes and ran.noted("drawings_pictured") is None
    assert "Answer 5" in "\n".join(each.text for each in document.paragraphs)


@pytest.mark.parametrize("heights", [(120, 60, 90, 30), (60, 60, 60, 60)])
def test_bars_of_several_heights_are_a_chart_and_cells_of_one_are_none(tmp_path, heights):
    path = tmp_path / "bars.pdf"
    with import_pymupdf().open() as document:
        page = document.new_page()
        page.insert_text((72, 100), "Turnover by quarter", fontsize=14)
        for at, high in enumerate(heights):
            page.draw_rect((100 + 60 * at, 400 - high, 150 + 60 * at, 400), color=None, fill=(0.2, 0.4, 0.8))
            page.insert_text((115 + 60 * at, 412), f"Q{at + 1}", fontsize=9)
        document.save(path)
    ran = run_tool("pdf_to_word", tmp_path / "made", [path])
    result = docx.Document(str(ran.path))
    assert len(result.inline_shapes) == (1 if len(set(heights)) > 1 else 0)
    assert "Turnover by quarter" in [each.text for each in result.paragraphs]


def test_drawings_side_by_side_are_one_picture(tmp_path):
    path = tmp_path / "two.pdf"
    with import_pymupdf().open() as document:
        page = document.new_page()
        for left in (100, 220):
            for reach in range(20, 100, 10):
                page.draw_circle((left + 50, 300), reach / 2)
        document.save(path)
    result = docx.Document(str(run_tool("pdf_to_word", tmp_path / "made", [path]).path))
    (picture,) = result.inline_shapes
    assert picture.width.pt > 210 and picture.height.pt < 110


def lying(page: pymupdf.Page, widths: tuple[int, ...], *, marked: str = "") -> None:
    """Bars that grow rightwards from 240, two parts each, their names before and values behind them."""
    for at, wide in enumerate(widths):
        top = 200 + 26 * at
        page.draw_rect((240, top, 240 + wide, top + 12), color=None, fill=(0.2, 0.4, 0.8))
        page.draw_rect((240 + wide, top, 260 + wide, top + 12), color=None, fill=(0.9, 0.5, 0.1))
        name = f"第{'一二三四五'[at]}产业的全年固定资产投资完成额"
        page.insert_text((236 - 9 * len(name), top + 9), name, fontsize=9, fontname="china-s")
        page.insert_text((264 + wide, top + 9), str(wide), fontsize=9)
        if marked == "words":
            page.insert_text((242, top + 9), "m" * (wide // 8), fontsize=9)
        if marked == "rules":
            page.draw_line((60, top - 7), (500, top - 7))


@pytest.mark.parametrize(
    ("widths", "marked", "turn", "pictures"),
    [
        ((190, 150, 100, 60), "", 0, 1),
        ((190, 150, 100, 60), "", 90, 1),
        ((190, 150, 100, 60), "words", 0, 0),
        ((190, 150, 100, 60), "rules", 0, 0),
        ((150, 150, 150, 150), "", 0, 0),
    ],
)
def test_lying_bars_are_a_chart_with_their_names(tmp_path, widths, marked, turn, pictures):
    """Words on coloured ground and bars in a table's cells are none; a turned page tells rectangles as lines."""
    path = tmp_path / "bars.pdf"
    with import_pymupdf().open() as document:
        page = document.new_page()
        page.insert_text((72, 100), "Investment by sector", fontsize=14)
        lying(page, widths, marked=marked)
        if turn:
            turned = import_pymupdf().open()
            sheet = turned.new_page(width=page.rect.height, height=page.rect.width)
            sheet.show_pdf_page(sheet.rect, document, 0, rotate=turn)
            sheet.set_rotation(turn)
            turned.save(path)
        else:
            document.save(path)
    ran = run_tool("pdf_to_word", tmp_path / "made", [path])
    result = docx.Document(str(ran.path))
    assert len(result.inline_shapes) == pictures
    texts = [each.text for each in result.paragraphs]
    assert "Investment by sector" in texts
    if pictures:
        told = result.inline_shapes[0]._inline.docPr.get("descr")
        assert "第四产业的全年固定资产投资完成额" in told and "190" in told
        assert not any("产业" in text for text in texts)
