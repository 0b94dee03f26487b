"""Compress shortens what pages draw with, and nothing that is drawn moves or changes, on whichever page."""

from collections.abc import Callable
from pathlib import Path

import pytest
from pikepdf import Array, Dictionary, Name, Pdf

from cluster.engines.draw.proof import prove
from cluster.engines.pdf.content import shorten
from cluster.kinds import PDF
from cluster.tool import Source
from tests import look, make_pictures
from tests.running import run_tool
from tests.two_readers import drift

TRAP = b"\x10 EI Q  1.0000 0 0 rg 0 0 400 300 re f q EI \x80"


def page_of(path: Path, content: bytes, pages: int = 1) -> Path:
    with Pdf.new() as pdf:
        for _ in range(pages):
            pdf.add_blank_page(page_size=(400, 300))
            page = pdf.pages[-1].obj
            picture = make_pictures.raw(pdf, make_pictures.drawing((64, 48)))
            page.Resources = Dictionary(XObject=Dictionary(Im0=picture))
            page.Contents = pdf.make_stream(content + b"\n" * 2000)
        pdf.save(path, compress_streams=False)
    return path


INLINE = (
    b"q 200.1234567 0 0 150.7654321 20 20 cm BI /W %d /H 1 /BPC 8 /CS /G ID " % len(TRAP) + TRAP + b"\nEI Q\n"
    b"0 0 1 rg 250.123456789 20.123456789 80 80 re f"
)
INLINE_ALONE = b"BI /W 8 /H %d /IM true ID " % len(TRAP) + TRAP + b"\nEI"
CONTENTS = {
    "samples that hold EI": INLINE,
    "big matrix": b"100000 0 0 100000 0 0 cm 0 0 1 rg 0.00123456789 0.00100000001 0.0012345678 0.0015 re f\n"
    b"1 0 0 1 -5.123456789 -7.987654321 cm 0.1 0.6 0.1 rg 5.124456789 7.988654321 0.00098765432 0.0008 re f",
    "picture on the edge of a pixel": b"0.72 0 0 0.72 0 0 cm q 99.9999995 0 0 50.0000004 100.0000003 99.9999996 cm "
    b"/Im0 Do Q",
    "deep strings": b"/P <</A (((((  a 1.123456789  )))))>> BDC 1 0 0 rg 20 20 90.5000000 90 re f EMC",
}  # fmt: skip


@pytest.mark.parametrize("level", ["light", "strong"])
@pytest.mark.parametrize("case", CONTENTS)
def test_nothing_moves(tmp_path: Path, case: str, level: str) -> None:
    source = page_of(tmp_path / "a.pdf", CONTENTS[case])
    ran = run_tool("compress", tmp_path / "run", [source], level=level, exact=level == "light")
    assert ran.noted("size") is not None
    assert drift(source, ran.path, dpi=300, patch=3) < (2 if level == "light" else 24)


@pytest.mark.parametrize(
    "before, after",
    [
        (b"1.5000 0.0 -0.10 w", b"1.5 0 -.1 w"),
        (b"1.123456789 w", b"1.12346 w"),
        (b"0.000123456789 w", b".000123457 w"),
        (b"1.123456789 0 0 1.50 0 0 cm 1.50 w", b"1.123456789 0 0 1.50 0 0 cm 1.5 w"),
        (b"(1.5000  x) Tj   % 1.500\n 2.0 w", b"(1.5000  x) Tj\n2 w"),
        (b"1.50 w (never closed", b"1.50 w (never closed"),
        (b"1.50.2 w", b"1.50.2 w"),
        (INLINE_ALONE + b" 1.50 w", INLINE_ALONE + b" 1.5 w"),
    ],
)
def test_numbers_are_cut_to_what_can_be_seen(before: bytes, after: bytes) -> None:
    assert shorten(before) == after


def test_a_big_matrix_keeps_more_digits() -> None:
    assert shorten(b"1.123456789 w", scale=1000) == b"1.12345679 w"


def _lettered(change: Callable[[bytes, int], bytes], path: Path, pages: int = 60) -> Path:
    with Pdf.new() as pdf:
        font = pdf.make_indirect(Dictionary(Type=Name.Font, Subtype=Name.Type1, BaseFont=Name.Helvetica))
        for number in range(pages):
            pdf.add_blank_page(page_size=(300, 300))
            page = pdf.pages[-1].obj
            page.Resources = Dictionary(Font=Dictionary(F1=font))
            page.Contents = pdf.make_stream(
                change(b"0.9 0.9 0.2 rg 50 50 20 9 re f BT /F1 9 Tf 20 200 Td (words) Tj ET", number)
            )
        pdf.save(path)
    return path


@pytest.mark.parametrize(
    "old, new", [(b"0.9 0.9 0.2", b"0.5 0.9 0.9"), (b"50 50 20 9", b"53 50 20 9")], ids=["colour", "place"]
)
@pytest.mark.parametrize("floor", [0.98, 0.9999])
def test_proof_finds_a_change_on_any_page(tmp_path: Path, old: bytes, new: bytes, floor: float) -> None:
    before = _lettered(lambda data, _: data, tmp_path / "a.pdf")
    after = _lettered(lambda data, number: data.replace(old, new) if number == 37 else data, tmp_path / "b.pdf")
    proof = prove(Source(before, "a.pdf", PDF, before.stat().st_size), after, floor)
    assert proof.unlike == {37}
    assert prove(Source(before, "a.pdf", PDF, before.stat().st_size), before, floor).good


def test_proof_reads_every_page(tmp_path: Path) -> None:
    before = _lettered(lambda data, _: data, tmp_path / "a.pdf", 300)
    after = _lettered(
        lambda data, number: data.replace(b"words", b"wards") if number == 177 else data, tmp_path / "b.pdf", 300
    )
    assert prove(Source(before, "a.pdf", PDF, before.stat().st_size), after, None).text_lost


def test_a_page_that_its_reader_refuses_is_no_fault(tmp_path: Path) -> None:
    source = page_of(tmp_path / "a.pdf", b"0 0 1 rg 20.500000 20 90 90 re f", 3)
    with Pdf.open(source, allow_overwriting_input=True) as pdf:
        pdf.pages[1].obj.MediaBox = Array([0, 0, 0, 0])
        pdf.save(source)
    ran = run_tool("compress", tmp_path / "run", [source])
    assert look.page_count(ran.path) == 3


def test_a_page_cropped_to_nothing_is_no_fault(tmp_path: Path) -> None:
    """PDFium's reader cannot draw it: it says so in a ValueError of its own."""
    source = page_of(tmp_path / "a.pdf", b"0 0 1 rg 20.500000 20 90 90 re f", 3)
    with Pdf.open(source, allow_overwriting_input=True) as pdf:
        pdf.pages[1].obj.CropBox = Array([900, 900, 1000, 1000])
        pdf.save(source)
    ran = run_tool("compress", tmp_path / "run", [source])
    assert ran.problem is None
    assert ran.noted("size") is not None
    assert look.page_count(ran.path) == 3


def test_proof_goes_on_after_a_page_that_mupdf_refuses(tmp_path: Path) -> None:
    source = page_of(tmp_path / "a.pdf", b"0 0 1 rg 20.500000 20 90 90 re f", 3)
    with Pdf.open(source, allow_overwriting_input=True) as pdf:
        pdf.Root.Pages.Kids[1] = None
        pdf.save(source)
    assert prove(Source(source, "a.pdf", PDF, source.stat().st_size), source, 0.98).good


@pytest.mark.parametrize("key", ["/FontFile", "/FontFile2", "/FontFile3"])
def test_a_font_whose_hex_is_no_text_stays_as_it_is(tmp_path: Path, key: str) -> None:
    """qpdf quotes the bad character, and pikepdf trips over the quotation: a UnicodeDecodeError."""
    source, spoiled = page_of(tmp_path / "a.pdf", b"BT /F1 9.000000 Tf (words) Tj ET"), b"30\xe930>"
    with Pdf.open(source, allow_overwriting_input=True) as pdf:
        program = pdf.make_stream(b"")
        program.write(spoiled, filter=Name.ASCIIHexDecode)
        described = Dictionary(Type=Name.FontDescriptor, FontName=Name.Own, Flags=4)
        described[key] = program
        font = Dictionary(Type=Name.Font, Subtype=Name.TrueType, BaseFont=Name.Own)
        font.FontDescriptor = pdf.make_indirect(described)
        pdf.pages[0].obj.Resources.Font = Dictionary(F1=pdf.make_indirect(font))
        pdf.save(source)
    ran = run_tool("compress", tmp_path / "run", [source])
    assert ran.problem is None
    assert ran.noted("size") is not None
    with Pdf.open(ran.path) as made:
        fonts = [each for each in made.objects if isinstance(each, Dictionary) and key in each]
        assert [each[key].read_raw_bytes() for each in fonts] == [spoiled]
