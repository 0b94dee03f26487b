"""The visible block of a certificate signature: who, when, why and where, in a thin frame.

Its height is RATIO of its width, but in a field of the document, which it fills. The page editor draws the same box;
its words are the server's.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from cluster.engines.fonts.embed import ASCENT, Fonts
from cluster.engines.marks.overlay import Mark, form_of, operands, rgb

if TYPE_CHECKING:
    import pikepdf

RATIO = 0.3
#: Of the height: space at the edges, the frame's line, a line's pitch in its own size.
_PAD, _LINE, _PITCH = 0.1, 0.015, 1.3
_INK, _FRAME = "#1c2b3a", "#3b6ea5"


def block_mark(pdf: "pikepdf.Pdf", fonts: Fonts, lines: Sequence[str], width: float, height: float) -> Mark:
    """The block so large in points, its letters as large as fit; raises glyph_missing."""
    from pikepdf import Dictionary

    pad, made = _PAD * min(height, width), [fonts.line(line, bold=number == 0) for number, line in enumerate(lines)]
    widest = max(line.width for line in made)
    size = min((height - 2 * pad) / (len(made) * _PITCH), (width - 2 * pad) / max(widest, 1))
    top = (height + len(made) * _PITCH * size) / 2
    edge = _LINE * min(height, width)
    drawn = [b"%s RG %s w %s re S" % (operands(*rgb(_FRAME)), operands(edge), operands(*_inset(width, height, edge)))]
    drawn.append(b"%s rg BT" % operands(*rgb(_INK)))
    used = Dictionary()
    for number, line in enumerate(made):
        y = top - (number * _PITCH + ASCENT) * size
        drawn.append(b"1 0 0 1 %s Tm %s" % (operands(pad, y), line.draw(size)))
        for name, font in line.fonts.items():
            used[name] = font
    form = form_of(pdf, b"\n".join([*drawn, b"ET"]), (0, 0, width, height), Dictionary(Font=used))
    return Mark(form, width, height)


def _inset(width: float, height: float, edge: float) -> tuple[float, float, float, float]:
    return edge / 2, edge / 2, width - edge, height - edge
