"""Pages to be cut: words, pictures and notes of a left and a right half, and scans of two pages side by side."""

import io
import zlib
from pathlib import Path

import numpy
from pikepdf import Array, Dictionary, Name, Pdf, Stream
from PIL import Image, ImageDraw, ImageFilter

from tests import make, make_spreads

SIZE = (400.0, 200.0)
HALVES = ("left", "right")
#: A picture in two colours, half of each; nothing else in the document is of these colours.
COLOURS = {"left": (210, 40, 40), "right": (40, 60, 200)}


def halves(path: Path, *, turn: int = 0) -> Path:
    """One page: each half has its own word in the text, in a form, hidden, under a layer and spoken; a link, a note, a
    field, a bookmark and a named destination; and pictures of every codec stand across the middle."""
    with Pdf.new() as pdf:
        page = pdf.add_blank_page(page_size=SIZE).obj
        page.Resources = Dictionary(Font=Dictionary(F1=make.helvetica(pdf)), XObject=Dictionary())
        page.Contents = pdf.make_stream(_words() + _pictures(pdf, page.Resources.XObject) + _form(pdf, page))
        page.Thumb = pdf.make_stream(b"canary-thumb", Width=4, Height=3, ColorSpace=Name.DeviceGray, BitsPerComponent=8)
        if turn:
            page.Rotate = turn
        _leads(pdf, page)
        for half, other, x in zip(HALVES, HALVES[::-1], (20, 220), strict=True):
            make.named_link(pdf, 1, other, (x, 150, x + 40, 160))
            make.field(pdf, 1, f"field-{half}", f"value-{half}", (x + 40, 20, x + 140, 40))
            make.note(pdf, 1, f"note-{half}", (x, 20, x + 20, 40))
        pdf.save(path)
    return path


def _words() -> bytes:
    drawn = [b"BT /F1 9 Tf 3 Tr 20 120 Td (hidden-left) Tj 200 0 Td (hidden-right) Tj ET"]
    for half, x in (("left", 20), ("right", 220)):
        spoken = f"/Span <</ActualText (spoken-{half})>> BDC BT /F1 9 Tf {x} 100 Td (shown-{half}) Tj ET EMC"
        drawn.append(spoken.encode())
    drawn.append(b"/Span <</ActualText (spoken-across)>> BDC BT /F1 9 Tf 150 80 Td")
    drawn.append(b"[(row-left) -6000 (row-right)] TJ ET EMC")
    return b"\n".join(drawn) + b"\n"


def _form(pdf: Pdf, page: Dictionary) -> bytes:
    content = b"BT /F1 9 Tf 10 10 Td (form-left) Tj 200 0 Td (form-right) Tj ET"
    form = pdf.make_stream(content, Type=Name.XObject, Subtype=Name.Form, BBox=Array([0, 0, 400, 30]))
    form.Resources, form.Matrix = Dictionary(Font=page.Resources.Font), Array([1, 0, 0, 1, 0, 5])
    page.Resources.XObject.Form = form
    return b"/Form Do\n"


def _pictures(pdf: Pdf, held: Dictionary) -> bytes:
    """Eight pictures, one above the other, each across the middle of the page; every second one mirrored."""
    drawn = []
    for index, picture in enumerate(pictures(pdf)):
        held[f"/Im{index}"] = picture
        across = "80 0 0 8 160" if index % 2 == 0 else "-80 0 0 8 240"
        drawn.append(f"q {across} {120 + 9 * index} cm /Im{index} Do Q\n")
    return "".join(drawn).encode()


def coloured(size: tuple[int, int] = (96, 16), mode: str = "RGB") -> Image.Image:
    """Left and right in their colours."""
    image = Image.new("RGB", size, COLOURS["left"])
    image.paste(COLOURS["right"], (size[0] // 2, 0, *size))
    return image.convert(mode)


def pictures(pdf: Pdf) -> list[Stream]:
    """The two colours as Flate, JPEG, JPEG with finer chroma, JPEG 2000, a palette, 4 bits, fax, and with a mask."""
    plain = _image(pdf, zlib.compress(coloured().tobytes()), "FlateDecode", Name.DeviceRGB)
    jpegs = [
        _image(pdf, _packed(coloured(), "JPEG", subsampling=each, quality=90), "DCTDecode", Name.DeviceRGB)
        for each in (2, 0)
    ]
    jpx = _image(pdf, _packed(coloured(), "JPEG2000"), "JPXDecode", Name.DeviceRGB)
    table = Array([Name.Indexed, Name.DeviceRGB, 1, bytes([*COLOURS["left"], *COLOURS["right"]])])
    one = bytes([0] * 6 + [255] * 6) * 16
    palette = _image(pdf, zlib.compress(one), "FlateDecode", table, bits=1)
    four = _image(pdf, zlib.compress(bytes([0x33] * 24 + [0xCC] * 24) * 16), "FlateDecode", Name.DeviceGray, bits=4)
    tiff = io.BytesIO()
    Image.frombytes("1", (96, 16), one).save(tiff, "TIFF", compression="group4")
    with Image.open(tiff) as written:
        at, length = written.tag_v2[273][0], written.tag_v2[279][0]
    fax = _image(pdf, tiff.getvalue()[at : at + length], "CCITTFaxDecode", Name.DeviceGray, bits=1)
    fax.DecodeParms = Dictionary(K=-1, Columns=96, Rows=16)
    masked = _image(pdf, zlib.compress(coloured().tobytes()), "FlateDecode", Name.DeviceRGB)
    masked.SMask = _image(pdf, zlib.compress(bytes([200] * 40) * 4), "FlateDecode", Name.DeviceGray, size=(40, 4))
    return [plain, *jpegs, jpx, palette, four, fax, masked]


def _image(
    pdf: Pdf, data: bytes, packed: str, space: object, *, bits: int = 8, size: tuple[int, int] = (96, 16)
) -> Stream:
    made = pdf.make_stream(data, Type=Name.XObject, Subtype=Name.Image, Width=size[0], Height=size[1])
    made.ColorSpace, made.BitsPerComponent, made.Filter = space, bits, Name("/" + packed)
    return made


def _packed(image: Image.Image, kind: str, **how: int) -> bytes:
    held = io.BytesIO()
    image.save(held, kind, **how)
    return held.getvalue()


def _leads(pdf: Pdf, page: Dictionary) -> None:
    made = [
        pdf.make_indirect(Dictionary(Title=half, Dest=Array([page, Name.XYZ, x, 190, 0])))
        for half, x in zip(HALVES, (20, 220), strict=True)
    ]
    made[0].Next, made[1].Prev = made[1], made[0]
    root = pdf.make_indirect(Dictionary(Type=Name.Outlines, First=made[0], Last=made[1], Count=2))
    made[0].Parent = made[1].Parent = root
    pdf.Root.Outlines = root
    names = Array(["left", Array([page, Name.FitR, 0, 0, 90, 90]), "right", Array([page, Name.FitR, 300, 0, 390, 90])])
    pdf.Root.Names = Dictionary(Dests=Dictionary(Names=names))


def spread(
    binding: float,
    *,
    shadow: int = 60,
    grain: float = 6,
    size: tuple[int, int] = (1400, 1000),
    tilt: float = 0.0,
    ruled: bool = False,
) -> Image.Image:
    """Two pages of a book as a flat scanner sees them, bound at `binding` of the width, with its grain.

    Text on both; darker towards the binding by `shadow` shades (0: only white between them); `tilt` degrees askew;
    `ruled`: a line down the right page, as beside the cells of a table.
    """
    width, height = size
    seam = round(binding * width)
    paper = Image.new("L", size, 236)
    draw = ImageDraw.Draw(paper)
    random = numpy.random.default_rng(7)
    for left, right in ((round(width * 0.05), seam - 45), (seam + 45, round(width * 0.96))):
        make_spreads.words(draw, (left, 90, right, height - 90), random)
    if ruled:
        draw.rectangle((seam + 0.09 * width, 150, seam + 0.09 * width + 5, 0.78 * height), fill=30)
    grey = numpy.asarray(paper).astype(float)
    away = numpy.abs(numpy.arange(width) - seam)
    grey -= shadow * numpy.exp(-away / 14)
    grey += random.normal(0, grain, grey.shape)
    image = Image.fromarray(grey.clip(0, 255).astype(numpy.uint8)).filter(ImageFilter.GaussianBlur(0.6))
    return image.rotate(tilt, resample=Image.Resampling.BICUBIC, fillcolor=236)


def scanned(path: Path, pages: list[Image.Image], *, dpi: int = 100) -> Path:
    """Pages that are each one JPEG."""
    with Pdf.new() as pdf:
        for image in pages:
            width, height = (side * 72 / dpi for side in image.size)
            page = pdf.add_blank_page(page_size=(width, height)).obj
            made = _image(pdf, _packed(image, "JPEG", quality=80), "DCTDecode", Name.DeviceGray, size=image.size)
            page.Resources = Dictionary(XObject=Dictionary(Im=made))
            page.Contents = pdf.make_stream(f"q {width} 0 0 {height} 0 0 cm /Im Do Q".encode())
        pdf.save(path)
    return path
