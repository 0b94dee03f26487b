"""How wide LibreOffice draws text on slides: each letter in whole dots of 600 to an inch, some pairs nearer.

PowerPoint's letters are wider or narrower than that by less than three in a thousand.
"""

import math
from collections.abc import Callable
from functools import lru_cache
from itertools import groupby

from cluster.engines.export.ooxml import face
from cluster.engines.export.widths import rounded
from cluster.engines.fonts import faces
from cluster.engines.layout.letters import dense
from cluster.engines.layout.model import Span, Style

#: The fonts whose letters are as wide as those of the families that documents name.
_TWINS = {
    "Times New Roman": "Liberation Serif",
    "Arial": "Liberation Sans",
    "Courier New": "Liberation Mono",
    "Calibri": "Carlito",
    "Cambria": "Caladea",
}
#: Blanks, in heights of letters, of families that have no such twins.
_BLANKS = {
    "Verdana": 0.352, "Tahoma": 0.313, "Trebuchet MS": 0.301, "Georgia": 0.241, "Segoe UI": 0.274,
    "Comic Sans MS": 0.299, "Lucida Sans Unicode": 0.316, "Consolas": 0.55, "Lucida Console": 0.602,
}  # fmt: skip
#: Points in a unit of LibreOffice's slides, a hundredth of a millimetre, and in a dot.
UNIT = 72 / 2540
_DOT = 72 / 600
#: Marks that Chinese and Latin text have alike.
_SHARED = "“”‘’…—"
#: Letters that are raised have this share of their size.
_RAISED = 0.58


def drawn_width(span: Span) -> float | None:
    """Points that the text of the span takes; None where it is not known with what its letters are drawn."""
    size = rounded(span.style.size) * (_RAISED if span.style.raised else 1)
    if not span.text.strip(" ") and (blank := _BLANKS.get(face(span.style))):
        return len(span.text) * size * blank
    dots, twin = math.floor(round(size / UNIT) * UNIT / _DOT + 0.5), _twin(span.style)
    total = 0
    for wide, letters in groupby(span.text, is_wide(span.text)):
        text = "".join(letters)
        found = dots * len(text) if wide else _dots(twin, dots, text) if twin else None
        if found is None:
            return None
        total += found
    return round(total * _DOT / UNIT) * UNIT


def is_wide(text: str) -> Callable[[str], bool]:
    """Tells which letters of the text are as wide as they are high: marks that Latin has, too, only among 汉字."""
    chinese = any(dense(letter) and letter not in _SHARED for letter in text)
    return dense if chinese else lambda letter: dense(letter) and letter not in _SHARED


def _twin(style: Style) -> faces.Face | None:
    return faces.named(_TWINS.get(face(style), ""), style.bold, style.italic)


@lru_cache(1 << 14)
def _dots(twin: faces.Face, dots: int, text: str) -> int | None:
    """Dots that the text takes in letters of so many; None where one of them is missing."""
    import uharfbuzz as hb

    buffer = hb.Buffer()
    buffer.add_str(text)
    buffer.guess_segment_properties()
    hb.shape(faces.opened(twin), buffer)
    if any(info.codepoint == 0 for info in buffer.glyph_infos):
        return None
    advances = (float(each.x_advance) * dots / twin.units for each in buffer.glyph_positions)
    return sum(math.floor(advance + 0.5) for advance in advances)
