"""Lines to paragraphs: where one ends, how it is aligned and set in."""

import itertools
from collections.abc import Sequence
from statistics import median

from cluster.engines.layout.letters import CONTENTS, ENDS, dense, fits, is_reference, mark_of
from cluster.engines.layout.model import Paragraph, TextLine

#: Share of a centred line's room that its next word has to overflow.
_FULL = 0.6
#: What ends this near (points) to the column's edge stands at it.
_AT_EDGE = 2
#: Lines of a text that is set from edge to edge begin and end within so many points.
_EVEN = 1.0
#: Some typesetters let these stand out beyond the edge, by so many heights of a letter at most.
_HANGING, _OUT = tuple("-\u2010–—.,:;'’”\""), 0.3


class Column:
    """A column of lines from `left` to `right`, with the usual distance of its base lines."""

    def __init__(self, lines: Sequence[TextLine], left: float, right: float) -> None:
        self.left, self.right = left, right
        near = [
            (above, below, below.base - above.base)
            for above, below in itertools.pairwise(lines)
            if 0.9 * above.size < below.base - above.base < 4.5 * above.size and abs(above.size - below.size) < 0.6
        ]
        steps = [step for above, below, step in near if not fits(above, below, right)]
        steps = steps or [step for above, _, step in near if step < 2.6 * above.size]
        self.usual = median(steps) if steps else 0.0

    @property
    def width(self) -> float:
        return self.right - self.left

    def centred(self, line: TextLine) -> bool:
        before, after = line.box[0] - self.left, self.right - line.box[2]
        return before > 1.5 * line.size and abs(before - after) < max(4.0, 0.06 * (before + after))

    def set_in(self, line: TextLine) -> bool:
        """At both sides."""
        return min(line.box[0] - self.left, self.right - line.box[2]) > 1.5 * line.size

    def parted(self, line: TextLine) -> bool:
        """Whether its smaller part stands behind a gap, at the right edge."""
        apart = bool(line.tabs) and line.box[2] - line.tabs[-1] < line.width / 2
        return apart and self.right - line.box[2] < _AT_EDGE

    def flush_right(self, line: TextLine) -> bool:
        return self.right - line.box[2] < _AT_EDGE and line.box[0] - self.left > 0.25 * self.width


def paragraphs(lines: Sequence[TextLine], left: float, right: float, page: int) -> list[Paragraph]:
    """The lines of one column, top to bottom, as paragraphs."""
    column, found = Column(lines, left, right), list[list[TextLine]]()
    for line in lines:
        if found and _follows(found[-1], line, column):
            found[-1].append(line)
        else:
            found.append([line])
    return [_set(each, column, page) for each in found]


def _follows(before: list[TextLine], line: TextLine, column: Column) -> bool:
    """Whether `line` goes on the paragraph `before`."""
    last = before[-1]
    if not _near(before, line, column) or CONTENTS.search(last.text) or CONTENTS.search(line.text):
        return False
    if _is_entry(before[0], line):
        return False
    if _is_block(before, line, column):
        return True
    if column.centred(last) and column.centred(line):
        # Its room lies on both sides; titles are broken before it is full.
        room = last.box[2] + _FULL * (column.width - last.width)
        return not fits(last, line, room) and last.bold == line.bold
    if _begins_item(last, line, column.right) or fits(last, line, column.right):
        return False
    if last.bold != line.bold and last.bold and len(before) == 1 and last.box[2] < column.right - 4 * last.size:
        return False
    if min(last.box[0], line.box[0]) - column.left > 0.4 * column.width:
        return False
    return _in_line(before, line)


def _is_entry(first: TextLine, line: TextLine) -> bool:
    """Whether it is the next of a list of references."""
    return is_reference(first) and is_reference(line) and line.box[0] < first.box[0] + _AT_EDGE


def _is_block(before: Sequence[TextLine], line: TextLine, column: Column) -> bool:
    """Whether it goes on lines in the middle of the column that are set from edge to edge, as an abstract's are."""
    last, size = before[-1], line.size
    inner = column.centred(last) or column.centred(line) or (column.set_in(last) and not _are_rows(last, line))
    if not (inner and last.width > column.width / 2 and last.bold == line.bold):
        return False
    shift = last.box[0] - line.box[0]
    if len(before) == 1:
        return -_EVEN < shift < 3 * size and _end_alike([last, line])
    edge = min(each.box[2] for each in before)
    return abs(shift) < _EVEN and _end_alike(before) and line.box[2] < edge + _leeway(line)


def _are_rows(last: TextLine, line: TextLine) -> bool:
    """Whether lines that end alike are those of a list: with gaps or marks, or they begin with one word."""
    alike = last.text.split()[:1] == line.text.split()[:1]
    return bool(last.tabs or line.tabs) or alike or _begins_item(last, line, last.box[2])


def _end_alike(lines: Sequence[TextLine]) -> bool:
    edge = min(line.box[2] for line in lines)
    return all(line.box[2] < edge + _leeway(line) for line in lines)


def _leeway(line: TextLine) -> float:
    return _EVEN + _OUT * line.size * (line.text.rstrip()[-1:] in _HANGING)


def _near(before: list[TextLine], line: TextLine, column: Column) -> bool:
    """By size and by distance."""
    last = before[-1]
    step, size = line.base - last.base, min(last.size, line.size)
    if step <= 0 or abs(last.size - line.size) > 0.12 * size:
        return False
    if step > max(2.6 * size, min(1.1 * column.usual, 4.5 * size)):
        return False
    pitch = before[1].base - before[0].base if len(before) > 1 else column.usual
    wide = pitch and step > max(pitch * 1.22, pitch + 2.5)
    return not (wide and (len(before) > 1 or step > 1.35 * size))


def _begins_item(last: TextLine, line: TextLine, right: float) -> bool:
    mark = mark_of(line)
    if not mark:
        return False
    ends = last.text.rstrip()[-1:] in ENDS
    return mark == "•" or bool(line.tabs) or line.box[0] < last.box[0] - 1 or ends or fits(last, line, right)


def _in_line(before: list[TextLine], line: TextLine) -> bool:
    """Whether it begins where the paragraph's lines do; the second line may be set in under a mark's text."""
    first, last, size = before[0], before[-1], min(before[-1].size, line.size)
    if len(before) > 1:
        return abs(line.box[0] - before[1].box[0]) < 0.6 * size
    shift = line.box[0] - last.box[0]
    if shift > 0.6 * size:
        text = last.tabs[0] if last.tabs else last.box[0] + 3 * size
        return bool(mark_of(first) or is_reference(first)) and abs(line.box[0] - text) < 1.6 * size
    return shift > -8 * size


def _set(lines: list[TextLine], column: Column, page: int) -> Paragraph:
    """The paragraph with its alignment and indents."""
    made = Paragraph(lines, page)
    first, rest = lines[0], lines[1:]
    body = median(line.box[0] for line in rest) if rest else first.box[0]
    made.left, made.first = max(5 - column.left, body - column.left), first.box[0] - body
    if rest:
        made.pitch = median(below.base - above.base for above, below in itertools.pairwise(lines))
    _align(made, column)
    made.flush = not rest and made.align == "left" and column.parted(first)
    if made.right < 1.2 * first.size:
        made.right = 0
    alone = not rest and made.align == "left" and 0 < made.left < 4 * first.size
    if alone and dense(first.text.strip()[:1] or " ") and not mark_of(first):
        made.left, made.first = 0, made.left
    return made


def _align(made: Paragraph, column: Column) -> None:
    lines, size = made.lines, made.size
    ends = [line.box[2] for line in lines[:-1]]
    starts = [line.box[0] for line in lines[1:]]
    even = len(lines) > 2 and _end_alike(lines[:-1]) and max(starts) - min(starts) < _EVEN
    if not even and all(column.centred(line) for line in lines):
        made.align, made.left, made.first = "center", 0, 0
    elif all(column.flush_right(line) for line in lines) and (len(lines) == 1 or abs(made.first) > 3):
        made.align, made.left, made.first = "right", 0, 0
    elif len(lines) > 2 and max(ends) - min(ends) < 0.6 * size:
        made.align, made.right = "both", max(0.0, column.right - made.box[2])
    elif len(lines) == 2 and abs(column.right - ends[0]) < 1.5:
        made.align = "both"
