"""Dashes that stand alone in a table's cells: finders of text pass over them, though they say that nothing is there."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from cluster.engines.layout.model import Box, Span, Style, TextLine

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: Pixels around a mark (letters' sizes), and how much darker than they are it is at least.
_AROUND, _DARKER = 3, 40
#: How long and how thick a dash is (letters' sizes), how many times as long as thick, and how much of its box it fills.
_SHORT, _LONG, _THICK, _FLAT, _FULL = 0.18, 1.2, 0.16, 2.5, 0.75
#: Of so many pixels' thickness any share is its own: it may lie a little askew.
_THIN = 3
#: A dash that is longer (letters' sizes) is an em's.
_EM = 0.5
#: No other ink is nearer (letters' sizes) to its sides, above and below it.
_BESIDE, _ABOVE = 0.5, 0.4
#: It is in a row with a line whose middle is so near (letters' sizes), and below or above one no farther than this.
_LEVEL, _FAR = 0.3, 6
#: Points around lines and rules whose ink is theirs.
_EDGE = 1.5
#: How sure it is that such a mark is a dash.
_SCORE = 0.92


def dashes(grey: "NDArray[Any]", scale: float, lines: Sequence[TextLine], rules: Sequence[Box]) -> Iterator[TextLine]:
    """The dashes of a straight picture of which a pixel is `scale` points, beside and below its lines."""
    if not lines:
        return
    size = sorted(line.size for line in lines)[len(lines) // 2]
    seen = _marks(_free(grey, scale, size, lines, rules), size / scale)
    marks: list[Box] = [(x * scale, y * scale, right * scale, low * scale) for x, y, right, low in seen]
    words, found = [line.box for line in lines], list[Box]()
    # One that is known tells the next ones of its column.
    while more := [mark for mark in marks if mark not in found and _is_in_table(mark, words, found, size)]:
        found += more
    for left, top, right, bottom in sorted(found, key=lambda mark: (mark[1], mark[0])):
        middle, text = (top + bottom) / 2, "—" if right - left > _EM * size else "-"
        around = left, middle - size / 2, right, middle + size / 2
        yield TextLine(around, middle + 0.3 * size, (Span(text, Style("Times New Roman", size)),), (), _SCORE)


def _free(
    grey: "NDArray[Any]", scale: float, size: float, lines: Sequence[TextLine], rules: Sequence[Box]
) -> "NDArray[Any]":
    """The ink that is no line's and no rule's, as ones."""
    import cv2

    reach = round(_AROUND * size / scale) | 1
    mean, dark = cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY_INV
    ink: NDArray[Any] = cv2.adaptiveThreshold(grey, 1, mean, dark, reach, _DARKER)
    for box in (*(line.box for line in lines), *rules):
        left, top, right, bottom = (round(side / scale) for side in _wider(box))
        ink[max(0, top) : max(0, bottom), max(0, left) : max(0, right)] = 0
    return ink


def _wider(box: Box) -> Box:
    return box[0] - _EDGE, box[1] - _EDGE, box[2] + _EDGE, box[3] + _EDGE


def _marks(ink: "NDArray[Any]", size: float) -> Iterator[Box]:
    """What is as long and as flat as a dash, with nothing around it (pixels)."""
    import cv2

    count, _, stats, _ = cv2.connectedComponentsWithStats(ink)
    for x, y, wide, high, area in stats[1:count][stats[1:count, 2] >= _SHORT * size].tolist():
        thick = area / wide  # on the mean: a dash a little askew fills some pixels of one row more
        flat = wide <= _LONG * size and high <= max(_THIN, _THICK * size) and wide >= _FLAT * thick
        if flat and (high <= _THIN or area > _FULL * wide * high):
            beside, above = round(_BESIDE * size), round(_ABOVE * size)
            near = ink[max(0, y - above) : y + high + above, max(0, x - beside) : x + wide + beside]
            if int(near.sum()) == area:
                yield x, y, x + wide, y + high


def _is_in_table(box: Box, words: Sequence[Box], found: Sequence[Box], size: float) -> bool:
    """Whether words stand beside it, and such or another dash above or below."""
    middle, across = (box[1] + box[3]) / 2, (box[0] + box[2]) / 2
    apart = (each for each in words if each[2] < box[0] - size or each[0] > box[2] + size)
    level = any(abs((top + bottom) / 2 - middle) < _LEVEL * size for _, top, _, bottom in apart)
    own = (each for each in (*words, *found) if each[0] - size < across < each[2] + size)
    return level and any(
        0 < middle - bottom < _FAR * size or 0 < top - middle < _FAR * size for _, top, _, bottom in own
    )
