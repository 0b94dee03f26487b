"""Large documents, made fast and in constant memory, the same bytes every time."""

import io
import random
import zlib
from functools import cache
from pathlib import Path

from pikepdf import Array, Dictionary, Name, Object, Page, Pdf
from PIL import Image

from tests.make_chinese import chinese_font, hexadecimal
from tests.make_structure import bookmarks, destination, field, labels, link, note
from tests.once import once
from tests.raw import RawPdf

_FONT = b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>"
_WORDS = (
    "crane paper fold wing table bird river stone quiet letter annual report page of the and to in is was a for on "
    "with as by at from or an be this that are it not"
)


@once
def many(path: Path, pages: int = 10_000) -> Path:
    """*text10k*: pages of different English text, about 1.5 KB each."""
    pdf = RawPdf(path)
    tree, font = pdf.reserve(), pdf.add(_FONT)
    kids = []
    for number in range(1, pages + 1):
        content = pdf.stream(b"/Filter/FlateDecode", zlib.compress(_text(number), 6))
        resources = b"/Resources<</Font<</F1 %d 0 R>>>>" % font
        body = b"<</Type/Page/Parent %d 0 R/MediaBox[0 0 595 842]%b/Contents %d 0 R>>" % (tree, resources, content)
        kids.append(pdf.add(body))
    pdf.tree(kids, tree)
    pdf.close(pdf.add(b"<</Type/Catalog/Pages %d 0 R>>" % tree))
    return path


def big(path: Path, pages: int = 10_000, bytes: int = 3 << 30) -> Path:
    """Pages of one JPEG and one line of text each, a bookmark every 100 pages; `bytes` in all (± 5 %)."""
    pdf = RawPdf(path)
    tree, font = pdf.reserve(), pdf.add(_FONT)
    faces = [_jpeg(_side(bytes // pages - 600), seed) for seed in range(3)]
    kids = [_picture_page(pdf, tree, font, faces[number % 3], number) for number in range(1, pages + 1)]
    pdf.tree(kids, tree)
    outlines = _outlines(pdf, kids)
    pdf.close(pdf.add(b"<</Type/Catalog/Pages %d 0 R/Outlines %d 0 R>>" % (tree, outlines)))
    return path


@once
def img(path: Path, bytes: int = 1 << 30) -> Path:
    """*img1g*: a page picture of about 1 MB a page."""
    return big(path, max(bytes >> 20, 1), bytes)


def heavy(path: Path, pages: int = 60) -> tuple[Path, int]:
    """Pages of noise that share one /Resources, 1 MiB each; and the bytes that its first and last page use, which are
    smaller: a picture of their own, and one that all draw.
    """
    pdf, luck = RawPdf(path), random.Random(60)
    tree, sides = pdf.reserve(), [128 if number in (1, pages) else 1024 for number in range(1, pages + 1)]
    common, *pictures = (_noise(pdf, luck, side) for side in (256, *sides))
    named = b" ".join(b"/P%d %d 0 R" % each for each in enumerate((common, *pictures)))
    shared = pdf.add(b"<</XObject<<%b>>>>" % named)
    drawn = b"q 400 0 0 400 50 50 cm /P%d Do Q q 90 0 0 90 450 700 cm /P0 Do Q"
    bodies = [drawn % number for number in range(1, pages + 1)]
    page = b"<</Type/Page/Parent %d 0 R/MediaBox[0 0 595 842]/Contents %d 0 R/Resources %d 0 R>>"
    pdf.tree([pdf.add(page % (tree, pdf.stream(b"", body), shared)) for body in bodies], tree)
    pdf.close(pdf.add(b"<</Type/Catalog/Pages %d 0 R>>" % tree))
    return path, 256 * 256 + 2 * 128 * 128 + len(bodies[0]) + len(bodies[-1])


def _noise(pdf: RawPdf, luck: random.Random, side: int) -> int:
    entries = b"/Type/XObject/Subtype/Image/Width %d/Height %d/ColorSpace/DeviceGray/BitsPerComponent 8"
    return pdf.stream(entries % (side, side), luck.randbytes(side * side))


@once
def mixed(path: Path, pages: int = 2000) -> Path:
    """*mixed2k*: bookmarks, fields, notes, links, and one /Resources with the fonts and pictures of every chapter.

    A chapter is 10 pages with its own Chinese font and its own picture.
    """
    with Pdf.new() as pdf:
        chapters = range((pages + 9) // 10)
        fonts = {
            f"/C{chapter}": chinese_font(pdf, f"MIXED{chr(65 + chapter % 26)}+Chapter{chapter}") for chapter in chapters
        }
        pictures = {f"/P{chapter}": _chapter_picture(pdf, chapter) for chapter in chapters}
        fonts["/F1"] = pdf.make_indirect(Object.parse(_FONT))
        common = pdf.make_indirect(Dictionary(Font=Dictionary(fonts), XObject=Dictionary(pictures)))
        for number in range(1, pages + 1):
            _mixed_page(pdf, common, number)
        _mixed_structure(pdf, pages)
        pdf.save(path)
    return path


def _mixed_page(pdf: Pdf, common: Object, number: int) -> None:
    chapter = (number - 1) // 10
    drawn = b"q 200 0 0 200 40 60 cm /P%d Do Q BT /C%d 14 Tf 40 400 Td %b Tj ET\n" % (
        chapter,
        chapter,
        hexadecimal(f"第 {number} 页 章节 {chapter}"),
    )
    page = Dictionary(
        Type=Name.Page,
        MediaBox=Array([0, 0, 595, 842]),
        Resources=common,
        Contents=pdf.make_stream(drawn + _text(number)),
    )
    pdf.pages.append(Page(pdf.make_indirect(page)))


def _mixed_structure(pdf: Pdf, pages: int) -> None:
    entries = [(f"第 {number // 10 + 1} 章", number, 0) for number in range(1, pages + 1, 10)]
    bookmarks(pdf, [part for entry in entries for part in (entry, ("Section", min(entry[1] + 4, pages), 1))])
    labels(pdf, {1: "r", min(11, pages): "D"})
    for number in range(1, pages + 1):
        link(pdf, number, number % pages + 1)
        if number % 5 == 0:
            destination(pdf, f"place-{number:05d}", number)
            field(pdf, number, f"field-{number}", f"value-{number}")
            note(pdf, number, f"note-{number}")


def _chapter_picture(pdf: Pdf, chapter: int) -> Object:
    image = pdf.make_stream(
        b"",
        Type=Name.XObject,
        Subtype=Name.Image,
        Width=400,
        Height=400,
        ColorSpace=Name.DeviceRGB,
        BitsPerComponent=8,
    )
    image.write(_jpeg(400, chapter, "RGB"), filter=Name.DCTDecode)
    return image


@cache
def _lines() -> list[str]:
    """So many that no two pages have the same; to choose each word of 20,000 pages takes 3 s."""
    chance, words = random.Random(0), _WORDS.split()
    return [" ".join(chance.choices(words, k=12)) for _ in range(5000)]


def _text(number: int) -> bytes:
    lines = random.Random(number).choices(_lines(), k=50)
    shown = " ".join(f"({line}) Tj 0 -14 Td" for line in [f"Page {number}", f"marker-{number:06d}", *lines])
    return f"BT /F1 10 Tf 40 800 Td {shown} ET".encode()


def _jpeg(side: int, seed: int, mode: str = "L", quality: int = 95) -> bytes:
    """A picture of noise, `side` pixels square."""
    noise = Image.frombytes("L", (side, side), random.Random(seed).randbytes(side * side))
    held = io.BytesIO()
    noise.convert(mode).save(held, "JPEG", quality=quality)
    return held.getvalue()


def _side(size: int) -> int:
    """The side of a noise picture of about `size` bytes: 1.16 bytes a pixel at quality 95."""
    return max(16, round((size / 1.16) ** 0.5))


def _picture_page(pdf: RawPdf, tree: int, font: int, face: bytes, number: int) -> int:
    side = int.from_bytes(face[face.index(b"\xff\xc0") + 5 :][:2], "big")
    comment = b"\xff\xfe\x00\x10marker-%06d " % number
    shape = b"/Type/XObject/Subtype/Image/Width %d/Height %d" % (side, side)
    colours = b"/ColorSpace/DeviceGray/BitsPerComponent 8/Filter/DCTDecode"
    image = pdf.stream(shape + colours, face[:2], comment, face[2:])
    drawn = b"q 500 0 0 500 40 200 cm /Im0 Do Q BT /F1 18 Tf 40 780 Td (Page %d) Tj 0 -20 Td (marker-%06d) Tj ET"
    content = pdf.stream(b"", drawn % (number, number))
    resources = b"<</Font<</F1 %d 0 R>>/XObject<</Im0 %d 0 R>>>>" % (font, image)
    return pdf.add(
        b"<</Type/Page/Parent %d 0 R/MediaBox[0 0 595 842]/Resources%b/Contents %d 0 R>>" % (tree, resources, content)
    )


def _outlines(pdf: RawPdf, kids: list[int]) -> int:
    root = pdf.reserve()
    targets = kids[::100]
    first = len(pdf.offsets) + 1
    for index, target in enumerate(targets):
        beside = b"/Prev %d 0 R" % (first + index - 1) if index else b""
        if index + 1 < len(targets):
            beside += b"/Next %d 0 R" % (first + index + 1)
        pdf.add(b"<</Title(Chapter %d)/Parent %d 0 R/Dest[%d 0 R/Fit]%b>>" % (index + 1, root, target, beside))
    last = first + len(targets) - 1
    pdf.add(b"<</Type/Outlines/Count %d/First %d 0 R/Last %d 0 R>>" % (len(targets), first, last), number=root)
    return root
