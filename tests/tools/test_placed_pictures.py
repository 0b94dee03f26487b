"""Pictures that a page shows again and again: those that cannot be decoded as often are drawn, others are taken."""

import io
import zipfile
import zlib
from pathlib import Path

import pikepdf
import pymupdf
import pytest
from pikepdf import Dictionary, Name
from PIL import Image

from cluster.engines.reading.digital import sheet_of
from cluster.engines.reading.placed import drawn_again, is_heavy
from tests import make
from tests.running import run_tool

PLACES = 30


def shown_often(path: Path, side: int) -> Path:
    """A red picture of four pixels, whose mask has `side` in the square and hides its right half, on thirty places."""
    with pikepdf.new() as pdf:
        page = pdf.add_blank_page(page_size=(600, 800))
        half = side // 2
        rows = zlib.compress((b"\xff" * half + b"\0" * half) * side, 1)
        grey = {"Width": side, "Height": side, "BitsPerComponent": 8, "ColorSpace": Name.DeviceGray}
        kind = {"Type": Name.XObject, "Subtype": Name.Image}
        mask = pdf.make_stream(rows, Filter=Name.FlateDecode, **grey, **kind)
        colours = {"Width": 2, "Height": 2, "BitsPerComponent": 8, "ColorSpace": Name.DeviceRGB}
        red = pdf.make_stream(b"\xff\0\0" * 4, SMask=mask, **colours, **kind)
        page.Resources = Dictionary(XObject=Dictionary(A=red))
        spots = (f"q 60 0 0 40 {60 + 90 * (at % 5)} {700 - 60 * (at // 5)} cm /A Do Q" for at in range(PLACES))
        page.Contents = pdf.make_stream("\n".join(spots).encode())
        pdf.save(path)
    return path


@pytest.mark.parametrize(("side", "heavy"), [(100, False), (8000, True)])
def test_a_picture_is_kept_wherever_it_stands(tmp_path: Path, side: int, heavy: bool) -> None:
    path = shown_often(tmp_path / "a.pdf", side)
    with pymupdf.open(path) as pdf:
        assert is_heavy(pdf[0]) is heavy
    made = run_tool("pdf_to_word", tmp_path / "made", [path], ocr="off").path
    with zipfile.ZipFile(made) as held:
        pictures = [Image.open(io.BytesIO(held.read(each))) for each in held.namelist() if "/media/" in each]
    assert pictures
    for picture in pictures:
        whole = picture.convert("RGBA")
        ground = Image.new("RGBA", whole.size, "white")
        seen = Image.alpha_composite(ground, whole).convert("RGB")
        left, right = (seen.getpixel((seen.width * at // 4, seen.height // 2)) for at in (1, 3))
        assert left == pytest.approx((255, 0, 0), abs=3) and right == pytest.approx((255, 255, 255), abs=3)


def test_of_a_picture_that_the_page_s_edge_cuts_what_is_seen_is_kept(tmp_path: Path) -> None:
    """Its mask is finer than it is: a quarter of it, half of what is red, lies beyond the edge."""
    path = shown_often(tmp_path / "a.pdf", 100)
    with pikepdf.open(path, allow_overwriting_input=True) as pdf:
        pdf.pages[0].Contents = pdf.make_stream(b"q 400 0 0 200 -100 300 cm /A Do Q")
        pdf.save(path)
    with pymupdf.open(path) as pdf:
        (picture,) = sheet_of(pdf[0], tmp_path).pictures
    with Image.open(picture.path) as kept:
        assert kept.size == pytest.approx((75, 100), abs=1)
        assert kept.convert("RGBA").getchannel("A").getbbox() == pytest.approx((0, 0, 25, 100), abs=1)


def test_what_is_drawn_of_a_large_page_is_bounded(tmp_path: Path) -> None:
    with pymupdf.open() as pdf:
        page = pdf.new_page(width=14400, height=7200)
        page.insert_image(page.rect, stream=make.jpeg_bytes("", (300, 150)))
        (picture,) = drawn_again(page, tmp_path)
    with Image.open(picture.path) as drawn:
        assert 0.9 < drawn.width * drawn.height / 16_000_000 < 1.01
