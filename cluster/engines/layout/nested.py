"""Tables within a cell of a ruled table: where they are among its rules, and their rows as lines of the cell.

Cells hold paragraphs, in every format that tables are written to; so a row is a line, its cells parted by tabs.
"""

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from cluster.engines.layout.letters import joined
from cluster.engines.layout.model import Box, Span, TextLine
from cluster.engines.layout.rows import around, level

#: Ends of rules this near (points) are one; rules outside of a table within another stay further off than this.
_SAME, _OFF = 1.0, 1.5
#: More upright rules are not looked through.
_MOST = 300


@dataclass(frozen=True)
class Rule:
    """A straight line at `at`, from `start` to `end` along the other axis."""

    at: float
    start: float
    end: float


Rules = tuple[list[Rule], list[Rule]]


def frames(across: Sequence[Rule], down: Sequence[Rule]) -> list[Rules]:
    """The flat and upright rules of each table that stands apart within the others, whose rules all end off it."""
    if not across or len(down) < 4 or len(down) > _MOST:
        return []
    whole = min(rule.at for rule in down), max(rule.at for rule in down)
    found: list[tuple[Box, Rules]] = []
    for one, other in itertools.combinations(sorted(down, key=lambda rule: rule.at), 2):
        box = one.at, one.start, other.at, one.end
        alike = abs(one.start - other.start) < _SAME and abs(one.end - other.end) < _SAME
        if alike and box[0] > whole[0] + _OFF and box[2] < whole[1] - _OFF and (own := _own(box, across, down)):
            found.append((box, own))
    return [own for box, own in found if not any(other != box and _lies_in(box, other) for other, _ in found)]


def _own(box: Box, across: Sequence[Rule], down: Sequence[Rule]) -> Rules | None:
    """The rules of the box where all four sides are drawn and more within, and no other one meets it."""
    left, top, right, bottom = box
    wide = [rule for rule in across if abs(rule.start - left) < _SAME and abs(rule.end - right) < _SAME]
    if not all(any(abs(rule.at - at) < _SAME for rule in wide) for at in (top, bottom)):
        return None
    flat, upright = _within(across, (left, right), (top, bottom)), _within(down, (top, bottom), (left, right))
    return (flat, upright) if flat and upright and len(flat) + len(upright) > 4 else None


def _within(rules: Sequence[Rule], along: tuple[float, float], over: tuple[float, float]) -> list[Rule] | None:
    """The rules that lie within; None where one that runs through is not among them."""
    own = [
        rule
        for rule in rules
        if over[0] - _SAME < rule.at < over[1] + _SAME and along[0] - _SAME < rule.start and rule.end < along[1] + _SAME
    ]
    meets = (
        over[0] + _OFF < rule.at < over[1] - _OFF and rule.start < along[1] + _OFF and rule.end > along[0] - _OFF
        for rule in rules
        if rule not in own
    )
    return None if any(meets) else own


def _lies_in(inner: Box, outer: Box) -> bool:
    return all(a >= b - _SAME for a, b in zip(inner[:2], outer[:2], strict=True)) and all(
        a <= b + _SAME for a, b in zip(inner[2:], outer[2:], strict=True)
    )


def row_lines(cells: Sequence[Sequence[TextLine]], rows: Sequence[int]) -> Iterator[TextLine]:
    """The cells' lines, which begin in these rows, as one line for each row."""
    placed = [(row, cell) for row, cell in zip(rows, cells, strict=True) if cell]
    for _, own in itertools.groupby(sorted(placed, key=lambda each: each[0]), key=lambda each: each[0]):
        yield _row(sorted((level(cell) for _, cell in own), key=lambda cell: cell[0].box[0]))


def _row(cells: Sequence[Sequence[TextLine]]) -> TextLine:
    spans: list[Span] = []
    for cell in cells:
        own = [replace(span, places=()) for span in joined(cell)]
        spans += [replace(own[0], text="\t", note=None), *own] if spans and own else own
    lines = [*itertools.chain(*cells)]
    tabs = tuple(min(line.box[0] for line in cell) for cell in cells[1:])
    base, score = min(line.base for line in lines), min(line.score for line in lines)
    return TextLine(around(line.box for line in lines), base, tuple(spans), tabs, score)


def within(lines: Iterable[TextLine], box: Box) -> list[TextLine]:
    """The lines whose middle lies in the box."""
    left, top, right, bottom = box
    return [
        line
        for line in lines
        if left < (line.box[0] + line.box[2]) / 2 < right and top < (line.box[1] + line.box[3]) / 2 < bottom
    ]
