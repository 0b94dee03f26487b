"""Pages with pictures of every make: photographs, drawings, masks, scans, in each colour space and filter."""

import io
import zlib
from pathlib import Path
from typing import Any

import numpy
import pikepdf
from pikepdf import Array, Dictionary, Name, Pdf, Stream, String
from PIL import Image, ImageFilter

PAGE = (400.0, 300.0)


def photograph(size: tuple[int, int] = (900, 675), seed: int = 1) -> Image.Image:
    """Something with the smoothness and the grain of a photograph; the same for the same seed."""
    noise = numpy.random.default_rng(seed)
    coarse = Image.fromarray(noise.integers(0, 255, (12, 16, 3), dtype=numpy.uint8)).resize(
        size, Image.Resampling.BICUBIC
    )
    fine = Image.fromarray(noise.integers(90, 165, (size[1], size[0], 3), dtype=numpy.uint8))
    return Image.blend(coarse, fine.filter(ImageFilter.GaussianBlur(2)), 0.3)


def drawing(size: tuple[int, int] = (800, 600)) -> Image.Image:
    """A chart: few colours, sharp edges."""
    image = Image.new("RGB", size, "white")
    for bar, colour in enumerate(("#cc0000", "#00aa00", "#0000cc", "#222222")):
        image.paste(colour, (60 + bar * 180, size[1] - 100 - bar * 110, 180 + bar * 180, size[1] - 40))
    return image


def jpeg(pdf: Pdf, image: Image.Image, quality: int = 92) -> Stream:
    """An image XObject with a JPEG body; a CMYK one holds the PDF's own values, as printers' files do."""
    held = io.BytesIO()
    if image.mode == "CMYK":  # Pillow stores CMYK inverted
        image = Image.merge("CMYK", [band.point(lambda value: 255 - value) for band in image.split()])
    image.save(held, "JPEG", quality=quality)
    space = {"L": "/DeviceGray", "RGB": "/DeviceRGB", "CMYK": "/DeviceCMYK"}[image.mode]
    return xobject(pdf, held.getvalue(), image.size, Name(space), filter=Name.DCTDecode)


def raw(pdf: Pdf, image: Image.Image) -> Stream:
    """An image XObject with its samples deflated: mode 1, L, RGB, CMYK, or P for a palette."""
    size = image.size
    if image.mode == "P":
        palette = bytes(image.getpalette("RGB") or b"")
        space = Array([Name.Indexed, Name.DeviceRGB, len(palette) // 3 - 1, String(palette)])
        return xobject(pdf, image.tobytes(), size, space)
    space = {"1": "/DeviceGray", "L": "/DeviceGray", "RGB": "/DeviceRGB", "CMYK": "/DeviceCMYK"}[image.mode]
    return xobject(pdf, image.tobytes(), size, Name(space), bits=1 if image.mode == "1" else 8)


def xobject(
    pdf: Pdf, data: bytes, size: tuple[int, int], space: Any, *, bits: int = 8, filter: Name | None = None
) -> Stream:
    """An image XObject of `data`, which is deflated unless `filter` says how it is encoded."""
    stream = pdf.make_stream(b"", Type=Name.XObject, Subtype=Name.Image, ColorSpace=space, BitsPerComponent=bits)
    stream["/Width"], stream["/Height"] = size
    stream.write(data if filter else zlib.compress(data), filter=filter or Name.FlateDecode)
    assert isinstance(stream, Stream)
    return stream


def pictures(path: Path, *makers: Any, words: str = "caption", box: tuple[float, float] = (360, 240)) -> Path:
    """One page for each of `makers` (called with the pdf): its picture `box` points large, and a line of text."""
    with Pdf.new() as pdf:
        for number, maker in enumerate(makers, 1):
            pdf.add_blank_page(page_size=PAGE)
            page = pdf.pages[-1].obj
            page.Resources = Dictionary(XObject=Dictionary(Im0=maker(pdf)), Font=Dictionary(F1=_font(pdf)))
            drawn = f"q {box[0]} 0 0 {box[1]} 20 40 cm /Im0 Do Q BT /F1 12 Tf 20 20 Td ({words} {number}) Tj ET"
            page.Contents = pdf.make_stream(drawn.encode())
        pdf.save(path, compress_streams=False)
    return path


def masked(pdf: Pdf) -> Stream:
    """A photograph that fades out to the right."""
    image = jpeg(pdf, photograph())
    image["/SMask"] = raw(pdf, Image.linear_gradient("L").rotate(90).resize((900, 675)))
    return image


def bombed(pdf: Pdf) -> Stream:
    """A header that promises 10 gigapixels over a few bytes."""
    return xobject(pdf, b"\0" * 1000, (100_000, 100_000), Name.DeviceRGB)


def _font(pdf: Pdf) -> pikepdf.Object:
    return pdf.make_indirect(
        Dictionary(Type=Name.Font, Subtype=Name.Type1, BaseFont=Name.Helvetica, Encoding=Name.WinAnsiEncoding)
    )
