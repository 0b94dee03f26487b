"""Redaction: letters that more than one cell of a pattern paints, and forms that are painted as their page says."""

from pathlib import Path

import numpy as np
import pikepdf
import pytest
from pikepdf import Array, Dictionary, Name

from tests import look, make
from tests.tools.test_redact_rest import apart
from tests.tools.test_redact_traps import redacted, trapped

#: The cells stand 100 apart from 50, 250 on. In the first lies the place, and in it the words of the second are unseen.
PLACE = (100.0, 60.0, 25.0, 90.0)
#: Seen in the place alone, and everywhere.
SECRETS, TEXTURE = (b"58.4567", b"51.2345"), b"7.6543"
_SECRET = b"58.4567 51.2345 m 68.5 55 l 60 72 l h f"
_LINES = b" ".join(b"0 %b 100 2 re f" % height for height in (b"2", b"12.5", TEXTURE, b"30", b"44", b"58", b"80"))


def cell(pdf: pikepdf.Pdf, kind: str) -> pikepdf.Stream:
    """Lines, and the secret: in colours of its own, or in the one that it is chosen with."""
    ground, ink = (b"0.1 0.3 0.9 rg ", b"0.9 0.2 0.1 rg ") if kind == "coloured" else (b"", b"")
    return pdf.make_stream(
        ground + _LINES + b" " + ink + _SECRET, PatternType=1, PaintType=1 if kind == "coloured" else 2, TilingType=1,
        BBox=Array([0, 0, 100, 100]), XStep=100, YStep=100, Matrix=Array([1, 0, 0, 1, 50, 250]), Resources=Dictionary(),
    )  # fmt: skip


CHOSEN = {"coloured": b"/Pattern cs /P1 scn ", "uncoloured": b"/Any cs 0.8 0.1 0.5 /P1 scn "}
#: W and i in the first cell (i goes), n g in the second; two inks that choose the same.
WORDS = b"BT /F1 60 Tf 50 290 Td (Wi) Tj ET "
MORE = b"BT /F1 40 Tf 228 255 Td (ng) Tj ET "


def page(path: Path, kind: str, content: bytes, form: bytes = b"") -> Path:
    source = trapped(
        path, content, Pattern=lambda pdf: Dictionary(P1=cell(pdf, kind)),
        Font=lambda pdf: Dictionary(F1=make.helvetica(pdf)),
        ColorSpace=lambda _: Dictionary(Any=Array([Name.Pattern, Name.DeviceRGB])),
    )  # fmt: skip
    if form:
        with pikepdf.open(source, allow_overwriting_input=True) as pdf:
            held = pdf.pages[0].obj.Resources
            drawn = pdf.make_stream(form, Type=Name.XObject, Subtype=Name.Form, BBox=Array([0, 0, 400, 400]))
            drawn.Resources = Dictionary(Font=held.Font)
            held.XObject = Dictionary(X=drawn)
            pdf.save(source)
    return source


def kept(source: Path, made: Path) -> bool:
    """Every pixel outside of the place, but of the letter that goes."""
    box = (PLACE[0] - 3, PLACE[1], PLACE[2] + 6, PLACE[3])
    return all(float(np.max(each, initial=0)) == 0 for each in apart(source, made, list(box), 2))


@pytest.mark.parametrize("kind", CHOSEN)
@pytest.mark.parametrize("where", ["page", "two inks", "form"])
def test_what_is_seen_in_the_place_alone_goes_from_every_ink(tmp_path: Path, kind: str, where: str):
    told = {
        "page": CHOSEN[kind] + WORDS + MORE,
        "two inks": b"q " + CHOSEN[kind] + WORDS + b"Q " + CHOSEN[kind] + MORE,
        "form": CHOSEN[kind] + b"/X Do",
    }
    source = page(tmp_path / "a.pdf", kind, told[where], WORDS + MORE if where == "form" else b"")
    before = look.all_bytes(source)
    assert all(each in before for each in SECRETS)
    ran = redacted(tmp_path, source, *PLACE)
    assert ran.problem is None, ran.problem
    after = look.all_bytes(ran.path)
    assert [each for each in SECRETS if each in after] == [] and TEXTURE in after
    assert look.text_of(ran.path).split() == ["W", "ng"]
    assert kept(source, ran.path)


def test_what_another_cell_shows_stays(tmp_path: Path):
    """A letter that stays lies over the same part of the next cell: nothing is hidden."""
    source = page(tmp_path / "a.pdf", "coloured", CHOSEN["coloured"] + WORDS + b"BT /F1 60 Tf 195 290 Td (W) Tj ET")
    ran = redacted(tmp_path, source, *PLACE)
    assert all(each in look.all_bytes(ran.path) for each in SECRETS) and kept(source, ran.path)
