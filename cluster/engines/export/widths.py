"""How wide text is in the families that stand for its fonts, for lines that keep the width they had on the page."""

from functools import cache
from typing import Any

from cluster.engines.export.ooxml import face
from cluster.engines.layout.letters import dense
from cluster.engines.layout.model import Span, TextLine
from cluster.engines.pdf.libraries import import_pymupdf

#: The base fonts of MuPDF whose widths are those of the families: plain, bold, italic, both.
_WIDTHS = {
    "Times New Roman": ("tiro", "tibo", "tiit", "tibi"),
    "Arial": ("helv", "hebo", "heit", "hebi"),
    "Courier New": ("cour", "cobo", "coit", "cobi"),
}


def own_width(line: TextLine) -> float | None:
    """How wide its letters are by themselves; None where that is not known."""
    widths = [width_of(span, rounded(span.style.size)) for span in line.spans]
    return None if None in widths else sum(width for width in widths if width is not None)


def rounded(size: float) -> float:
    """A size of letters as Office files hold it: in half points."""
    return round(size * 2) / 2


def width_of(span: Span, size: float) -> float | None:
    """The span's width in its family, in points, with letters of this size; None where its widths are not known."""
    style = span.style
    wide = sum(map(dense, span.text)) * size
    rest = "".join(letter for letter in span.text if not dense(letter))
    faces = _WIDTHS.get(face(style))
    if not faces and not rest.strip():
        return wide + len(rest) * size / 4
    base = _font(faces[style.bold + 2 * style.italic]) if faces else None
    if base is None or not all(base.has_glyph(ord(letter)) for letter in rest):
        return None
    return float(wide + base.text_length(rest, size))


@cache
def _font(name: str) -> Any:
    return import_pymupdf().Font(name)
