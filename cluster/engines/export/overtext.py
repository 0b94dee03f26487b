"""A document's own words over pictures of its pages, unseen: they can be found and copied where they are seen."""

import math
import unicodedata
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cluster.engines.export.searchable import unseen
from cluster.engines.fonts.embed import Fonts
from cluster.engines.layout.line import Line, Point, Quad
from cluster.engines.marks.place import View
from cluster.engines.pdf.libraries import import_pikepdf, import_pymupdf, mupdf_errors
from cluster.engines.pdf.open import user_unit, visible_box
from cluster.engines.pdf.revive import revive
from cluster.engines.pdf.second import UNKNOWN, SecondReader
from cluster.engines.pdf.spoken import as_drawn

if TYPE_CHECKING:
    import pikepdf
    import pymupdf

#: Of this font's signs, where it is not carried, MuPDF tells their numbers in its own face as if they were letters.
_SIGNS = ("ZapfDingbats",)
#: Controls, surrogates, and what Unicode gave to nobody.
_NO_LETTERS = ("Cc", "Cs", "Cn")


def add_words(original: Path, pictured: Path, path: Path, turns: Sequence[float], tell: Callable[[int], None]) -> int:
    """Write `pictured` to `path` with the words of the unlocked `original`; how many pages have some.

    turns: degrees clockwise by which the picture of each page is turned around the page's middle.
    """
    worded = 0
    with (
        import_pymupdf().open(original, filetype="pdf") as words,
        SecondReader(original) as second,
        import_pikepdf().open(pictured) as pdf,
    ):
        fonts = Fonts(pdf)
        for index, (page, turn) in enumerate(zip(pdf.pages, turns, strict=True)):
            worded += _written(pdf, page, _lines(words, index, second, _unturned(page)), turn, fonts)
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


def _lines(words: "pymupdf.Document", index: int, second: SecondReader, view: View) -> list[Line]:
    """The page's runs of letters, in points from the upper left corner of the page before its /Rotate."""
    pymupdf = import_pymupdf()
    try:
        page = words[index]
        revive(page)
        flags = pymupdf.TEXTFLAGS_TEXT & ~pymupdf.TEXT_CID_FOR_UNKNOWN_UNICODE | as_drawn(page)
        lines = _read(page, "dict", flags)
        if any(UNKNOWN in span["text"] or span["font"] in _SIGNS for line in lines for span in line["spans"]):
            lines = _read(page, "rawdict", flags)
    except mupdf_errors():
        return []
    spans = [(line["dir"], span, _told(_text(span, index, second, view))) for line in lines for span in line["spans"]]
    return [Line(_corners(pymupdf.recover_quad(way, span)), told, 1.0) for way, span, told in spans if told.strip()]


def _read(page: "pymupdf.Page", how: str, flags: int) -> list[dict[str, Any]]:
    return [line for block in page.get_text(how, flags=flags)["blocks"] for line in block.get("lines", ())]


def _text(span: dict[str, Any], index: int, second: SecondReader, view: View) -> str:
    """Of a run of letters; the second reader is asked for those that are unknown."""
    if "text" in span:
        return str(span["text"])
    signs, letters = span["font"] in _SIGNS, span["chars"]
    return "".join(
        [_asked(each, index, second, view) if signs or each["c"] == UNKNOWN else each["c"] for each in letters]
    )


def _asked(letter: dict[str, Any], index: int, second: SecondReader, view: View) -> str:
    left, top, right, low = letter["bbox"]
    (unit, *_, x0, y0), middle = view.matrix, ((left + right) / 2, view.height - (top + low) / 2)
    return second.letter(index, x0 + unit * middle[0], y0 + unit * middle[1]) or " " * letter["c"].isspace()


def _told(text: str) -> str:
    """Without what is no letter."""
    return "".join([each for each in text if each.isspace() or unicodedata.category(each) not in _NO_LETTERS])


def _corners(quad: "pymupdf.Quad") -> Quad:
    corners: list[Point] = [(each.x, each.y) for each in (quad.ul, quad.ur, quad.lr, quad.ll)]
    return corners[0], corners[1], corners[2], corners[3]
