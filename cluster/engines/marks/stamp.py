"""Stamps of words: a frame around lines of real text. The page editor draws by the same rules.

The frame leaves 0.5 em beside the text's box and 0.2 em above and below it. Its line is 0.08 em thick and lies within
the stamp's box; a round one has corners of 0.3 em, a double one a line of half that 0.14 em further in.
"""

import datetime
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

from cluster.engines.fonts.embed import Family, Fonts
from cluster.engines.marks.numbers import chinese
from cluster.engines.marks.overlay import Mark, form_of, operands, rgb, text_mark

if TYPE_CHECKING:
    import pikepdf

Frame = Literal["none", "box", "round", "double"]
DateFormat = Literal["iso", "dots", "zh", "chinese", "en"]

BESIDE, ABOVE, LINE, INNER, CORNER = 0.5, 0.2, 0.08, 0.14, 0.3
#: Of a quarter circle's radius, where the handles of a Bezier curve are.
_ROUND = 0.5523
_MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]


def words_stamp(
    pdf: "pikepdf.Pdf", fonts: Fonts, lines: Sequence[str], *, size: float, family: Family, bold: bool, colour: str,
    frame: Frame,
) -> Mark:  # fmt: skip
    """Lines of text in a frame; raises glyph_missing."""
    from pikepdf import Dictionary

    text = text_mark(pdf, fonts, lines, size=size, family=family, bold=bold, colour=colour)
    if frame == "none":
        return text
    width, height = text.width + 2 * BESIDE * size, text.height + 2 * ABOVE * size
    drawn = [b"%s RG" % operands(*rgb(colour)), *_frame(frame, width, height, size)]
    drawn.append(b"q 1 0 0 1 %s cm /T Do Q" % operands(BESIDE * size, ABOVE * size))
    reach = (-size, -size, width + size, height + size)
    return Mark(form_of(pdf, b"\n".join(drawn), reach, Dictionary(XObject=Dictionary(T=text.form))), width, height)


def _frame(frame: Frame, width: float, height: float, size: float) -> list[bytes]:
    corner = CORNER * size if frame == "round" else 0
    lines = [_line(LINE * size, 0, width, height, corner)]
    if frame == "double":
        lines.append(_line(LINE * size / 2, INNER * size, width, height, 0))
    return lines


def _line(thick: float, inward: float, width: float, height: float, corner: float) -> bytes:
    edge = inward + thick / 2
    box = edge, edge, width - 2 * edge, height - 2 * edge
    path = _rounded(*box, corner) if corner else b"%s re" % operands(*box)
    return b"%s w %s S" % (operands(thick), path)


def _rounded(x: float, y: float, width: float, height: float, corner: float) -> bytes:
    right, top, rest = x + width, y + height, corner * (1 - _ROUND)
    steps: list[tuple[tuple[float, ...], bytes]] = [
        ((x + corner, y), b"m"),
        ((right - corner, y), b"l"),
        ((right - rest, y, right, y + rest, right, y + corner), b"c"),
        ((right, top - corner), b"l"),
        ((right, top - rest, right - rest, top, right - corner, top), b"c"),
        ((x + corner, top), b"l"),
        ((x + rest, top, x, top - rest, x, top - corner), b"c"),
        ((x, y + corner), b"l"),
        ((x, y + rest, x + rest, y, x + corner, y), b"c"),
    ]
    return b" ".join(b"%s %s" % (operands(*numbers), operator) for numbers, operator in steps) + b" h"


def dated(day: datetime.date, form: DateFormat) -> str:
    """The day as it is stamped."""
    if form == "zh":
        return f"{day.year}年{day.month}月{day.day}日"
    if form == "chinese":
        year = "".join("〇一二三四五六七八九"[int(digit)] for digit in f"{day.year:04}")
        return f"{year}年{chinese(day.month)}月{chinese(day.day)}日"
    if form == "en":
        return f"{day.day} {_MONTHS[day.month - 1]} {day.year}"
    return day.isoformat().replace("-", "." if form == "dots" else "-")


def seal_picture(picture: Any, points: float, dpi: int) -> Any:
    """The picture with no more pixels than `dpi` needs at a width of so many points."""
    wide = max(1, round(points / 72 * dpi))
    if picture.width <= wide:
        return picture
    from PIL.Image import Resampling

    # Colour of clear pixels must not run into the edges.
    size = wide, max(1, round(picture.height * wide / picture.width))
    return picture.convert("RGBa").resize(size, Resampling.LANCZOS).convert("RGBA")
