"""Blanks that MuPDF tells wrongly: none behind Chinese letters, one where Word only keeps Latin letters apart, and one
behind a point in a number whose font tells no width of it."""

import re
import statistics
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

from cluster.engines.layout.letters import dense

#: The first of the letters behind which MuPDF tells no blank: signs, Chinese, its neighbours.
_UNTOLD = "\u2100"
_KOREAN = "\uac00", "\ud7a3"
#: From which width on a gap is a blank, in sizes of letters: between such letters, between Korean ones, beside Latin
#: ones, from which Word keeps a quarter, and beside marks, half of whose room is empty.
_APART, _KOREAN_APART, _LATIN_APART, _MARK_APART = 0.35, 0.2, 0.42, 0.75
#: How a number looks that may be torn behind its point, and up to where behind the point's beginning nothing is blank.
_TORN = re.compile(r"\W?\d[\d,]*[.,] \d+[%)]?")
_TORN_APART = 0.35
_MARKS = frozenset("，。、；：？！（）《》〈〉「」『』【】〔〕“”‘’…—·．")

#: A letter, as MuPDF tells it, and the number of its span.
_Letter = tuple[int, dict[str, Any]]


def has_untold(lines: Sequence[dict[str, Any]]) -> bool:
    """Whether MuPDF's lines have letters behind which it may tell blanks wrongly."""
    return any(_is_doubtful(span["text"]) for line in lines for span in line["spans"])


def spaced(line: dict[str, Any]) -> dict[str, Any]:
    """MuPDF's raw line with blanks where such letters stand apart, and only there."""
    spans = line["spans"]
    told = [(number, letter) for number, span in enumerate(spans) for letter in span["chars"]]
    if line["dir"] != (1, 0) or not _is_doubtful("".join(letter["c"] for _, letter in told)):
        return line
    made: list[list[dict[str, Any]]] = [[] for _ in spans]
    for number, letter in _spaced(told, [span["size"] for span in spans]):
        made[number].append(letter)
    kept = [{**span, "chars": letters} for span, letters in zip(spans, made, strict=True) if letters]
    return {**line, "spans": kept}


def _is_doubtful(text: str) -> bool:
    return max(text, default="") >= _UNTOLD or bool(_TORN.fullmatch(text.strip()))


def _spaced(told: Sequence[_Letter], sizes: Sequence[float]) -> Iterator[_Letter]:
    drawn = [each for each in told if not _is_guessed(each[1])]
    usual = _usual(drawn, sizes)
    last: _Letter | None = None
    guessed: list[_Letter] = []
    for each in told:
        if _is_guessed(each[1]):
            guessed.append(each)
            continue
        if last and _is_untold(last, each, guessed):
            guessed = [_blank(last, each)] if _gap(last, each, sizes) > _least(last, each, usual) else []
        elif last and _is_torn(last, each, sizes):
            guessed = []
        yield from guessed
        yield each
        last, guessed = each, []


def _is_untold(one: _Letter, two: _Letter, guessed: Sequence[_Letter]) -> bool:
    """Whether what MuPDF tells between the letters is to be told anew: its blank beside a sign is one."""
    letters = one[1]["c"], two[1]["c"]
    return any(map(dense, letters)) or (not guessed and max(letters) >= _UNTOLD)


def _is_torn(one: _Letter, two: _Letter, sizes: Sequence[float]) -> bool:
    """Whether the letters are a number's point, which has no room of its own, and the digit behind it."""
    apart: float = two[1]["bbox"][0] - one[1]["bbox"][0]
    return one[1]["c"] in ".," and two[1]["c"].isdigit() and apart < _TORN_APART * sizes[one[0]]


def _is_guessed(letter: dict[str, Any]) -> bool:
    return letter.get("synthetic", False) and not letter["c"].strip()


def _usual(drawn: Sequence[_Letter], sizes: Sequence[float]) -> float:
    """By how much Chinese letters of the line mostly stand apart: more than nothing in lines that are spread."""
    gaps = [_gap(one, two, sizes) for one, two in pairwise(drawn) if _is_plain(one) and _is_plain(two)]
    return max(0.0, statistics.median_low(gaps)) if gaps else 0.0


def _is_plain(each: _Letter) -> bool:
    letter: str = each[1]["c"]
    return letter not in _MARKS and (dense(letter) or _is_korean(letter))


def _is_korean(letter: str) -> bool:
    return _KOREAN[0] <= letter <= _KOREAN[1]


def _gap(one: _Letter, two: _Letter, sizes: Sequence[float]) -> float:
    if one[1]["c"].isspace() or two[1]["c"].isspace():
        return 0.0
    gap: float = two[1]["bbox"][0] - one[1]["bbox"][2]
    return gap / (min(sizes[one[0]], sizes[two[0]]) or 1)


def _least(one: _Letter, two: _Letter, usual: float) -> float:
    letters = one[1]["c"], two[1]["c"]
    if not _MARKS.isdisjoint(letters):
        return usual + _MARK_APART
    if min(letters) < _UNTOLD:
        return usual + _LATIN_APART
    if not (_is_plain(one) and _is_plain(two)):
        return _APART
    return usual + (_KOREAN_APART if all(map(_is_korean, letters)) else _APART)


def _blank(one: _Letter, two: _Letter) -> _Letter:
    """A blank behind the first letter, up to the second one."""
    number, letter = one
    _, top, end, bottom = letter["bbox"]
    box = (end, top, two[1]["bbox"][0], bottom)
    return number, {**letter, "c": " ", "bbox": box, "origin": (end, letter["origin"][1]), "synthetic": True}
