"""Addresses of joined documents: the result has the first one's base; what counts from another is told in full."""

from collections.abc import Callable
from typing import Any
from urllib.parse import urljoin

import pikepdf

from cluster.engines.pages.excerpt import Part
from cluster.engines.pdf.nodes import get, is_dictionary, items

_DEEPEST = 32


def base_of(pdf: pikepdf.Pdf) -> str:
    """What the document's relative addresses count from; "" is the document itself."""
    base = get(pdf.Root, "/URI", "/Base")
    return str(base) if isinstance(base, pikepdf.String) else ""


def rebase(part: Part, kept: str) -> None:
    """Write out the relative addresses of links and bookmarks, where their base is another than the result's."""
    base = base_of(part.pdf)
    if base in ("", kept):
        return
    for page in part.pages:
        for annotation in items(page.get("/Annots")):
            _each(get(annotation, "/A"), base)
    _walk(get(part.pdf.Root, "/Outlines", "/First"), lambda item: _each(get(item, "/A"), base))


def _each(action: Any, base: str) -> None:
    """Complete an action and those that follow it."""
    for _ in range(_DEEPEST):
        if not is_dictionary(action):
            return
        held = action.get("/URI")
        if action.get("/S") == "/URI" and isinstance(held, pikepdf.String):
            action["/URI"] = pikepdf.String(_joined(base, str(held)))
        action = action.get("/Next")


def _joined(base: str, address: str) -> str:
    try:
        return urljoin(base, address)
    except ValueError:
        return address


def _walk(first: Any, told: Callable[[Any], None]) -> None:
    waiting, seen = [first], set[tuple[int, int]]()
    while waiting:
        item = waiting.pop()
        if is_dictionary(item) and item.objgen not in seen:
            seen.add(item.objgen)
            told(item)
            waiting += [item.get("/Next"), item.get("/First")]
