"""A document's own words over pictures of its pages, unseen: they can be found and copied where they are seen."""

import math
import unicodedata
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from cluster.engines.export.searchable import unseen
from cluster.engines.fonts.embed import Fonts
from cluster.engines.layout.line import Line, Point, Quad
from cluster.engines.marks.place import View
from cluster.engines.pdf.libraries import import_pikepdf, import_pymupdf, mupdf_errors
from cluster.engines.pdf.open import user_unit, visible_box
from cluster.engines.pdf.revive import revive
from cluster.engines.pdf.spoken import as_drawn

if TYPE_CHECKING:
    import pikepdf
    import pymupdf

#: Controls, surrogates, and what Unicode gave to nobody.
_NO_LETTERS = ("Cc", "Cs", "Cn")


def add_words(original: Path, pictured: Path, path: Path, turns: Sequence[float], tell: Callable[[int], None]) -> int:
    """Write `pictured` to `path` with the words of the unlocked `original`; how many pages have some.

    turns: degrees clockwise by which the picture of each page is turned around the page's middle.
    """
    worded = 0
    with import_pymupdf().open(original, filetype="pdf") as words, import_pikepdf().open(pictured) as pdf:
        fonts = Fonts(pdf)
        for index, (page, turn) in enumerate(zip(pdf.pages, turns, strict=True)):
            worded += _written(pdf, page, _lines(words, index), turn, fonts)
            tell(index + 1)
        fonts.embed()
        pdf.save(path, object_stream_mode=import_pikepdf().ObjectStreamMode.generate)
    return worded


def _written(pdf: "pikepdf.Pdf", page: "pikepdf.Page", lines: list[Line], turn: float, fonts: Fonts) -> bool:
    from pikepdf import Dictionary

    if not lines:
        return False
    view, used = _unturned(page), Dictionary()
    text = unseen(lines, (1, 1), view.height, fonts, used)
    page.contents_add(pdf.make_stream(b"q %b cm %b cm\n%b\nQ" % (_matrix(view.matrix), _tilt(view, turn), text)))
    page.obj.Resources.Font = used
    return True


def _unturned(page: "pikepdf.Page") -> View:
    """The page as it would be read without its /Rotate: so MuPDF tells where words are."""
    x0, y0, x1, y1 = visible_box(page)
    unit = user_unit(page)
    return View((x1 - x0) * unit, (y1 - y0) * unit, (1 / unit, 0, 0, 1 / unit, x0, y0))


def _tilt(view: View, turn: float) -> bytes:
    """Around the middle of the page."""
    cosine, sine = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    x, y = view.width / 2, view.height / 2
    return _matrix((cosine, -sine, sine, cosine, x - cosine * x - sine * y, y + sine * x - cosine * y))


def _matrix(matrix: Sequence[float]) -> bytes:
    return b" ".join([b"%.6f" % each for each in matrix])


def _lines(words: "pymupdf.Document", index: int) -> list[Line]:
    """The page's runs of letters, in points from the upper left corner of the page before its /Rotate."""
    pymupdf = import_pymupdf()
    try:
        page = words[index]
        revive(page)
        blocks = page.get_text("dict", flags=pymupdf.TEXTFLAGS_TEXT | as_drawn(page))["blocks"]
    except mupdf_errors():
        return []
    lines = [line for block in blocks for line in block.get("lines", ())]
    spans = [(line["dir"], span, _told(span["text"])) for line in lines for span in line["spans"]]
    return [Line(_corners(pymupdf.recover_quad(way, span)), told, 1.0) for way, span, told in spans if told.strip()]


def _told(text: str) -> str:
    """Without what is no letter: of glyphs that are only numbered MuPDF tells the numbers, as if they were codes."""
    return "".join([each for each in text if each.isspace() or unicodedata.category(each) not in _NO_LETTERS])


def _corners(quad: "pymupdf.Quad") -> Quad:
    corners: list[Point] = [(each.x, each.y) for each in (quad.ul, quad.ur, quad.lr, quad.ll)]
    return corners[0], corners[1], corners[2], corners[3]
