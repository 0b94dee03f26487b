"""PDF to scan: letters stand where their fonts' widths put them, to the fraction, as in the preview."""

from decimal import Decimal
from pathlib import Path

import numpy
import pikepdf
import pymupdf
import pytest
from pikepdf import Array, Dictionary, Name
from PIL import Image

from tests.running import run_tool
from tests.tools.test_pdf_to_scan import PLAIN, picture

#: Each letter is nine tenths of a thousandth of an em wider than a whole number: over a line two pixels.
LACK, DPI = 0.9, 150
TEXT = b"n" * 100 + b"|"
#: How the same line is shown; what stands for the font's codes is put in.
SHOWN = {
    "array": b"[(%b)-500(%b)-500(|)] TJ" % (b"n" * 49, b"n" * 49),
    "string": b"(%b) Tj" % TEXT,
    "hex": b"<%b> Tj" % TEXT.hex().encode(),
    "next line": b"12 TL 0 12 Td (%b) '" % TEXT,
    "escaped": b"(%b\\174) Tj" % (b"\\156" * 100),
}


def line(path: Path, shown: bytes, *, form: bool = False) -> Path:
    """A line of Helvetica whose widths have fractions, on the page or in a form that has no fonts of its own."""
    content = b"BT /F 10 Tf 20 20 Td %b ET" % shown
    with pikepdf.new() as pdf:
        page = pdf.add_blank_page(page_size=(620, 60))
        widths = Array([556 + Decimal(str(LACK))] * 95)
        font = Dictionary(
            Type=Name.Font, Subtype=Name.Type1, BaseFont=Name.Helvetica, FirstChar=32, LastChar=126, Widths=widths
        )
        page.Resources = Dictionary(Font=Dictionary(F=pdf.make_indirect(font)))
        if form:
            drawn = pdf.make_stream(content, Type=Name.XObject, Subtype=Name.Form, BBox=[0, 0, 620, 60])
            page.Resources.XObject, content = Dictionary(X=drawn), b"/X Do"
        page.Contents = pdf.make_stream(content)
        pdf.save(path)
    return path


def wide_codes(path: Path) -> Path:
    """The same with codes of two bytes (Identity-H), as programs embed their fonts today."""
    with pymupdf.open() as made:
        page = made.new_page(width=620, height=60)
        page.insert_font(fontname="own", fontbuffer=pymupdf.Font("helv").buffer)
        page.insert_text((20, 40), TEXT.decode(), fontname="own", fontsize=10)
        made.save(path)
    with pikepdf.open(path, allow_overwriting_input=True) as pdf:
        (font,) = pdf.pages[0].Resources.Font.values()
        font.DescendantFonts[0].W = Array([0, 3000, 556 + Decimal(str(LACK))])
        pdf.save(path)
    return path


def end_of(image: Image.Image) -> float:
    """The middle of the bar, in pixels."""
    ink = 255.0 - numpy.asarray(image.convert("L"), float)
    columns = ink.sum(axis=0)
    last = int(numpy.nonzero(columns > 200)[0][-1])
    near = slice(last - 4, last + 4)
    return float((columns[near] * numpy.arange(near.start, near.stop)).sum() / columns[near].sum())


def scanned_end(folder: Path, path: Path) -> float:
    ran = run_tool("pdf_to_scan", folder / "ran", [path], **PLAIN, dpi=DPI)
    assert ran.problem is None, ran.problem
    return end_of(picture(ran.path))


def true_end(path: Path) -> float:
    with pymupdf.open(path) as document:
        pixels = document[0].get_pixmap(dpi=4 * DPI)
    return end_of(Image.frombytes("RGB", (pixels.width, pixels.height), pixels.samples).reduce(4))


@pytest.mark.parametrize("kind", [*SHOWN, "form", "wide codes"])
def test_a_line_ends_where_its_widths_say(tmp_path: Path, kind: str) -> None:
    if kind == "wide codes":
        path = wide_codes(tmp_path / "a.pdf")
    else:
        path = line(tmp_path / "a.pdf", SHOWN.get(kind, SHOWN["string"]), form=kind == "form")
    assert abs(scanned_end(tmp_path, path) - true_end(path)) < 0.4


def test_names_that_are_no_text_leave_a_document_its_spacing(tmp_path: Path) -> None:
    """As fuzzers write them, and Chinese programs: a font beside has one, and is of one."""
    path = line(tmp_path / "a.pdf", SHOWN["string"])
    with pikepdf.open(path, allow_overwriting_input=True) as pdf:
        fonts = pdf.pages[0].Resources.Font
        fonts["/QQ"] = Dictionary(Type=Name.Font, Subtype=Name.Type1, BaseFont=Name.QQ)
        pdf.save(path)
    path.write_bytes(path.read_bytes().replace(b"/QQ", "/宋".encode("gbk")))
    assert abs(scanned_end(tmp_path, path) - true_end(path)) < 0.4
