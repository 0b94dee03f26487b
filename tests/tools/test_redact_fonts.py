"""Redaction: letters that went are in no font any more, and what stays is drawn as before by two renderers."""

import re
from pathlib import Path

import numpy as np
import pikepdf
import pymupdf
import pytest

from tests import look, make_letters
from tests.make import edit
from tests.make_letters import COLUMN, GOES, STAYS
from tests.running import Ran, run_tool

ACT = {"kind": "redact", "page": 1, "boxes": [COLUMN], "look": "none"}


def redacted(folder: Path, source: Path) -> Ran:
    return run_tool("edit", folder / "run", [source], acts=[ACT])


@pytest.fixture
def source(tmp_path: Path) -> Path:
    return make_letters.letters(tmp_path / "letters.pdf")


def left_half(path: Path) -> list[np.ndarray]:
    """What stays, as MuPDF and PDFium draw it."""
    with pymupdf.open(path) as document:
        drawn = document[0].get_pixmap(dpi=144)
        pixels = np.frombuffer(drawn.samples, np.uint8).reshape(drawn.height, drawn.width, 3)
    return [each[:, : each.shape[1] // 2] for each in (pixels, np.asarray(look.render(path, dpi=144)))]


def meanings(path: Path) -> str:
    """Letters that the ToUnicode maps, encodings and lists of the document name."""
    with pikepdf.open(path) as pdf:
        fonts = [each for each in pdf.objects if isinstance(each, pikepdf.Dictionary)]
        maps = b"".join(each.ToUnicode.read_bytes() for each in fonts if "/ToUnicode" in each)
        told = [str(each.get(key, "")) for each in fonts for key in ("/CharSet", "/CIDSet")]
        encodings = [each.get("/Encoding") for each in fonts]
        coded = [list(each.get("/Differences", ())) for each in encodings if isinstance(each, pikepdf.Dictionary)]
        told += [str(name)[1:] for names in coded for name in names if isinstance(name, pikepdf.Name)]
    letters = [chr(int(found, 16)) for found in re.findall(rb"> <(\w{4})>\n(?!endcodespace)", maps)]
    return "".join(letters + told)


def widths(path: Path) -> set[int]:
    """Codes and CIDs that have a width."""
    found = set()
    with pikepdf.open(path) as pdf:
        for each in (each for each in pdf.objects if isinstance(each, pikepdf.Dictionary)):
            found |= {32 + at for at, width in enumerate(each.get("/Widths", [])) if width}
            found |= {int(cid) for cid in list(each.get("/W", []))[::2]}
    return found


def test_letters_that_went_are_in_no_font(source: Path, tmp_path: Path):
    """Composite and simple TrueType, a symbolic one, Type 1, CFF with names and with CIDs, Type 3: outlines, widths,
    ToUnicode, names; the kept word has them all and looks as before."""
    ran = redacted(tmp_path, source)
    assert ran.noted("fonts_cut") == {"count": 7} and not ran.noted("glyphs_left")
    only = make_letters.letters(tmp_path / "only.pdf", goes="", goes_zh="")
    kept = make_letters.outlines(ran.path)
    assert kept <= make_letters.outlines(source) and len(kept) == 3 * len(STAYS) + 2
    assert look.text_of(ran.path).split() == look.text_of(only).split() == [STAYS] * 6 + ["纸鹤"]
    assert set(meanings(ran.path)) == {*STAYS, "纸", "鹤"} and set(GOES) < set(meanings(source))
    assert widths(ran.path) == {*map(ord, STAYS), *range(100, 105)} and ord(GOES[0]) in widths(source)
    for before, after in zip(left_half(source), left_half(ran.path), strict=True):
        assert (before == after).all() and before.min() == 0


def test_what_another_page_or_a_comment_shows_stays(source: Path, tmp_path: Path):
    """The letters stand again on a second page and in a comment's look when it is pressed."""
    with edit(source) as pdf:
        pdf.pages.append(pdf.pages[0])
        form = pdf.make_stream(b"BT /F1 20 Tf 0 0 Td (Qi) Tj ET", Subtype=pikepdf.Name.Form, BBox=[0, 0, 99, 99])
        form.Resources = pdf.pages[0].obj.Resources
        pdf.pages[1].Contents = pdf.make_stream(b"/F0 20 Tf BT 9 9 Td <006900690069> Tj ET")
        look_down = pikepdf.Dictionary(N=pdf.make_stream(b"", Subtype=pikepdf.Name.Form, BBox=[0, 0, 9, 9]), D=form)
        note = pikepdf.Dictionary(Subtype=pikepdf.Name.Stamp, Rect=[9, 9, 99, 99], AP=look_down)
        pdf.pages[1].obj.Annots = pikepdf.Array([pdf.make_indirect(note)])
    ran = redacted(tmp_path, source)
    with pikepdf.open(ran.path) as pdf:
        fonts = pdf.pages[1].obj.Resources.Font
        assert [int(width) for width in fonts.F1.Widths][ord("i") - 32] == 700 and int(
            fonts.F1.Widths[ord("c") - 32]
        ) == 0
        assert 105 in [int(cid) for cid in list(fonts.F0.DescendantFonts[0].W)[::2]]


def test_a_font_that_cannot_be_cut_is_told(source: Path, tmp_path: Path):
    """Its letters are also shown by a way that is not followed, or its program is none.

    One that the page has in its own resources is cut."""
    with edit(source) as pdf:
        fonts = pdf.pages[0].obj.Resources.Font
        pdf.pages[0].obj.Resources.ExtGState = pikepdf.Dictionary(G=pikepdf.Dictionary(Font=[fonts.F1, 20]))
        pdf.pages[0].Contents = pdf.make_stream(pdf.pages[0].Contents.read_bytes() + b"\nq /G gs Q")
        fonts.F2 = pikepdf.Dictionary(dict(fonts.F2.items()))
        fonts.F4.FontDescriptor.FontFile3.write(b"\1\0\4\1 no font")
    ran = redacted(tmp_path, source)
    told = ran.noted("glyphs_left")
    assert told and told["count"] == 2 and set(told["detail"].split(", ")) == {"Three", "Six"}
    assert ran.noted("fonts_cut") == {"count": 5}
