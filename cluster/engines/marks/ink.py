"""Strokes of a pen as curves of a page, sharp at any size.

A stroke is a row of numbers, y downwards: where it begins (x, y), then for each of its curves the pen's width, the two
handles and the end (width, x1, y1, x2, y2, x, y). A dot is x, y and its diameter.
"""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from cluster.engines.marks.overlay import Mark, form_of, operands, rgb

if TYPE_CHECKING:
    import pikepdf

_CURVE = 7


def ink_mark(
    pdf: "pikepdf.Pdf", strokes: Sequence[Sequence[float]], box: tuple[float, float], *, height: float, colour: str
) -> Mark:
    """The strokes, drawn in a box of that width and height, so high on the page; what reaches over it is not cut."""
    from pikepdf import Dictionary

    scale = height / box[1]
    drawn = [b"%s RG 1 J 1 j" % operands(*rgb(colour))]
    drawn.append(b"%s cm" % operands(scale, 0, 0, -scale, 0, height))
    drawn += [line for stroke in strokes for line in _lines(stroke)]
    width, reach = box[0] * scale, height / 2
    form = form_of(pdf, b"\n".join(drawn), (-reach, -reach, width + reach, height + reach), Dictionary())
    return Mark(form, width, height)


def _lines(stroke: Sequence[float]) -> Iterator[bytes]:
    """Each curve with its own width; what is left of a row cut short is no curve."""
    x, y = stroke[:2]
    if len(stroke) == 3:
        yield b"%s w %s m %s l S" % (operands(stroke[2]), operands(x, y), operands(x, y))
    for at in range(2, len(stroke) - _CURVE + 1, _CURVE):
        width, *curve = stroke[at : at + _CURVE]
        yield b"%s w %s m %s c S" % (operands(width), operands(x, y), operands(*curve))
        x, y = curve[-2:]
