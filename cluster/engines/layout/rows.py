"""Pieces of text on one base line become one line; wide gaps become tabs."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from cluster.engines.layout.model import Box, Span, TextLine

#: Gaps in heights of letters: narrower ones are none, wider ones tabs.
_BLANK, _TAB = 0.12, 0.8
_LOOK_BACK = 6
#: Pieces are on one line when their base lines differ by less than this share of the smaller letters' height.
_LEVEL = 0.35
#: Raised marks are smaller than this share of a row's letters and stand so far over its base line (heights of these),
#: behind a piece of it so near, and have so many letters at most.
_SMALL, _OVER, _BEHIND, _MARK = 0.8, (0.15, 0.75), 1.0, 4


def rows_of(pieces: Iterable[TextLine]) -> list[list[TextLine]]:
    """Pieces by base line, top to bottom, each row from left to right."""
    rows: list[list[TextLine]] = []
    for piece in sorted(pieces, key=lambda each: (each.base, each.box[0])):
        mates = [row for row in rows[-_LOOK_BACK:] if _level(row[0], piece)]
        if mates:
            mates[-1].append(piece)
        else:
            rows.append([piece])
    return [sorted(row, key=lambda each: each.box[0]) for row in _with_raised(rows)]


def _with_raised(rows: Sequence[list[TextLine]]) -> Iterable[list[TextLine]]:
    """The rows, with what is raised over one of them in it: as a row of its own it would be above that."""
    hosts = [
        next((at for at in _below(number, rows) if _are_raised(row, rows[at])), number)
        for number, row in enumerate(rows)
    ]
    lying = {number: row for number, row in enumerate(rows) if hosts[number] == number}
    for number, host in enumerate(hosts):
        while hosts[host] != host:  # a mark's mark
            host = hosts[host]
        for piece in rows[number] if host != number else ():
            lying[host] = _with(piece, lying[host])
    return lying.values()


def _below(number: int, rows: Sequence[list[TextLine]]) -> range:
    return range(number + 1, min(len(rows), number + 1 + _LOOK_BACK))


def _are_raised(pieces: Sequence[TextLine], row: Sequence[TextLine]) -> bool:
    return all(_is_raised(piece, row) for piece in pieces)


def _is_raised(piece: TextLine, row: Sequence[TextLine]) -> bool:
    """Whether it is a small mark that stands over the row's base line, in it or right behind one of its pieces."""
    size = max(each.size for each in row)
    over = _OVER[0] * size < row[0].base - piece.base < _OVER[1] * size and piece.size < _SMALL * size
    behind = any(each.box[0] < piece.box[0] < each.box[2] + _BEHIND * size for each in row)
    return over and behind and len(piece.text.strip()) <= _MARK


def _with(piece: TextLine, row: Sequence[TextLine]) -> list[TextLine]:
    """The row with the raised mark between the letters where it stands."""
    size, (at, _, end, _) = max(each.size for each in row), piece.box
    spans = (replace(span, style=replace(span.style, raised=True, size=size)) for span in piece.spans)
    within = (each.text and each.box[0] < at < each.box[2] for each in row)
    parts = [
        part for each, cut in zip(row, within, strict=True) for part in (_parted(each, at, end) if cut else [each])
    ]
    return sorted([*parts, replace(piece, base=row[0].base, spans=tuple(spans))], key=lambda each: each.box[0])


def _parted(line: TextLine, at: float, end: float) -> list[TextLine]:
    """The line's letters before `at` and those behind, which begin at `end`, told by their places or their number."""
    text, (left, top, right, bottom) = line.text, line.box
    places = [place for span in line.spans for place in span.places[:-1]]
    if len(places) != len(text):
        places = [left + number * (right - left) / len(text) for number in range(len(text))]
    count = min(range(1, len(text) + 1), key=lambda number: abs((*places, right)[number] - at))
    first, rest, done = list[Span](), list[Span](), 0
    for span in line.spans:
        cut = max(0, min(len(span.text), count - done))
        first += [span.cut(0, cut)] if cut else []
        rest += [span.cut(cut, len(span.text))] if cut < len(span.text) else []
        done += len(span.text)
    tabs = [tuple(tab for tab in line.tabs if (tab < at) is before) for before in (True, False)]
    boxes = (left, top, at, bottom), (end, top, max(end, right), bottom)
    parts = zip(boxes, (first, rest), tabs, strict=True)
    return [replace(line, box=box, spans=tuple(spans), tabs=own) for box, spans, own in parts if spans]


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
