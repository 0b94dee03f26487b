"""Rules under words: what underlines them ends where they end; what goes on is a border of a cell or a paragraph."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from cluster.engines.layout.grids import THIN
from cluster.engines.layout.model import Box, TextLine
from cluster.engines.layout.rows import around, rows_of

#: Where an underline lies below the base line, and how far it may reach beyond the words, in heights of letters.
_ABOVE, _BELOW, _BEYOND = 0.05, 0.5, 0.5


def underlined(lines: Sequence[TextLine], rules: Sequence[Box]) -> list[TextLine]:
    """The lines, underlined only where a rule ends with them."""
    flat = sorted((rule for rule in rules if rule[3] - rule[1] < THIN), key=lambda rule: rule[1])
    tops = [rule[1] for rule in flat]
    wrong = {id(line) for row in rows_of(lines) if any(map(_is_underlined, row)) for line in _bordered(row, flat, tops)}
    return [_plain(line) if id(line) in wrong else line for line in lines]


def _is_underlined(line: TextLine) -> bool:
    return any(span.style.underline for span in line.spans)


def _bordered(row: Sequence[TextLine], flat: Sequence[Box], tops: Sequence[float]) -> Iterator[TextLine]:
    """The lines of a row under which a border lies."""
    left, _, right, _ = around(line.box for line in row)
    for line in row:
        start, end = line.base - _ABOVE * line.size, line.base + _BELOW * line.size
        below = flat[bisect_left(tops, start) : bisect_right(tops, end)]
        under = (rule for rule in below if rule[0] < line.box[2] - 1 and rule[2] > line.box[0] + 1)
        if _goes_on(under, left - _BEYOND * line.size, right + _BEYOND * line.size):
            yield line


def _goes_on(rules: Iterable[Box], left: float, right: float) -> bool:
    return any(rule[0] < left or rule[2] > right for rule in rules)


def _plain(line: TextLine) -> TextLine:
    spans = (replace(span, style=replace(span.style, underline=False)) for span in line.spans)
    return replace(line, spans=tuple(spans))
