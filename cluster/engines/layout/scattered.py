"""Lines as they stand here and there on a page, in groups: each is what a text box of a slide holds."""

import itertools
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import median

from cluster.engines.layout.letters import mark_of
from cluster.engines.layout.model import Align, Box, Paragraph, TextLine
from cluster.engines.layout.prose import paragraphs
from cluster.engines.layout.rows import around, level, rows_of

#: In sizes of letters: a wider gap parts pieces of a row, after a list's mark a wider one; and the farthest next line.
_GAP, _MARK_GAP, _STEP = 0.8, 3.0, 1.9
#: Letters of a mark, at most.
_MARK = 4
#: Letters of a group differ less than this in size, its lines' distances less than this.
_SIZES, _EVEN = 1.15, 1.35
#: Edges that differ by less than this (sizes of letters) agree.
_AGREE = 0.6
#: A single line is centred when its middle is so near the page's, and it is not much of the page's width.
_MIDDLE, _WIDE = 0.012, 0.7
#: Text flows in three lines or more that are this wide in sizes of letters; narrower lines are a list or a column.
_PROSE, _LINES = 12.0, 3


@dataclass(frozen=True)
class Group:
    """Lines close under each other, top to bottom, `pitch` from base line to base line."""

    lines: Sequence[TextLine]
    align: Align
    pitch: float

    @property
    def box(self) -> Box:
        return around(line.box for line in self.lines)

    @property
    def paragraphs(self) -> list[Paragraph]:
        left, _, right, _ = self.box
        return paragraphs(self.lines, left, right, 0)


def flows(text: Paragraph) -> bool:
    """Whether it is running text, whose lines end where the paper ends."""
    return len(text.lines) >= _LINES and median(line.width for line in text.lines) > _PROSE * text.size


def groups(lines: Iterable[TextLine], width: float) -> list[Group]:
    """The lines of a page that is `width` wide as groups, in the order of their first lines."""
    rows = sorted((line for row in rows_of(lines) for line in _near(row)), key=lambda line: (line.base, line.box[0]))
    after = _links(rows)
    follows = set(after.values())
    made = []
    for start in (at for at in range(len(rows)) if at not in follows):
        chain = [start]
        while chain[-1] in after:
            chain.append(after[chain[-1]])
        made += [_group(part, width) for part in _even([rows[at] for at in chain])]
    return sorted(made, key=lambda group: (group.box[1], group.box[0]))


def _near(row: Sequence[TextLine]) -> list[TextLine]:
    """The row's pieces as lines, those that stand closely as one."""
    parts: list[list[TextLine]] = []
    for piece in row:
        room = _MARK_GAP if parts and _is_mark(parts[-1], piece) else _GAP
        if parts and piece.box[0] - parts[-1][-1].box[2] < room * piece.size:
            parts[-1].append(piece)
        else:
            parts.append([piece])
    return [level(part)[0] for part in parts]


def _is_mark(part: Sequence[TextLine], after: TextLine) -> bool:
    """Whether it marks the piece after it; a number without a bracket or a point at its end marks words alone."""
    text = part[0].text.strip()
    if len(part) > 1 or len(text) > _MARK or (text[0].isalnum() and mark_of(part[0]) != text):
        return False
    return not text[-1].isdigit() or sum(map(str.isalpha, after.text)) > len(text)


def _links(rows: Sequence[TextLine]) -> dict[int, int]:
    """For lines that one other goes on, and that goes on no third, the other."""
    below = {at: _below(rows, at) for at in range(len(rows))}
    above: dict[int, list[int]] = {}
    for at, found in below.items():
        for each in found:
            above.setdefault(each, []).append(at)
    return {at: found[0] for at, found in below.items() if len(found) == 1 and len(above[found[0]]) == 1}


def _below(rows: Sequence[TextLine], at: int) -> list[int]:
    """The nearest lines under one line."""
    line = rows[at]
    first = bisect_left(rows, line.base + 0.5 * line.size, key=lambda row: row.base)
    last = bisect_right(rows, line.base + _STEP * line.size, key=lambda row: row.base)
    found = [each for each in range(first, last) if _over(line, rows[each])]
    return [
        each for each in found if rows[each].base - rows[found[0]].base < 0.35 * line.size and _goes(line, rows[each])
    ]


def _over(one: TextLine, other: TextLine) -> bool:
    shared = min(one.box[2], other.box[2]) - max(one.box[0], other.box[0])
    return shared > 0.3 * min(one.width, other.width)


def _goes(one: TextLine, other: TextLine) -> bool:
    small, big = sorted((one.size, other.size))
    return big < _SIZES * small and _fit([one, other], 3.0) is not None


def _fit(lines: Sequence[TextLine], sizes: float) -> Align | None:
    """By which of their edges or middles the lines agree."""
    near = sizes * lines[0].size
    ways: tuple[tuple[Align, list[float]], ...] = (
        ("left", [line.box[0] for line in lines]),
        ("center", [(line.box[0] + line.box[2]) / 2 for line in lines]),
        ("right", [line.box[2] for line in lines]),
    )
    return next((way for way, places in ways if max(places) - min(places) < near), None)


def _even(chain: Sequence[TextLine]) -> list[list[TextLine]]:
    """Parted where the distance of lines grows."""
    parts = [[chain[0]]]
    for line in chain[1:]:
        last = parts[-1]
        step = line.base - last[-1].base
        usual = last[1].base - last[0].base if len(last) > 1 else step
        if step > _EVEN * usual or usual > _EVEN * step:
            parts.append([line])
        else:
            last.append(line)
    return parts


def _group(lines: Sequence[TextLine], width: float) -> Group:
    steps = [below.base - above.base for above, below in itertools.pairwise(lines)]
    pitch = median(steps) if steps else 1.2 * lines[0].size
    if len(lines) > 1:
        return Group(lines, _fit(lines, _AGREE) or "left", pitch)
    left, _, right, _ = lines[0].box
    middle = abs(left + right - width) / 2 < _MIDDLE * width and right - left < _WIDE * width
    return Group(lines, "center" if middle else "left", pitch)
