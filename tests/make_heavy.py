"""Small files that cost readers minutes: forms within forms, content that unpacks to more than memory."""

import zlib
from pathlib import Path

from pikepdf import Array, Dictionary, Name, Pdf, Stream, StreamDecodeLevel


def form(pdf: Pdf, content: bytes, **names: Stream) -> Stream:
    """A form of 100 points that draws `names`."""
    made = pdf.make_stream(content, Type=Name.XObject, Subtype=Name.Form, BBox=Array([0, 0, 100, 100]))
    made["/Resources"] = Dictionary(XObject=Dictionary({f"/{name}": each for name, each in names.items()}))
    return made


def drawing_itself(path: Path, times: int = 2) -> Path:
    """A form whose content draws a square and, `times`, that form."""
    with Pdf.new() as pdf:
        pdf.add_blank_page(page_size=(200, 200))
        own = form(pdf, b"0 0 1 rg 10 10 50 50 re f" + b" /Own Do" * times)
        own.Resources.XObject["/Own"] = own
        pdf.pages[0].obj.Resources = Dictionary(XObject=Dictionary(Own=own))
        pdf.pages[0].obj.Contents = pdf.make_stream(b"/Own Do " + b" " * 3000)
        pdf.save(path, compress_streams=False)
    return path


def nested(path: Path, levels: int = 9) -> Path:
    """A square drawn 10 ** `levels` times: each form draws the next ten times."""
    with Pdf.new() as pdf:
        pdf.add_blank_page(page_size=(200, 200))
        made = form(pdf, b"0 0 1 rg 10 10 50 50 re f")
        for _ in range(levels):
            made = form(pdf, b"1 0 0 1 0.1 0 cm /Next Do " * 10, Next=made)
        pdf.pages[0].obj.Resources = Dictionary(XObject=Dictionary(Own=made))
        pdf.pages[0].obj.Contents = pdf.make_stream(b"/Own Do")
        pdf.save(path)
    return path


def swollen(path: Path, *, in_form: bool = False, size: int = 320 << 20) -> Path:
    """Content that unpacks to `size` bytes, of the page or of a form that it draws."""
    packer = zlib.compressobj(1)
    block = b"0 0 1 rg\n" * (1 << 17)
    packed = b"".join([packer.compress(block) for _ in range(size // len(block))]) + packer.flush()
    with Pdf.new() as pdf:
        pdf.add_blank_page(page_size=(200, 200))
        content = form(pdf, b"") if in_form else pdf.make_stream(b"")
        content.write(packed, filter=Name.FlateDecode)
        page = pdf.pages[0].obj
        page.Resources = Dictionary(XObject=Dictionary(Own=content) if in_form else Dictionary())
        page.Contents = pdf.make_stream(b"/Own Do") if in_form else content
        pdf.save(path, compress_streams=False, stream_decode_level=StreamDecodeLevel.none)
    return path
