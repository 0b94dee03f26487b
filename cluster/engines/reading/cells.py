"""MuPDF's lines as they are seen: cut where a drawn rule stands between letters, in listings where blanks part columns,
and no higher than their letters are.
"""

import math
import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

from cluster.engines.layout.grids import THIN
from cluster.engines.layout.model import Box
from cluster.engines.layout.rows import around

#: Sizes of its letters from which on a span's box is none of theirs: fonts of drawings (Type 3) tell any box.
_TALL = 3
#: MuPDF's marks of letters that are struck or underlined.
_LINED = 3
#: Points by which letters reach over an edge; in sizes, by which letters of one text miss each other, most of which
#: (so large a share) tell how they are set.
_REACH, _APART, _MOST = 0.5, 0.01, 0.8
#: Blanks that part columns of a listing, the lines that have such, and how wide they are at least, in sizes of letters.
_BLANKS, _LISTED, _WIDE = 3, 5, 1.0
_PARTED = re.compile(rf"\S {{{_BLANKS},}}\S")
#: Share of a letter's height above its base line, where its font doesn't tell.
_ABOVE = 0.8


def fitted(line: dict[str, Any]) -> dict[str, Any]:
    """The line, its boxes around letters as high as their size tells."""
    spans = [_fitted(span) for span in line["spans"]] if line["dir"] == (1, 0) else line["spans"]
    if all(one is other for one, other in zip(spans, line["spans"], strict=True)):
        return line
    return {**line, "spans": spans, "bbox": around(span["bbox"] for span in spans)}


def _fitted(span: dict[str, Any]) -> dict[str, Any]:
    (left, top, right, bottom), size = span["bbox"], span["size"]
    if bottom - top <= _TALL * size:
        return span
    letters = span.get("chars", ())
    base = letters[0]["origin"][1] if letters else span["origin"][1]
    box = (left, base - _ABOVE * size, right, base + (1 - _ABOVE) * size)
    # What seems to strike or underline it lies somewhere in that other box.
    return {**span, "bbox": box, "char_flags": span.get("char_flags", 0) & ~_LINED}


def upright(rules: Sequence[Box]) -> list[Box]:
    """The rules that stand."""
    return [rule for rule in rules if rule[2] - rule[0] < THIN and rule[3] - rule[1] > 4]


def is_listing(lines: Sequence[dict[str, Any]]) -> bool:
    """Whether several of MuPDF's lines are typed in columns, with blanks between."""
    texts = ("".join(span["text"] for span in line["spans"]) for line in lines)
    return sum(bool(_PARTED.search(text)) for text in texts) >= _LISTED


def cut(lines: Sequence[dict[str, Any]], rules: Sequence[Box], *, listed: bool = False) -> Iterator[dict[str, Any]]:
    """MuPDF's raw lines as its plain ones, parted at the rules, and where blanks part the columns of a listing."""
    for line in lines:
        left, top, right, bottom = line["bbox"]
        middle = (top + bottom) / 2
        edges = [(rule[0] + rule[2]) / 2 for rule in rules if rule[1] <= middle <= rule[3]]
        yield from _parted(line, sorted(edge for edge in edges if left < edge < right), listed=listed)


def _parted(line: dict[str, Any], edges: list[float], *, listed: bool) -> Iterator[dict[str, Any]]:
    spans: list[dict[str, Any]] = []
    last: Box | None = None
    usual, blanks = _missing(line) if edges else 0.0, 0
    for span in line["spans"]:
        letters: list[dict[str, Any]] = []
        for letter in span["chars"]:
            box, blank = letter["bbox"], not letter["c"].strip()
            least = math.inf if letters and not letters[-1]["c"].strip() else usual
            apart = listed and blanks >= _BLANKS and last and box[0] - last[2] > _WIDE * span["size"]
            if not blank and last and (apart or any(_parts(edge, last, box, least) for edge in edges)):
                yield {**line, "spans": [*spans, *_span(span, letters)]}
                spans, letters = [], []
            last, blanks = (last, blanks + 1) if blank else (box, 0)
            letters.append(letter)
        spans += _span(span, letters)
    yield {**line, "spans": spans}


def _missing(line: dict[str, Any]) -> float:
    """How far (points) letters of two texts at least miss each other: farther than most letters of the line do."""
    letters = [letter for span in line["spans"] for letter in span["chars"]]
    ways = sorted(
        abs(two["bbox"][0] - one["bbox"][2]) for one, two in pairwise(letters) if one["c"].strip() and two["c"].strip()
    )
    most: float = ways[int(_MOST * len(ways))] if ways else 0.0
    size: float = max(span["size"] for span in line["spans"])
    return max(2 * most, _APART * size)


def _parts(edge: float, one: Box, other: Box, least: float) -> bool:
    """Whether the edge lies between two letters: or in one that does not end where the other begins, as of one text.

    A cell's clip leaves the last letter that its text reaches into the next cell with, right before that one's text.
    """
    if one[2] - _REACH <= edge <= other[0] + _REACH:
        return True
    return abs(other[0] - one[2]) > least and one[0] <= edge <= other[0] + _REACH


def _span(span: dict[str, Any], letters: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The letters as a span like `span`; what is blank at its ends takes no room."""
    if not letters:
        return []
    seen = [letter["bbox"] for letter in letters if letter["c"].strip()] or [letters[0]["bbox"]]
    _, top, _, bottom = span["bbox"]
    box = (min(box[0] for box in seen), top, max(box[2] for box in seen), bottom)  # some are set from the right
    text, places = "".join(letter["c"] for letter in letters), [letter["origin"][0] for letter in letters]
    places.append(letters[-1]["bbox"][2])
    return [{**span, "text": text, "bbox": box, "origin": letters[0]["origin"], "places": places}]
