"""What shows through a compressed picture: every reader must find the opacities where the format has them."""

from pathlib import Path

import numpy
import pikepdf
from PIL import Image

from tests.look import ssim
from tests.make_pictures import jpeg, photograph, pictures, raw
from tests.running import run_tool


def veiled(pdf: pikepdf.Pdf) -> pikepdf.Stream:
    """A photograph that comes out of nothing, its opacities in a gray picture."""
    picture = jpeg(pdf, photograph(), 95)
    across = numpy.tile(numpy.arange(900) * 255 // 899, (675, 1)).astype(numpy.uint8)
    picture["/SMask"] = raw(pdf, Image.fromarray(across))
    return picture


def drawn_by_mupdf(path: Path) -> Image.Image:
    import pymupdf

    with pymupdf.open(path) as document:
        drawn = document[0].get_pixmap(dpi=72)
        return Image.frombytes("RGB", (drawn.width, drawn.height), drawn.samples)


def test_a_veiled_picture_looks_the_same_in_another_reader(tmp_path: Path) -> None:
    before = pictures(tmp_path / "a.pdf", veiled)
    result = run_tool("compress", tmp_path / "out", [before], level="standard")
    assert result.path.stat().st_size < before.stat().st_size
    with pikepdf.open(result.path) as pdf:
        masks = [each["/SMask"] for each in pdf.objects if isinstance(each, pikepdf.Stream) and "/SMask" in each]
        assert [mask["/ColorSpace"] for mask in masks] == [pikepdf.Name.DeviceGray]
    assert ssim(drawn_by_mupdf(before), drawn_by_mupdf(result.path)) > 0.97
