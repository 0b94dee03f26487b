"""Pieces of text on one base line become one line; wide gaps become tabs."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from cluster.engines.layout.model import Box, Span, TextLine

#: Gaps in heights of letters: narrower ones are none, wider ones tabs.
_BLANK, _TAB = 0.12, 0.8
_LOOK_BACK = 6
#: Pieces are on one line when their base lines differ by less than this share of the smaller letters' height.
_LEVEL = 0.35


def rows_of(pieces: Iterable[TextLine]) -> list[list[TextLine]]:
    """Pieces by base line, top to bottom, each row from left to right."""
    rows: list[list[TextLine]] = []
    for piece in sorted(pieces, key=lambda each: (each.base, each.box[0])):
        mates = [row for row in rows[-_LOOK_BACK:] if _level(row[0], piece)]
        if mates:
            mates[-1].append(piece)
        else:
            rows.append([piece])
    return [sorted(row, key=lambda each: each.box[0]) for row in rows]


def level(pieces: Iterable[TextLine]) -> list[TextLine]:
    """The rows as lines."""
    return [row[0] if len(row) == 1 else _one(row) for row in rows_of(pieces)]


def _level(one: TextLine, other: TextLine) -> bool:
    small = min(one.size, other.size)
    if one.size != other.size and max(one.size, other.size) > 1.8 * small:
        return False
    return abs(one.base - other.base) < _LEVEL * small


def _one(row: Sequence[TextLine]) -> TextLine:
    spans: list[Span] = []
    tabs: list[float] = []
    for number, piece in enumerate(row):
        if number:
            glue = _glue(piece.box[0] - max(each.box[2] for each in row[:number]), piece.size, spans[-1].text)
            if glue == "\t":
                tabs.append(piece.box[0])
            spans[-1] = _glued(spans[-1], glue, piece.box[0])
        spans += piece.spans
        tabs += piece.tabs
    longest = max(row, key=lambda each: len(each.text))
    score = min(each.score for each in row)
    return TextLine(around(each.box for each in row), longest.base, tuple(spans), tuple(tabs), score)


def _glued(span: Span, glue: str, ends: float) -> Span:
    """The span with the blank or tab after it, which ends where the next begins."""
    places = (*span.places, ends) if span.places and glue else span.places
    return replace(span, text=span.text + glue, places=places)


def _glue(gap: float, size: float, before: str) -> str:
    if gap > _TAB * size:
        return "\t"
    return " " if gap > _BLANK * size and not before.endswith((" ", "\xa0")) else ""


def around(boxes: Iterable[Box]) -> Box:
    """The box that holds them all."""
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    return min(lefts), min(tops), max(rights), max(bottoms)
