"""Which numbers in headers and footers count the pages: others, as a chapter's, stay the words that they are."""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from cluster.engines.layout.margins import NUMBER, Margins, plain
from cluster.engines.layout.model import Span, TextLine

_DIGITS = re.compile(r"(\d+)")
#: Longer numbers are dates and numbers of their own.
_MOST_DIGITS = 4
#: A text by which pages are compared: without its numbers, which of those on its page, and which of its numbers.
_Key = tuple[str, int, int]


def counted(found: Margins) -> Margins:
    """The headers and footers, their pages' numbers as spans of their own that are told to count."""
    return Margins(_told(found.heads), _told(found.feet))


def look(line: TextLine) -> str:
    """How pages tell the line from others: its text without blanks, a number that counts as #, Roman ones too."""
    if not _DIGITS.search(line.text):
        return plain(line.text)
    return re.sub(r"\s+", "", "".join("#" if span.counts else span.text for span in line.spans))


def _told(pages: Sequence[Sequence[TextLine]]) -> list[list[TextLine]]:
    met: dict[_Key, list[tuple[int, int]]] = defaultdict(list)
    for page, lines in enumerate(pages):
        for key, value in _values(lines):
            met[key].append((page, value))
    counting = {key for key, values in met.items() if _counts(key[0], values, several=len(pages) > 1)}
    return [
        [_parted(line, [key in counting for key in _keys(lines, at)]) for at, line in enumerate(lines)]
        for lines in pages
    ]


def _values(lines: Sequence[TextLine]) -> Iterator[tuple[_Key, int]]:
    for at, line in enumerate(lines):
        numbers = [number for span in line.spans for number in _DIGITS.findall(span.text)]
        for key, number in zip(_keys(lines, at), numbers, strict=True):
            if len(number) <= _MOST_DIGITS:
                yield key, int(number)


def _keys(lines: Sequence[TextLine], at: int) -> list[_Key]:
    text = plain(lines[at].text)
    same = sum(plain(line.text) == text for line in lines[:at])
    count = sum(len(_DIGITS.findall(span.text)) for span in lines[at].spans)
    return [(text, same, number) for number in range(count)]


def _counts(text: str, values: Sequence[tuple[int, int]], *, several: bool) -> bool:
    """Whether numbers grow as their pages do, on most; a number that stands alone need only not stay the same.

    Where only one of several pages has one, it is that page's own number.
    """
    steps = [(other - page, after - value) for (page, value), (other, after) in pairwise(values)]
    if NUMBER.match(text.replace("#", "1")):
        if several and not steps:
            page, value = values[0]
            return value == page + 1
        return 2 * sum(not value for _, value in steps) <= len(steps)
    return 2 * sum(page == value for page, value in steps) > len(steps)


def _parted(line: TextLine, counting: Sequence[bool]) -> TextLine:
    if not any(counting):
        return line
    left = iter(counting)
    spans: list[Span] = []
    for span in line.spans:
        ends = [0, *(end for found in _DIGITS.finditer(span.text) for end in found.span()), len(span.text)]
        for start, end in pairwise(ends):
            if start < end:
                piece = span.cut(start, end)
                spans.append(replace(piece, counts=piece.text.isdigit() and next(left)))
    return replace(line, spans=tuple(spans))
