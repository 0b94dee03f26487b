"""Lines of text cut where a drawn rule stands between their letters: MuPDF joins neighbouring cells to one line."""

from collections.abc import Iterator, Sequence
from typing import Any

from cluster.engines.layout.grids import THIN
from cluster.engines.layout.model import Box


def upright(rules: Sequence[Box]) -> list[Box]:
    """The rules that stand."""
    return [rule for rule in rules if rule[2] - rule[0] < THIN and rule[3] - rule[1] > 4]


def cut(lines: Sequence[dict[str, Any]], rules: Sequence[Box]) -> Iterator[dict[str, Any]]:
    """MuPDF's raw lines as its plain ones, parted at the rules."""
    for line in lines:
        left, top, right, bottom = line["bbox"]
        middle = (top + bottom) / 2
        edges = [(rule[0] + rule[2]) / 2 for rule in rules if rule[1] <= middle <= rule[3]]
        yield from _parted(line, sorted(edge for edge in edges if left < edge < right))


def _parted(line: dict[str, Any], edges: list[float]) -> Iterator[dict[str, Any]]:
    spans: list[dict[str, Any]] = []
    last: float | None = None
    for span in line["spans"]:
        letters: list[dict[str, Any]] = []
        for letter in span["chars"]:
            start, end = letter["bbox"][0], letter["bbox"][2]
            blank = not letter["c"].strip()
            if not blank and last is not None and any(last - 0.5 <= edge <= start + 0.5 for edge in edges):
                yield {**line, "spans": [*spans, *_span(span, letters)]}
                spans, letters = [], []
            last = last if blank else end
            letters.append(letter)
        spans += _span(span, letters)
    yield {**line, "spans": spans}


def _span(span: dict[str, Any], letters: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The letters as a span like `span`; what is blank at its ends takes no room."""
    if not letters:
        return []
    seen = [letter["bbox"] for letter in letters if letter["c"].strip()] or [letters[0]["bbox"]]
    _, top, _, bottom = span["bbox"]
    box = (seen[0][0], top, seen[-1][2], bottom)
    text, places = "".join(letter["c"] for letter in letters), [letter["origin"][0] for letter in letters]
    places.append(letters[-1]["bbox"][2])
    return [{**span, "text": text, "bbox": box, "origin": letters[0]["origin"], "places": places}]
