"""Pictures and scans: pages that are one image."""

import io
from pathlib import Path

from pikepdf import Dictionary, Name, Pdf, Stream
from PIL import Image, ImageDraw, ImageFont

FONT = "/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc"


def picture(words: str, size: tuple[int, int] = (1240, 1754), *, grain: bool = False) -> Image.Image:
    """A white page with `words` drawn large; `grain` adds a photo-like gradient below the text."""
    image = Image.linear_gradient("L").resize(size).convert("RGB") if grain else Image.new("RGB", size, "white")
    font = ImageFont.truetype(FONT, size[0] // 18)
    draw = ImageDraw.Draw(image)
    for row, line in enumerate(words.splitlines()):
        draw.text((size[0] // 12, size[1] // 12 + row * size[0] // 11), line, fill="black", font=font)
    return image


def jpeg_bytes(words: str, size: tuple[int, int] = (1240, 1754), quality: int = 85) -> bytes:
    """`picture` as a JPEG file."""
    held = io.BytesIO()
    picture(words, size, grain=True).save(held, "JPEG", quality=quality)
    return held.getvalue()


def scan(path: Path, pages: int = 2, *, bits: int = 8, dpi: int = 150, words: str = "扫描 Scan {n}") -> Path:
    """A4 pages that are one picture each: `bits` 1 is bitonal (Flate), 8 a JPEG. No text layer."""
    size = (round(595 / 72 * dpi), round(842 / 72 * dpi))
    with Pdf.new() as pdf:
        for number in range(1, pages + 1):
            text = words.format(n=number)
            image = _bitonal(pdf, text, size) if bits == 1 else _jpeg(pdf, text, size)
            pdf.add_blank_page(page_size=(595, 842))
            page = pdf.pages[-1].obj
            page.Resources = Dictionary(XObject=Dictionary(Im0=image))
            page.Contents = pdf.make_stream(b"q 595 0 0 842 0 0 cm /Im0 Do Q")
        pdf.save(path)
    return path


def _bitonal(pdf: Pdf, words: str, size: tuple[int, int]) -> Stream:
    image = picture(words, size).convert("1", dither=Image.Dither.NONE)
    return _image(pdf, image.tobytes(), size, 1, "/DeviceGray", None)


def _jpeg(pdf: Pdf, words: str, size: tuple[int, int]) -> Stream:
    return _image(pdf, jpeg_bytes(words, size), size, 8, "/DeviceRGB", Name.DCTDecode)


def _image(pdf: Pdf, data: bytes, size: tuple[int, int], bits: int, space: str, packed: Name | None) -> Stream:
    stream = pdf.make_stream(
        b"",
        Type=Name.XObject,
        Subtype=Name.Image,
        Width=size[0],
        Height=size[1],
        ColorSpace=Name(space),
        BitsPerComponent=bits,
    )
    stream.write(data, filter=packed)
    assert isinstance(stream, Stream)
    return stream
