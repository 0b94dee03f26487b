"""Documents drawn in code, for every test: each function writes `path` and returns it.

    with make.edit(make.text(tmp_path / "a.pdf", 10)) as pdf:
        make.bookmarks(pdf, [("Chapter 1", 1, 0), ("Section", 3, 1)])
        make.link(pdf, 1, 7)

Pages count from 1. Page n of a text document says `Page n` and `marker-00000n`.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pikepdf
from pikepdf import Array, Dictionary, Name, Pdf

from tests.make_big import big, img, many, mixed
from tests.make_broken import (
    FLATE_BOMB_SIZE,
    damaged,
    empty,
    encrypted,
    flate_bomb,
    huge_box,
    many_pages,
    page_tree_loop,
    truncated,
)
from tests.make_chinese import CHINESE, chinese, chinese_font
from tests.make_scan import jpeg_bytes, picture, scan
from tests.make_shared import shared
from tests.make_structure import (
    attach,
    bookmarks,
    destination,
    field,
    labels,
    link,
    metadata,
    named_link,
    note,
    outline_item,
    tags,
    web_link,
)

__all__ = [
    "A4",
    "CHINESE",
    "FLATE_BOMB_SIZE",
    "attach",
    "big",
    "blank",
    "bookmarks",
    "chinese",
    "chinese_font",
    "damaged",
    "destination",
    "edit",
    "empty",
    "encrypted",
    "field",
    "flate_bomb",
    "geometry",
    "huge_box",
    "img",
    "jpeg_bytes",
    "labels",
    "link",
    "many",
    "many_pages",
    "marker",
    "metadata",
    "mixed",
    "named_link",
    "note",
    "outline_item",
    "page_tree_loop",
    "picture",
    "rich",
    "scan",
    "shared",
    "tags",
    "text",
    "truncated",
    "web_link",
]

A4 = (595.0, 842.0)


@contextmanager
def edit(path: Path) -> Iterator[Pdf]:
    """Open `path`, change the yielded pdf, save in place."""
    with Pdf.open(path, allow_overwriting_input=True) as pdf:
        yield pdf
        pdf.save(path)


def marker(number: int) -> str:
    """A word that stands on page `number` only."""
    return f"marker-{number:06d}"


def text(
    path: Path,
    pages: int = 3,
    *,
    size: tuple[float, float] = A4,
    media: tuple[float, float, float, float] | None = None,
    crop: tuple[float, float, float, float] | None = None,
    rotate: int = 0,
    unit: float = 1,
    title: str = "Page {n}",
    lines: int = 12,
) -> Path:
    """`pages` pages of English text in Helvetica; `media` overrides `size`."""
    with Pdf.new() as pdf:
        box = media or (0, 0, *size)
        font = helvetica(pdf)
        for number in range(1, pages + 1):
            page = _page(pdf, box, _words(box, title.format(n=number), number, lines), font)
            if crop:
                page["/CropBox"] = Array(list(crop))
            if rotate:
                page["/Rotate"] = rotate
            if unit != 1:
                page["/UserUnit"] = unit
        pdf.save(path)
    return path


def blank(path: Path, pages: int = 1, *, size: tuple[float, float] = A4) -> Path:
    """Pages without a mark."""
    with Pdf.new() as pdf:
        for _ in range(pages):
            pdf.add_blank_page(page_size=size)
        pdf.save(path)
    return path


GEOMETRIES: tuple[tuple[tuple[float, float, float, float], tuple[float, float, float, float] | None, float], ...] = (
    ((0, 0, 400, 600), None, 1),
    ((0, 0, 400, 600), (50, 100, 350, 560), 1),
    ((-100, -50, 300, 550), None, 1),
    ((-100, -50, 300, 550), (-50, 0, 250, 500), 1),
    ((100, 200, 300, 500), None, 2),
)


def geometry(path: Path) -> Path:
    """One page for each of GEOMETRIES at /Rotate 0, 90, 180 and 270: 20 pages."""
    with Pdf.new() as pdf:
        font = helvetica(pdf)
        for box, crop, unit in GEOMETRIES:
            for turn in (0, 90, 180, 270):
                number = len(pdf.pages) + 1
                page = _page(pdf, box, _words(crop or box, f"Page {number}", number, 3), font)
                page["/Rotate"] = turn
                if crop:
                    page["/CropBox"] = Array(list(crop))
                if unit != 1:
                    page["/UserUnit"] = unit
        pdf.save(path)
    return path


def rich(path: Path, pages: int = 8) -> Path:
    """A document with one of everything on every page or in every list; at least 4 pages.

    Bookmarks: `Chapter k` at every odd page and `Section k` below it. Page n links to page n+1
    directly and to destination `place-n+1` by name (the last page: to page 1), has the field
    `field-n` with the value `value-n`, the note `note-n`, the attachment `n.txt` is in the
    document; labels are i, ii, then 1, 2, …; title 报告 Report; tagged.
    """
    with edit(text(path, pages)) as pdf:
        after = {number: number % pages + 1 for number in range(1, pages + 1)}
        bookmarks(pdf, [entry for n in range(1, pages + 1, 2) for entry in _chapter(n, pages)])
        for number, following in after.items():
            destination(pdf, f"place-{number}", number)
            link(pdf, number, following)
            named_link(pdf, number, f"place-{following}")
            web_link(pdf, number, f"https://example.org/{number}")
            field(pdf, number, f"field-{number}", f"value-{number}")
            note(pdf, number, f"note-{number}")
        attach(pdf, "1.txt", b"attached text")
        labels(pdf, {1: "r", 3: "D"})
        metadata(pdf, title="报告 Report", author="纸鹤")
        tags(pdf)
    return path


def helvetica(pdf: Pdf) -> pikepdf.Object:
    """The font /F1 of text pages."""
    return pdf.make_indirect(
        Dictionary(Type=Name.Font, Subtype=Name.Type1, BaseFont=Name.Helvetica, Encoding=Name.WinAnsiEncoding)
    )


def _chapter(number: int, pages: int) -> list[tuple[str, int, int]]:
    chapter = (number + 1) // 2
    return [(f"Chapter {chapter}", number, 0), (f"Section {chapter}", min(number + 1, pages), 1)]


def _page(pdf: Pdf, box: tuple[float, float, float, float], content: bytes, font: pikepdf.Object) -> pikepdf.Object:
    page = Dictionary(
        Type=Name.Page,
        MediaBox=Array(list(box)),
        Contents=pdf.make_stream(content),
        Resources=Dictionary(Font=Dictionary(F1=font)),
    )
    pdf.pages.append(pikepdf.Page(pdf.make_indirect(page)))
    return pdf.pages[-1].obj


def _words(box: tuple[float, ...], title: str, number: int, lines: int) -> bytes:
    x, top = box[0] + 20, box[3] - 40
    body = [f"BT /F1 18 Tf {x} {top} Td ({title}) Tj /F1 9 Tf 0 -16 Td ({marker(number)}) Tj"]
    body += [f"0 -14 Td (Line {line} of page {number}: the crane folds its paper wings.) Tj" for line in range(lines)]
    return " ".join([*body, "ET"]).encode("ascii", "replace")
