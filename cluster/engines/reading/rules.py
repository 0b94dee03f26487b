"""Rules under words or through them: what is theirs ends where they end and meets no upright rule; the rest is a
border of a cell or a paragraph."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any

from cluster.engines.layout.grids import THIN
from cluster.engines.layout.model import Box, Inked, TextLine
from cluster.engines.layout.rows import around, rows_of
from cluster.engines.layout.undrawn import NEAR
from cluster.engines.reading.cells import upright

#: Where such rules lie (from, to) below the base line, in heights of letters.
_MARKS = {"underline": (-0.05, 0.5), "strike": (-0.7, -0.05)}
#: How far they may reach beyond the words, in heights of letters.
_BEYOND = 0.5
#: Words stand in other columns from such a gap on, in heights of letters.
_APART = 3.0
#: Pieces of one rule lie so near (points) to each other, end to end.
_GAP = 0.5
#: A surface is this near (points) to what goes on with it.
_SEAM = 1.0


def in_one(rules: Sequence[Box]) -> list[Box]:
    """The rules, those that were drawn piece by piece, as spreadsheets do it cell by cell, as one."""
    made: list[Box] = []
    for way in (0, 1):
        along = [rule for rule in rules if (rule[2] - rule[0] < rule[3] - rule[1]) == bool(way)]
        sides = sorted(along, key=lambda rule: (*_across(rule, way), rule[way]))
        for _, pieces in groupby(sides, key=lambda rule: _across(rule, way)):
            made += _strung(pieces, way)
    return made


def _across(rule: Box, way: int) -> tuple[float, float]:
    """From where to where a rule is thick that lies (way: 0) or stands (1)."""
    return round(rule[1 - way], 1), round(rule[3 - way], 1)


def _strung(pieces: Iterable[Box], way: int) -> Iterator[Box]:
    first, *others = pieces
    for rule in others:
        if rule[way] > first[way + 2] + _GAP:
            yield first
            first = rule
        else:
            first = around((first, rule))
    yield first


def marked(
    lines: Sequence[TextLine], rules: Sequence[Box], inks: Sequence[Inked] = (), fills: Sequence[Inked] = ()
) -> list[TextLine]:
    """The lines, underlined and struck through only where a rule is theirs; `inks` are the rules as they are drawn."""
    flat = sorted((rule for rule in in_one(rules) if rule[3] - rule[1] < THIN), key=lambda rule: rule[1])
    seams = sorted((rule for rule, ink in inks if _is_seam(rule, ink, fills)), key=lambda rule: rule[1])
    tops, starts, stands = [rule[1] for rule in flat], [seam[1] for seam in seams], sorted(upright(rules))
    wrong: dict[int, set[str]] = {}
    for row in (part for level in rows_of(lines) for part in _together(level)):
        left, _, right, _ = around(line.box for line in row)
        for line, mark in ((line, mark) for line in row for mark in _MARKS if _has(line, mark)):
            over = left - _BEYOND * line.size, right + _BEYOND * line.size
            near = list(_near(line, _MARKS[mark], flat, tops))
            beyond = any(rule[0] < over[0] or rule[2] > over[1] or _cornered(rule, stands) for rule in near)
            if beyond or (inks and not near) or any(_near(line, _MARKS[mark], seams, starts)):
                wrong.setdefault(id(line), set()).add(mark)
    return [_without(line, wrong[id(line)]) if id(line) in wrong else line for line in lines]


def _together(row: Sequence[TextLine]) -> Iterator[list[TextLine]]:
    """The row's lines in parts between wide gaps, which words that are underlined as one don't have."""
    part: list[TextLine] = []
    for line in sorted(row, key=lambda line: line.box[0]):
        if part and line.box[0] - max(each.box[2] for each in part) > _APART * line.size:
            yield part
            part = []
        part.append(line)
    yield part


def _is_seam(rule: Box, ink: int, fills: Sequence[Inked]) -> bool:
    """Whether it only goes on a surface of its colour."""
    left, top, right, bottom = rule
    return bottom - top < THIN < right - left and any(
        colour == ink
        and box[3] - box[1] > THIN
        and box[0] < right
        and box[2] > left
        and box[1] - _SEAM < bottom
        and box[3] + _SEAM > top
        for box, colour in fills
    )


def _has(line: TextLine, mark: str) -> bool:
    return any(getattr(span.style, mark) for span in line.spans)


def _near(line: TextLine, where: tuple[float, float], flat: Sequence[Box], tops: Sequence[float]) -> Iterator[Box]:
    start, end = (line.base + share * line.size for share in where)
    below = flat[bisect_left(tops, start) : bisect_right(tops, end)]
    return (rule for rule in below if rule[0] < line.box[2] - 1 and rule[2] > line.box[0] + 1)


def _cornered(rule: Box, stands: Sequence[Box]) -> bool:
    """Whether an upright rule meets one of its ends: then both are borders."""
    left, top, right, bottom = rule
    return any(
        stand[1] - NEAR < bottom and stand[3] + NEAR > top
        for end in (left, right)
        for stand in stands[bisect_left(stands, (end - THIN - NEAR,)) : bisect_right(stands, (end + NEAR,))]
    )


def _without(line: TextLine, marks: set[str]) -> TextLine:
    plain: dict[str, Any] = dict.fromkeys(marks, False)
    return replace(line, spans=tuple(replace(span, style=replace(span.style, **plain)) for span in line.spans))
