"""Redaction: what hides a secret in ways of its own, vertical lines, patterns, masks and pictures of letters."""

from pathlib import Path

import pikepdf
import pytest
from pikepdf import Array, Dictionary, Name

from tests import look
from tests.make_chinese import chinese_font, hexadecimal
from tests.running import Ran, run_tool
from tests.tools.test_redact_rest import EDGE, apart

#: Two columns; their letters are 20 points high.
COLUMNS = ("第章合同发票测试文档", "一二三四五六七八九十")


def redacted(folder: Path, source: Path, *box: float) -> Ran:
    act = {"kind": "redact", "page": 1, "boxes": [list(box)], "look": "none"}
    return run_tool("edit", folder / "run", [source], acts=[act])


def rest_is_kept(source: Path, result: Path, *box: float, beside: int = 2) -> bool:
    found = apart(source, result, list(box), beside)
    return all(each.max() <= most for each, most in zip(found, EDGE, strict=True))


@pytest.mark.parametrize(
    ("told", "value", "kept"),
    [
        ("DW2", [880, -1000], ("第章合同票测试文档", COLUMNS[1])),
        ("DW2", [500, -1500], ("第章合发票测试文档", COLUMNS[1])),
        ("W2", [0, 60000, -1200, 300, 700], ("第章合票测试文档", COLUMNS[1])),
    ],
)
def test_letters_of_a_column_go_and_those_beside_stay(tmp_path: Path, told: str, value: list[int], kept: tuple[str]):
    """Wherever the font hangs its letters from, and however far one is from the next."""
    with pikepdf.new() as pdf:
        font = chinese_font(pdf)
        font.Encoding = Name("/Identity-V")
        font.DescendantFonts[0][f"/{told}"] = Array(value)
        pdf.add_blank_page(page_size=(400, 400))
        page = pdf.pages[0].obj
        page.Resources = Dictionary(Font=Dictionary(F1=font))
        page.Contents = pdf.make_stream(
            b"BT /F1 20 Tf 150 380 Td %b Tj 40 0 Td %b Tj ET" % tuple(map(hexadecimal, COLUMNS))
        )
        pdf.save(tmp_path / "a.pdf")
    ran = redacted(tmp_path, tmp_path / "a.pdf", 125, 102, 45, 16)
    assert ran.problem is None and tuple(look.text_of(ran.path).split()) == kept
    assert rest_is_kept(tmp_path / "a.pdf", ran.path, 125, 102, 45, 16, beside=30)
