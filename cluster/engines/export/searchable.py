"""A searchable PDF: the picture as it is, and its words on it, unseen, in reading order.

write_searchable(source, pages, scratch, path)
add_lines(scratch, path, [lines, …])
content = unseen(lines, (1, 1), page_height, fonts, resources_font)
"""

import math
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cluster.engines.fonts.embed import Fonts
from cluster.engines.layout.line import Line, Page
from cluster.engines.pages.bind import Binder
from cluster.engines.pages.pictures import count_frames, picture_pages
from cluster.engines.pdf.libraries import import_pikepdf
from cluster.files import Source

if TYPE_CHECKING:
    import pikepdf

#: Share of a line's box above its baseline, and of its height that is the size of letters.
_BASELINE, _SIZE = 0.8, 0.85


def write_searchable(source: Source, pages: Sequence[Page], scratch: Path, path: Path) -> None:
    """Write `path`: one page for each of `pages`, which are what was read of the source's frames, in order."""
    _write_pictures(source, pages, scratch)
    with import_pikepdf().open(scratch) as pdf:
        fonts = Fonts(pdf)
        for page, read in zip(pdf.pages, pages, strict=True):
            _add_words(pdf, page, read, fonts)
        fonts.embed()
        pdf.save(path)


def add_lines(scratch: Path, path: Path, pages: Sequence[Sequence[Line]]) -> None:
    """Write `scratch` to `path` with these unseen lines on each page: in points from its top, in reading order."""
    with import_pikepdf().open(scratch) as pdf:
        fonts = Fonts(pdf)
        for page, lines in zip(pdf.pages, pages, strict=True):
            _write_lines(pdf, page, lines, (1, 1), fonts)
        fonts.embed()
        pdf.save(path)


def _write_pictures(source: Source, pages: Sequence[Page], path: Path) -> None:
    with Binder(path) as binder:
        frames = picture_pages(source, range(1, count_frames(source, len(pages)) + 1))
        for frame, page in zip(frames, pages, strict=True):
            binder.add_page(frame.turned(page.turned).write)
        binder.close()


def _add_words(pdf: "pikepdf.Pdf", page: "pikepdf.Page", read: Page, fonts: Fonts) -> None:
    _, _, width, height = (float(value) for value in page.mediabox)
    _write_lines(pdf, page, read.lines, (width / read.width, height / read.height), fonts)


def _write_lines(
    pdf: "pikepdf.Pdf", page: "pikepdf.Page", lines: Sequence[Line], scale: tuple[float, float], fonts: Fonts
) -> None:
    from pikepdf import Dictionary

    height, used = float(page.mediabox[3]), Dictionary()
    page.contents_add(pdf.make_stream(b"q\n%b\nQ" % unseen(lines, scale, height, fonts, used)))
    page.obj.Resources.Font = used


def unseen(lines: Iterable[Line], scale: tuple[float, float], height: float, fonts: Fonts, used: Any) -> bytes:
    """The operators that write lines on a page so high in points; their boxes, times `scale`, count from its top.

    `used` gathers the page's /Font resources.
    """
    return b"\n".join([_words(line, scale, height, fonts, used) for line in lines])


def _words(read: Line, scale: tuple[float, float], height: float, fonts: Fonts, used: Any) -> bytes:
    """One line, invisible (Tr 3), as wide as its box and along its slope."""
    line = fonts.unseen(read.text)
    if not line.width:
        return b""
    for name, font in line.fonts.items():
        used[name] = font
    (x0, y0), (x1, y1), _, (x3, y3) = ((x * scale[0], height - y * scale[1]) for x, y in read.box)
    long, high = math.hypot(x1 - x0, y1 - y0), math.hypot(x3 - x0, y3 - y0)
    if long == 0:
        return b""
    size = max(1.0, high * _SIZE)
    stretch = long / (line.width * size)
    cosine, sine = (x1 - x0) / long, (y1 - y0) / long
    x, y = x0 + (x3 - x0) * _BASELINE, y0 + (y3 - y0) * _BASELINE
    matrix = b"%.5f %.5f %.5f %.5f %.3f %.3f Tm" % (cosine * stretch, sine * stretch, -sine, cosine, x, y)
    return b"BT 3 Tr %b %b ET" % (matrix, line.draw(size))
