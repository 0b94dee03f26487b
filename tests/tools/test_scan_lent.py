"""PDF to scan: Helvetica, Arial and Arial Narrow that a document does not carry are drawn in the preview's face."""

from pathlib import Path

import pikepdf
import pymupdf
import pytest
from pikepdf import Array, Dictionary, Name, Pdf
from PIL import Image

from cluster.engines.fonts.faces import named
from tests import look, make_traps
from tests.running import run_tool
from tests.tools.test_pdf_to_scan import PLAIN, picture

SIZE = (420, 120)
WORDS = "Rage, ago & Quay 1375 café"
_DIFFERENCES = Array([0xA0, Name.eacute, 0xB0, Name("/.notdef")])
#: How a font is named, whether bold and italic, its kind, its encoding, and é in that.
FONTS = {
    "standard": ("/Helvetica", False, False, "/Type1", None, None),
    "latin": ("/ArialMT", False, False, "/TrueType", Name.WinAnsiEncoding, b"\xe9"),
    "mac": ("/Arial,Bold", True, False, "/TrueType", Name.MacRomanEncoding, b"\x8e"),
    "differences": ("/Helvetica-BoldOblique", True, True, "/Type1", Dictionary(Differences=_DIFFERENCES), b"\xa0"),
    "differences of latin": (
        "/Arial-ItalicMT", False, True, "/TrueType",
        Dictionary(BaseEncoding=Name.WinAnsiEncoding, Differences=_DIFFERENCES), b"\xa0",
    ),
    "plain true type": ("/Arial-BoldItalicMT", True, True, "/TrueType", None, b"\xe9"),
}  # fmt: skip


def page_of(path: Path, font: Dictionary, shown: bytes, where: str = "page") -> Path:
    """One line in this font: on the page, in a form, or in a note's look; the font stands in what names it."""
    content = b"BT /F 24 Tf 20 40 Td (%b) Tj ET" % shown
    with pikepdf.new() as pdf:
        page, fonts = pdf.add_blank_page(page_size=SIZE), Dictionary(Font=Dictionary(F=font))
        if where == "page":
            page.Resources, page.Contents = fonts, pdf.make_stream(content)
        else:
            form = pdf.make_stream(content, Type=Name.XObject, Subtype=Name.Form, BBox=[0, 0, *SIZE], Resources=fonts)
            _place(pdf, page, form, where)
        pdf.save(path)
    return path


def _place(pdf: Pdf, page: pikepdf.Page, form: pikepdf.Object, where: str) -> None:
    if where == "form":
        page.Resources = Dictionary(XObject=Dictionary(X=form))
        page.Contents = pdf.make_stream(b"/X Do")
    else:
        note = Dictionary(Type=Name.Annot, Subtype=Name.Stamp, F=4, Rect=[0, 0, *SIZE], AP=Dictionary(N=form))
        page.Annots = Array([pdf.make_indirect(note)])


def font_of(kind: str) -> tuple[Dictionary, bytes]:
    name, _, _, subtype, encoding, accented = FONTS[kind]
    font = Dictionary(Type=Name.Font, Subtype=Name(subtype), BaseFont=Name(name))
    if encoding is not None:
        font.Encoding = encoding
    return font, WORDS.replace("é", "").encode() + (accented or b"")


def scanned(folder: Path, path: Path) -> Image.Image:
    ran = run_tool("pdf_to_scan", folder / "ran", [path], **PLAIN, dpi=150)
    assert ran.problem is None, ran.problem
    return picture(ran.path)


def liberation(words: str, bold: bool, italic: bool) -> Image.Image:
    """The same line as another program draws it in the face."""
    face = named("Liberation Sans", bold, italic)
    assert face
    with pymupdf.open() as document:
        page = document.new_page(width=SIZE[0], height=SIZE[1])
        page.insert_font("own", fontfile=str(face.path))
        page.insert_text((20, SIZE[1] - 40), words, fontname="own", fontsize=24)
        pixels = page.get_pixmap(dpi=600)
        return Image.frombytes("RGB", (pixels.width, pixels.height), pixels.samples).reduce(4)


def alike(one: Image.Image, other: Image.Image) -> float:
    return look.ssim(one.convert("RGB"), other.convert("RGB").resize(one.size))


@pytest.mark.parametrize("kind", FONTS)
def test_letters_are_of_the_previews_face(tmp_path: Path, kind: str) -> None:
    font, shown = font_of(kind)
    wanted = WORDS if FONTS[kind][5] else WORDS.replace("é", "")
    made = scanned(tmp_path, page_of(tmp_path / "a.pdf", font, shown))
    assert alike(made, liberation(wanted, *FONTS[kind][1:3])) >= 0.99


@pytest.mark.parametrize(("name", "bold"), [("/ArialNarrow", False), ("/Arial Narrow,Bold", True)])
def test_narrow_letters_are_the_same_at_their_share_of_the_width(tmp_path: Path, name: str, bold: bool) -> None:
    face = named("Liberation Sans", bold)
    assert face
    widths = [round(0.82 * face.advance(face.glyph(chr(code)))) for code in range(32, 256)]
    font = Dictionary(
        Type=Name.Font, Subtype=Name.TrueType, BaseFont=Name(name), Encoding=Name.WinAnsiEncoding,
        FirstChar=32, LastChar=255, Widths=Array(widths),
    )  # fmt: skip
    made = scanned(tmp_path, page_of(tmp_path / "a.pdf", font, WORDS.replace("é", "\xe9").encode("latin-1")))
    wide = liberation(WORDS, bold, False)
    assert alike(made, wide) < 0.9
    # The line begins at 20 points.
    begins = 20 * 150 / 72
    squeezed = wide.transform(wide.size, Image.Transform.AFFINE, (1 / 0.82, 0, begins - begins / 0.82, 0, 1, 0), 3)
    white = Image.new("RGB", wide.size, "white")
    ends = round(begins + (wide.width - begins) * 0.82) - 1
    white.paste(squeezed.crop((0, 0, ends, wide.height)), (0, 0))
    assert alike(made, white) >= 0.98


@pytest.mark.parametrize("missing", [None, 278])
def test_blanks_beside_the_told_widths_stay(tmp_path: Path, missing: int | None) -> None:
    """Of many programs /FirstChar is the first letter behind the blank."""
    font, shown = font_of("latin")
    font.FirstChar, font.LastChar = 33, 34
    font.Widths = Array([278, 355])
    if missing:
        face = named("Liberation Sans")
        assert face
        font.LastChar, font.Widths = 255, Array([face.advance(face.glyph(chr(code))) for code in range(33, 256)])
        font.FontDescriptor = Dictionary(
            Type=Name.FontDescriptor, FontName=Name.ArialMT, Flags=32, MissingWidth=missing
        )
    made = scanned(tmp_path, page_of(tmp_path / "a.pdf", font, shown))
    assert alike(made, liberation(WORDS, False, False)) >= 0.99


@pytest.mark.parametrize("where", ["form", "note"])
def test_forms_and_notes_too(tmp_path: Path, where: str) -> None:
    font, shown = font_of("latin")
    made = scanned(tmp_path, page_of(tmp_path / "a.pdf", font, shown, where))
    assert alike(made, liberation(WORDS, False, False)) >= 0.99


def test_letters_squeezed_into_narrow_widths_stay_so(tmp_path: Path) -> None:
    """In the face they would lie over each other."""
    font, shown = font_of("latin")
    font.FirstChar, font.LastChar, font.Widths = 32, 255, Array([330] * 224)
    path = page_of(tmp_path / "a.pdf", font, shown)
    assert alike(scanned(tmp_path, path), look.render(path, 1, 600).reduce(4)) >= 0.99


def test_a_letter_that_the_face_lacks_is_not_lost(tmp_path: Path) -> None:
    font = Dictionary(Type=Name.Font, Subtype=Name.Type1, BaseFont=Name.Helvetica)
    font.Encoding = Dictionary(Differences=Array([65, Name.a10, Name.uni4E2D]))
    path = page_of(tmp_path / "a.pdf", font, b"words AB")
    assert alike(scanned(tmp_path, path), look.render(path, 1, 600).reduce(4)) >= 0.99


def test_fonts_called_in_gbk_are_lent_too(tmp_path: Path) -> None:
    path = make_traps.gbk_names(tmp_path / "a.pdf")
    with pikepdf.open(path, allow_overwriting_input=True) as pdf:
        pdf.pages[0].MediaBox = [0, 0, *SIZE]
        pdf.pages[0].Contents = pdf.make_stream(b"BT /%b 24 Tf 20 40 Td (gbk name) Tj ET" % "宋体".encode("gbk"))
        pdf.save(path)
    assert alike(scanned(tmp_path, path), liberation("gbk name", False, False)) >= 0.99
