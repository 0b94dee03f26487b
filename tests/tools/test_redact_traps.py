"""Redaction: what hides a secret in ways of its own, vertical lines, patterns, masks and pictures of letters."""

from pathlib import Path

import numpy as np
import pikepdf
import pytest
from pikepdf import Array, Dictionary, Name
from PIL import Image

from cluster.engines.pictures.encode import fax
from tests import look
from tests.make_chinese import chinese_font, hexadecimal
from tests.make_jbig2 import jbig2
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


#: Coordinates of outlines that lie in the PLACE alone.
SECRETS = (b"53.4567", b"61.2345")
OUTLINE = b"53.4567 61.2345 m 71.8181 70 l 80 55 l h"
PLACE = (90.0, 70.0, 60.0, 60.0)
"""40..100 by 20..80 of a thing whose corner is at 50, 250 of a page of 400 x 400: the OUTLINE and more."""


def trapped(path: Path, content: bytes, **resources: object) -> Path:
    """A page whose resources hold these, some made of the document."""
    with pikepdf.new() as pdf:
        pdf.add_blank_page(page_size=(400, 400))
        page = pdf.pages[0].obj
        page.Resources = Dictionary({f"/{key}": make(pdf) for key, make in resources.items()})
        page.Contents = pdf.make_stream(content)
        pdf.save(path)
    return path


def picture(pdf: pikepdf.Pdf, side: int = 200) -> pikepdf.Stream:
    pixels = np.random.default_rng(3).integers(0, 255, (side, side, 3), np.uint8)
    return pdf.make_stream(
        pixels.tobytes(), Type=Name.XObject, Subtype=Name.Image, Width=side, Height=side, BitsPerComponent=8,
        ColorSpace=Name.DeviceRGB,
    )  # fmt: skip


def stored(path: Path) -> set[bytes]:
    """Pictures and patterns as they are kept."""
    with pikepdf.open(path) as pdf:
        streams = [each for each in pdf.objects if isinstance(each, pikepdf.Stream)]
        return {each.read_raw_bytes() for each in streams if each.get("/Subtype") == "/Image"}


def cell(pdf: pikepdf.Pdf, step: int) -> pikepdf.Stream:
    """A tiling pattern that shows a picture and the OUTLINE."""
    made = pdf.make_stream(
        b"q 100 0 0 100 0 0 cm /Im0 Do Q 0.2 0.8 0.1 rg " + OUTLINE + b" f", PatternType=1, PaintType=1, TilingType=1,
        BBox=Array([0, 0, 100, 100]), XStep=step, YStep=step, Matrix=Array([1, 0, 0, 1, 50, 250]),
    )  # fmt: skip
    made.Resources = Dictionary(XObject=Dictionary(Im0=picture(pdf)))
    return made


@pytest.mark.parametrize("step", [100, 32767])
def test_a_picture_that_fills_a_shape_loses_its_pixels(tmp_path: Path, step: int):
    """As slides have them: the cell of a pattern, seen once."""
    source = trapped(
        tmp_path / "a.pdf", b"/Pattern cs /P1 scn 50 250 m 150 250 l 150 350 l 50 350 l h f 1 0 0 rg 10 10 50 50 re f",
        Pattern=lambda pdf: Dictionary(P1=cell(pdf, step)),
    )  # fmt: skip
    ran = redacted(tmp_path, source, *PLACE)
    assert not [each for each in SECRETS if each in look.all_bytes(ran.path)]
    assert not stored(source) & stored(ran.path) and len(stored(ran.path)) == 1
    assert rest_is_kept(source, ran.path, *PLACE)


def test_a_texture_stays(tmp_path: Path):
    """Its whole cell is seen beside the place: nothing of it is hidden."""
    source = trapped(
        tmp_path / "a.pdf", b"/Pattern cs /P1 scn 50 50 300 300 re f",
        Pattern=lambda pdf: Dictionary(P1=cell(pdf, 100)),
    )  # fmt: skip
    ran = redacted(tmp_path, source, *PLACE)
    assert stored(source) == stored(ran.path) and rest_is_kept(source, ran.path, *PLACE)


def test_what_a_soft_mask_shows_goes_too(tmp_path: Path):
    """A word is an opening in a mask, and the colour comes from what is drawn below."""

    def state(pdf: pikepdf.Pdf) -> Dictionary:
        group = pdf.make_stream(
            b"1 g " + OUTLINE + b" f 0 0 100 30 re f 0.5 g 0 85 100 10 re f", Type=Name.XObject, Subtype=Name.Form,
            BBox=Array([0, 0, 100, 100]), Matrix=Array([1, 0, 0, 1, 50, 250]),
        )  # fmt: skip
        group.Group = Dictionary(S=Name.Transparency, CS=Name.DeviceGray)
        return Dictionary(G1=Dictionary(SMask=Dictionary(S=Name.Luminosity, G=group)))

    source = trapped(tmp_path / "a.pdf", b"q /G1 gs 0.1 0.1 0.6 rg 0 0 400 400 re f Q", ExtGState=state)
    ran = redacted(tmp_path, source, *PLACE)
    assert not [each for each in SECRETS if each in look.all_bytes(ran.path)]
    assert rest_is_kept(source, ran.path, *PLACE)


def test_letters_of_a_scanner_go(tmp_path: Path):
    """JBIG2 with its letters in globals: the one that stands in the place alone is in no stream any more."""
    letters = (
        bytes((0x81 + 7 * at) % 256 for at in range(32)),
        bytes(255 if 6 < at < 26 else 0 for at in range(32)),
    )
    rows = [[1, 1, 1, 1], [1, 0, 1, 1], [1, 1, 1, 1]]
    source = trapped(
        tmp_path / "a.pdf", b"q 168 0 0 96 50 250 cm /Im0 Do Q",
        XObject=lambda pdf: Dictionary(Im0=jbig2(pdf, letters, rows)),
    )  # fmt: skip
    box = (50 + 2 * 22.0, 400 - 250 - 2 * 32.0, 2 * 20.0, 2 * 16.0)
    ran = redacted(tmp_path, source, *box)
    rows_told = b"".join(letters[0][at : at + 2] + letters[1][at : at + 2] for at in range(0, 32, 2))
    assert rows_told in look.all_bytes(source) and rows_told not in look.all_bytes(ran.path)
    assert rest_is_kept(source, ran.path, *box)


def test_a_fax_between_operators_keeps_its_other_pixels(tmp_path: Path):
    """Its parameters are told without a list, as its filter is."""
    made = fax(Image.linear_gradient("L").resize((80, 80)).convert("1"))
    told = b"/W 80 /H 80 /BPC 1 /CS /G /F /CCF /DP " + Dictionary(made.parms).unparse()
    source = trapped(tmp_path / "a.pdf", b"q 160 0 0 160 50 200 cm BI " + told + b" ID " + made.data + b" EI Q")
    box = (90.0, 70.0, 40.0, 40.0)  # as pixels lie
    ran = redacted(tmp_path, source, *box)
    assert ran.problem is None and rest_is_kept(source, ran.path, *box)
