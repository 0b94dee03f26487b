"""Charts of bars, upright ones and lying ones: what lies is stood upright, and then looked at in the same way."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from cluster.engines.layout.model import Box, TextLine
from cluster.engines.layout.rows import around

#: A chart has so many bars of different heights on a line, each wider than this (points).
_BARS, _BAR = 3, 3.0
#: Bars of one chart stand no farther apart than so many times their width.
_APART = 4.0
#: Points by which bars that are as wide as each other may differ, and edges that stand at one place.
_ALIKE, _AGREE = 1.5, 2.0
#: Words cover no more of lying bars: where they do, the bars mark words, or are a table's shades.
_WORDS = 0.5
#: Rules stand in fewer than this share of the gaps between lying bars, and more of the bars have values.
_SHARE = 0.5
#: Names and values of bars are so near to them (points), and so short (letters).
_NEAR, _LONG = 16, 60


@dataclass(frozen=True)
class Mark:
    """A path that is drawn: its box, how much it tells of a drawing, and whether it is a rectangle."""

    box: Box
    telling: float
    frame: bool
    filled: bool


@dataclass(frozen=True)
class Chart:
    """Bars by their places among a page's marks, and the boxes of the words that name them and tell their values."""

    bars: Sequence[int]
    labels: Sequence[Box]


def charts(marks: Sequence[Mark], lines: Sequence[TextLine]) -> Iterator[Chart]:
    """The charts of bars on a page."""
    boxes, words = [mark.box for mark in marks], [line.box for line in lines]
    for row in _rows(boxes, marks):
        yield Chart(row, ())
    boxes, words = [_stood(box) for box in boxes], [_stood(box) for box in words]
    short = [box for box, line in zip(words, lines, strict=True) if len(line.text.strip()) <= _LONG]
    for row in _rows(boxes, marks):
        stacks = _stacks(row, boxes, marks)
        bars = [around(boxes[at] for at in stack) for stack in stacks]
        labels = list(_labels(bars, short))
        if _is_measured(bars, boxes, labels) and not _are_shades(bars, boxes, words):
            yield Chart([at for stack in stacks for at in stack], [_laid(label) for label in labels])


def _stood(box: Box) -> Box:
    """The box as it lies when the page is turned so that what grew rightwards grows upwards."""
    return box[1], -box[2], box[3], -box[0]


def _laid(box: Box) -> Box:
    return -box[3], box[0], -box[1], box[2]


def _rows(boxes: Sequence[Box], marks: Sequence[Mark]) -> Iterator[list[int]]:
    """Filled boxes that stand beside each other on one line, of several heights, from left to right."""
    lines: dict[int, list[int]] = {}
    for at, (box, mark) in enumerate(zip(boxes, marks, strict=True)):
        if mark.filled and box[2] - box[0] > _BAR:
            lines.setdefault(round(box[3]), []).append(at)
    for line in lines.values():
        row: list[int] = []
        for at in sorted(line, key=lambda at: boxes[at]):
            if row and boxes[at][0] - boxes[row[-1]][2] > _APART * (boxes[at][2] - boxes[at][0]):
                yield from _uneven(row, boxes)
                row = []
            row.append(at)
        yield from _uneven(row, boxes)


def _uneven(row: list[int], boxes: Sequence[Box]) -> Iterator[list[int]]:
    if len({round(boxes[at][1]) for at in row}) >= _BARS:
        yield row


def _labels(bars: Sequence[Box], words: Iterable[Box]) -> Iterator[Box]:
    """What is written in a bar's room at its foot or over its head, and goes on beside that."""
    pitch = min((two[0] - one[0] for one, two in pairwise(bars)), default=0.0)
    own = []
    for box in words:
        middle = (box[0] + box[2]) / 2
        bar = min(bars, key=lambda bar: abs((bar[0] + bar[2]) / 2 - middle))
        if abs((bar[0] + bar[2]) / 2 - middle) <= pitch / 2 and box[2] - box[0] <= pitch + _AGREE:
            own.append((box, bar))
    foot = [box for box, bar in own if -_AGREE <= box[1] - bar[3] <= _NEAR]
    deep = max((box[3] for box in foot), default=0.0)
    yield from (box for box, bar in own if bar[3] - _AGREE <= box[1] <= deep)
    yield from (box for box, bar in own if -_AGREE <= bar[1] - box[3] <= _NEAR)


def _is_measured(bars: Sequence[Box], boxes: Sequence[Box], labels: Sequence[Box]) -> bool:
    """Whether the bars are as wide as each other, and stand on an axis, before lines or under values."""
    wide = [bar[2] - bar[0] for bar in bars]
    left, top, right, bottom = around(bars)
    if max(wide) - min(wide) > _ALIKE:
        return False
    across = [box for box in boxes if box[0] < left + _AGREE and box[2] > right - _AGREE]
    axis = any(abs(box[3] - bottom) < _AGREE for box in across if box[3] - box[1] < _AGREE or box[1] < top + _AGREE)
    lined = any(box[3] - box[1] < _AGREE and top - _AGREE < box[1] < bottom for box in across)
    values = sum(box[3] < bottom for box in labels)
    return axis or lined or values > _SHARE * len(bars)


def _are_shades(bars: Sequence[Box], boxes: Sequence[Box], words: Sequence[Box]) -> bool:
    """Whether words stand in the bars, or rules between them, as in tables."""
    written = sum(max(0.0, min(bar[3], box[3]) - max(bar[1], box[1])) for bar in bars for box in words if _in(bar, box))
    gaps = [(one[2], two[0], max(one[1], two[1]), one[3]) for one, two in pairwise(bars)]
    ruled = sum(any(_parts(gap, box) for box in boxes) for gap in gaps)
    return written > _WORDS * sum(bar[3] - bar[1] for bar in bars) or ruled >= max(1, _SHARE * len(gaps))


def _in(bar: Box, box: Box) -> bool:
    return bar[0] - _AGREE < (box[0] + box[2]) / 2 < bar[2] + _AGREE


def _parts(gap: tuple[float, float, float, float], box: Box) -> bool:
    """Whether a side of the box stands in the gap, as high as the lower of the bars beside it."""
    left, right, top, bottom = gap
    inside = left < box[0] < right or left < box[2] < right
    return inside and box[1] < top + _AGREE and box[3] > bottom - _AGREE


def _stacks(row: Sequence[int], boxes: Sequence[Box], marks: Sequence[Mark]) -> list[list[int]]:
    """Each bar with what stands on it, and on that."""
    high = [at for at, mark in enumerate(marks) if mark.filled and boxes[at][3] - boxes[at][1] > 1]
    feet = {(round(boxes[at][0]), round(boxes[at][3])): at for at in high}
    stacks = [[at] for at in row]
    for stack in stacks:
        while (above := feet.get((round(boxes[stack[-1]][0]), round(boxes[stack[-1]][1])))) is not None:
            if above in stack:
                break
            stack.append(above)
    return stacks
