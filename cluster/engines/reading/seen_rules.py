"""Rules on the picture of a page: long straight strokes, and short ones between two of those."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from cluster.engines.layout.gutters import Piece
from cluster.engines.layout.model import Box, TextLine

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: Rules are this long at least (points).
_RULE = 24
#: … but between two rules so long.
_SHORT = 8
#: Upright rules that are so much longer are no letters' strokes below each other.
_STACKED = 2
#: Pixels between a stroke and what it meets, or what lies beside it.
_NEXT = 4
#: Share of a rule along which text stands, so that the letters may have made it.
_LETTERED = 0.4
#: Light letters cover less than the rest of a row of pixels through them (percent).
_GROUND = 15
#: Points around a stroke, and how much darker than they are it is at least: also where it is grey or in shadow.
_AROUND, _DARKER = 9, 12
#: Pixels along a stroke that are averaged: grain is none.
_EVEN = 5
#: Share of a box through which a stroke goes where other ink touches it.
_THROUGH = 0.6
#: What is no longer than a line, or hardly (times), may underline it; letters reach so far up (of their size).
_LONGER, _LETTERS = 1.2, 0.6
#: Share of a stroke that lies in a line of text, whose own it then is.
_WITHIN = 0.9


def drawn_rules(grey: "NDArray[Any]", pieces: Sequence[Piece], scale: float) -> Iterator[Box]:
    """Long straight strokes of a picture, a pixel of which is `scale` points, and short ones that join two long ones.

    Those within a line of text are its own, and so is what light letters on a ground seem to draw along theirs. Boxes
    of text are larger than their letters and reach over the rules beside them, so nothing is wiped before.
    """
    import numpy

    long, thick = max(12, int(_RULE / scale)), int(max(4, 3 / scale) + 4.4 / scale)
    around = max(9, int(_AROUND / scale)) | 1
    texts = numpy.array([(each.left, each.top, each.right, each.bottom) for each in pieces]).reshape(-1, 4)
    ink = _strokes(grey, (long, 1), thick, around)
    flat = [box for box in _found(ink, (long, 1), thick, texts) if not _is_halo(box, grey, texts, long, thick)]
    ink, stood = _strokes(grey, (1, long), thick, around), (grey.T, texts[:, [1, 0, 3, 2]])
    short = max(6, int(_SHORT / scale))
    found, more = (
        [box for box in _found(ink, (1, least), thick, texts) if not _is_halo(_laid(box), *stood, least, thick)]
        for least in (long, short)
    )
    found = [box for box in found if box[3] - box[1] > _STACKED * long or not _is_stacked(box, texts)]
    more = [box for box in more if not _is_part(box, found, thick) and not _is_in_text(box, texts)]
    upright = found + [box for box in more if _joins(box, flat, thick)]
    for box in flat:
        y = _place(box, grey)
        yield box[0], y - 1, box[2], y + 1
    for box in upright:
        x = _place(_laid(box), grey.T)
        yield x - 1, box[1], x + 1, box[3]


def between_rules(lines: Iterable[TextLine], rules: Iterable[Box]) -> Iterator[TextLine]:
    """The lines, whose boxes a finder draws too high, no farther than to rules over and under their letters."""
    flat = [rule for rule in rules if rule[2] - rule[0] > rule[3] - rule[1]]
    for line in lines:
        left, top, right, bottom = line.box
        along = [rule for rule in flat if rule[0] <= left and right <= rule[2]]
        levels = [(rule[1] + rule[3]) / 2 for rule in along if rule[2] - rule[0] > _LONGER * (right - left)]
        head = line.base - _LETTERS * line.size
        high = max((y for y in levels if top < y < head), default=top)
        low = min((y for y in levels if line.base < y < bottom), default=bottom)
        yield line if (high, low) == (top, bottom) else replace(line, box=(left, high, right, low))


def _found(ink: "NDArray[Any]", kernel: tuple[int, int], thick: int, texts: "NDArray[Any]") -> Iterator[Box]:
    """The strokes that are as long as the kernel, and no line's of text."""
    import cv2

    opened = cv2.morphologyEx(ink, cv2.MORPH_OPEN, cv2.getStructuringElement(cv2.MORPH_RECT, kernel))
    joined = cv2.dilate(opened, cv2.getStructuringElement(cv2.MORPH_RECT, (3, 3)))
    count, _, stats, _ = cv2.connectedComponentsWithStats(joined)
    flat = kernel[0] > 1
    for box in (each for found in stats[1:count, :4].tolist() for each in _cores(found, joined, thick)):
        if (box[2] - box[0] > box[3] - box[1]) == flat and not _is_of_text(box, texts):
            yield box


def _is_halo(rule: Box, grey: "NDArray[Any]", texts: "NDArray[Any]", long: int, thick: int) -> bool:
    """Whether letters stand all along a flat rule, and between them it is as dark as what lies above and below."""
    import numpy

    left, top, right, bottom = map(int, rule)
    beside = texts[(texts[:, 1] < bottom + thick) & (texts[:, 3] > top - thick)]
    wide = (numpy.minimum(right, beside[:, 2]) - numpy.maximum(left, beside[:, 0])).clip(0)
    if wide.sum() < _LETTERED * (right - left):
        return False
    around = grey[max(0, top - _NEXT) : bottom + _NEXT, left:right]
    # Piece by piece: a long rule may lean by more than it is thick.
    pieces = numpy.array_split(around, max(1, (right - left) // long), axis=1)
    levels = [numpy.percentile(each, _GROUND, axis=1) for each in pieces]
    return bool(numpy.median([numpy.ptp(each) for each in levels]) < _DARKER / 2)


def _laid(rule: Box) -> Box:
    return rule[1], rule[0], rule[3], rule[2]


def _place(rule: Box, grey: "NDArray[Any]") -> float:
    """Where a flat rule lies: in its middle, but on the edge of a dark ground, within which the stroke is seen."""
    import numpy

    left, top, right, bottom = map(int, rule)
    if bottom - top <= 2 * _NEXT:
        return (rule[1] + rule[3]) / 2
    first = max(0, top - _NEXT)
    levels = numpy.median(grey[first : bottom + _NEXT, left:right], axis=1).astype(int)
    if levels.min() < min(levels[0], levels[-1]) - _DARKER:
        return float(first + levels.argmin())
    return float(first + numpy.abs(numpy.diff(levels)).argmax() + 1)


def _joins(rule: Box, flat: Sequence[Box], thick: int) -> bool:
    """Whether both its ends are at flat rules."""
    x, top, bottom = (rule[0] + rule[2]) / 2, rule[1], rule[3]
    over = [(each[1], each[3]) for each in flat if each[0] - thick < x < each[2] + thick]
    return all(any(low - _NEXT <= end <= high + _NEXT for low, high in over) for end in (top, bottom))


def _is_in_text(rule: Box, texts: "NDArray[Any]") -> bool:
    """Whether its middle goes through a line of text, or each of its halves through one of its own."""
    return _meets(rule, 0.5, texts) or _is_stacked(rule, texts)


def _is_stacked(rule: Box, texts: "NDArray[Any]") -> bool:
    """Whether it is made of letters' strokes in two lines, one above the other."""
    return _meets(rule, 0.25, texts) and _meets(rule, 0.75, texts)


def _meets(rule: Box, share: float, texts: "NDArray[Any]") -> bool:
    """Whether a line of text goes through an upright rule at that share of its height."""
    x, y = (rule[0] + rule[2]) / 2, rule[1] + share * (rule[3] - rule[1])
    beside = (texts[:, 0] + _NEXT < x) & (x < texts[:, 2] - _NEXT) & (texts[:, 1] < y) & (y < texts[:, 3])
    return bool(beside.any())


def _is_part(rule: Box, others: Sequence[Box], thick: int) -> bool:
    """Whether it is one of the others, or stands right beside one."""
    x, y = (rule[0] + rule[2]) / 2, (rule[1] + rule[3]) / 2
    return any(each[0] - thick < x < each[2] + thick and each[1] <= y <= each[3] for each in others)


def _cores(found: Sequence[int], joined: "NDArray[Any]", thick: int) -> Iterator[Box]:
    """The strokes in such a place: all of it, or, where other ink touches it, what goes through most of it."""
    import numpy

    x, y, w, h = found
    if min(w, h) <= thick:
        yield x, y, x + w, y + h
        return
    part = joined[y : y + h, x : x + w] > 0
    flat = w > h
    through = part.mean(axis=1 if flat else 0) > _THROUGH
    ends = numpy.flatnonzero(numpy.diff(through.astype(numpy.int8), prepend=0, append=0)).tolist()
    for start, end in zip(ends[::2], ends[1::2], strict=True):
        if end - start <= thick:
            yield (x, y + start, x + w, y + end) if flat else (x + start, y, x + end, y + h)


def _strokes(grey: "NDArray[Any]", along: tuple[int, int], thick: int, around: int) -> "NDArray[Any]":
    """What is darker than what lies around it, as edges of fills are, or, averaged along itself, than both its sides.

    The latter tells a faint rule also where letters beside it darken what lies around.
    """
    import cv2

    mean, dark = cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY_INV
    ink = cv2.adaptiveThreshold(grey, 255, mean, dark, around, _DARKER)
    flat = along[0] > 1
    even = cv2.blur(grey, (_EVEN, 1) if flat else (1, _EVEN))
    high = thick + 2 | 1  # what is higher is a surface, of which only the edges are rules
    across = (1, high) if flat else (high, 1)
    hat = cv2.morphologyEx(even, cv2.MORPH_BLACKHAT, cv2.getStructuringElement(cv2.MORPH_RECT, across))
    found: NDArray[Any] = cv2.bitwise_or(ink, cv2.threshold(hat, _DARKER, 255, cv2.THRESH_BINARY)[1])
    return found


def _is_of_text(stroke: Box, texts: "NDArray[Any]") -> bool:
    """Whether (nearly) all of it lies within one line of text: a letter's stroke, a dash or what underlines it."""
    import numpy

    wide = numpy.minimum(stroke[2], texts[:, 2]) - numpy.maximum(stroke[0], texts[:, 0])
    high = numpy.minimum(stroke[3], texts[:, 3]) - numpy.maximum(stroke[1], texts[:, 1])
    area = (stroke[2] - stroke[0]) * (stroke[3] - stroke[1])
    return bool((wide.clip(0) * high.clip(0) > _WITHIN * area).any())
