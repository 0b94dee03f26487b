"""Dots that lead from an entry to its number, where their font doesn't say what letter they are."""

import itertools
import re
from collections.abc import Sequence
from typing import Any

#: Letters of no name, so many that stand evenly (sizes of letters), each narrower than this: no word is like that.
_NAMELESS = re.compile("\ufffd{6,}")
_EVEN, _NARROW = 0.02, 0.5


def has_nameless(lines: Sequence[dict[str, Any]]) -> bool:
    """Whether some of MuPDF's lines may lead to a number."""
    return any(_NAMELESS.search(span["text"]) for line in lines for span in line["spans"])


def named(span: dict[str, Any]) -> dict[str, Any]:
    """MuPDF's span with dots for what stands there as dots do; as it is where it isn't known where letters stand."""
    text, places = span["text"], span.get("places", ())
    if len(places) != len(text) + 1 or not _NAMELESS.search(text):
        return span

    def dots(found: re.Match[str]) -> str:
        own = places[found.start() : found.end()]
        steps = [two - one for one, two in itertools.pairwise(own)]
        even = max(steps) - min(steps) < _EVEN * span["size"] and max(steps) < _NARROW * span["size"]
        return "." * len(found[0]) if even else found[0]

    return {**span, "text": _NAMELESS.sub(dots, text)}
