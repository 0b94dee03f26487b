"""Gaps beside Chinese letters: blanks, or only how a line is spread and how Latin letters are kept apart."""

from pathlib import Path

import pymupdf
import pytest

from cluster.engines.layout.letters import text_of
from cluster.engines.layout.model import Span, Style, TextLine
from cluster.engines.reading.digital import sheet_of

SIZE = 20.0


def read(tmp_path: Path, *pieces: str | float) -> list[str]:
    """What is read of texts on one line; a number between two is the gap's width in sizes of letters."""
    page, at = pymupdf.open().new_page(), 60.0
    for piece in pieces:
        if isinstance(piece, float):
            at += piece * SIZE
            continue
        name = "helv" if piece.isascii() else "korea" if piece[0] >= "\uac00" else "china-s"
        page.insert_text((at, 100), piece, fontsize=SIZE, fontname=name)
        at += pymupdf.get_text_length(piece, name, SIZE)
    return [line.text for line in sheet_of(page, tmp_path).lines]


@pytest.mark.parametrize(
    ("pieces", "text"),
    [
        (["第二节", 0.5, "公司基本情况"], "第二节 公司基本情况"),
        (["□", 0.45, "是", 0.45, "√", 0.45, "否"], "□ 是 √ 否"),
        (["흐린", 0.28, "품이", 0.28, "눈이"], "흐린 품이 눈이"),
        (["合计", 0.6, "USD"], "合计 USD"),
        (["单", 0.1, "位", 0.1, "元", 0.6, "人", 0.1, "民", 0.1, "币"], "单位元 人民币"),
    ],
)
def test_a_gap_beside_chinese_letters_is_a_blank(tmp_path: Path, pieces: list[str | float], text: str) -> None:
    assert read(tmp_path, *pieces) == [text]


@pytest.mark.parametrize(
    ("pieces", "text"),
    [
        (["公司", 0.25, "2018", 0.25, "年", 0.25, "04", 0.25, "月"], "公司2018年04月"),
        (["中", 0.5, "华", 0.5, "人", 0.5, "民"], "中华人民"),
        (["第一，", 0.5, "第二（", 0.5, "三）"], "第一，第二（三）"),
    ],
)
def test_letters_that_are_only_set_apart_get_none(tmp_path: Path, pieces: list[str | float], text: str) -> None:
    """Word keeps Latin letters a quarter from Chinese ones by itself; a blank there would come on top of it."""
    assert read(tmp_path, *pieces) == [text]


def test_blanks_that_are_written_stay(tmp_path: Path) -> None:
    assert read(tmp_path, "第 二 节 ", "2018 ", "年") == ["第 二 节 2018 年"]


def test_latin_words_beside_them_are_read_as_before(tmp_path: Path) -> None:
    assert read(tmp_path, "one", 0.3, "two", 0.5, "三") == ["one two 三"]


@pytest.mark.parametrize(
    ("lines", "text"),
    [
        (("下达的2021", "年计划"), "下达的2021年计划"),
        (("下达的2021 ", "年计划"), "下达的2021 年计划"),
        (("关于", "PSR的工作"), "关于PSR的工作"),
        (("he said “yes”", "and left"), "he said “yes” and left"),
        (("흐린 품이", "눈이"), "흐린 품이 눈이"),
    ],
)
def test_lines_are_joined_as_they_were_written(lines: tuple[str, str], text: str) -> None:
    style = Style("Any", 10)
    assert text_of(TextLine((0, 0, 90, 10), 9, (Span(line, style),)) for line in lines) == text


@pytest.mark.parametrize(("pushed", "text"), [(278, "1,540.0"), (556, "1,540. 0")])
def test_a_point_whose_font_tells_no_width_tears_no_number(tmp_path: Path, pushed: int, text: str) -> None:
    """Its digit is pushed to where the point would end, and MuPDF takes that for a blank."""
    page = pymupdf.open().new_page()
    page.insert_text((60, 100), "1")
    document, font = page.parent, page.get_fonts()[0][0]
    document.xref_set_key(font, "FirstChar", "44")
    document.xref_set_key(font, "LastChar", "57")
    document.xref_set_key(font, "Widths", f"[278 333 0 278 {'556 ' * 10}]")
    content = document.xref_stream(page.get_contents()[0])
    document.update_stream(page.get_contents()[0], content.replace(b"[<31>]TJ", b"[(1,540.) %d (0)]TJ" % -pushed))
    page = pymupdf.open(stream=document.tobytes())[0]
    assert [line.text for line in sheet_of(page, tmp_path).lines] == [text]
