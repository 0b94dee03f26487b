"""Optional content of joined documents: layers stay, and hidden ones stay hidden."""

from typing import Any

import pikepdf

from cluster.engines.pages.excerpt import Part
from cluster.engines.pdf.nodes import get, is_dictionary, items

_LISTS = ("/Order", "/RBGroups", "/Locked")
_DEEPEST = 20


class Layers:
    """Gathers layers; `add` must come after a document's pages, which tell what layers are used."""

    def __init__(self) -> None:
        self._groups: list[bytes] = []
        self._off: list[bytes] = []
        self._lists: dict[str, list[bytes]] = {key: [] for key in (*_LISTS, "/AS")}

    def add(self, part: Part) -> None:
        """Take over a document's layers and which of them are hidden."""
        properties = get(part.pdf.Root, "/OCProperties")
        groups = [each for each in items(get(properties, "/OCGs")) if is_dictionary(each) and each.is_indirect]
        groups = [each for each in groups if part.whole or part.transcript.reached(each)]
        self._groups += [part.transcript.text(each) for each in groups]
        default = get(properties, "/D")
        hidden = {each.objgen for each in items(get(default, "/OFF")) if is_dictionary(each)}
        if get(default, "/BaseState") == "/OFF":
            shown = {each.objgen for each in items(get(default, "/ON")) if is_dictionary(each)}
            hidden = {each.objgen for each in groups} - shown
        self._off += [part.transcript.text(each) for each in groups if each.objgen in hidden]
        kept = {each.objgen for each in groups}
        for key in _LISTS:
            self._lists[key] += [_listed(part, each, kept) for each in items(get(default, key))]
        if part.whole:
            self._lists["/AS"] += [part.transcript.text(each) for each in items(get(default, "/AS"))]
        part.transcript.drain()

    def close(self) -> bytes:
        """The catalogue's entry."""
        if not self._groups:
            return b""
        lists = [b"%b [ %b ]" % (key.encode(), b" ".join(held)) for key, held in self._lists.items() if any(held)]
        hidden = b"/OFF [ %b ]" % b" ".join(self._off)
        return b"/OCProperties << /OCGs [ %b ] /D << %b %b >> >>" % (
            b" ".join(self._groups),
            hidden,
            b" ".join(lists),
        )


def _listed(part: Part, node: Any, kept: set[tuple[int, int]], depth: int = 0) -> bytes:
    """An item of /Order: a layer, a label or a list of them."""
    if isinstance(node, pikepdf.Array) and depth < _DEEPEST:
        held = [_listed(part, each, kept, depth + 1) for each in node]
        return b"[ %b ]" % b" ".join(held) if any(held) else b""
    if isinstance(node, pikepdf.String):
        return part.transcript.body(node)
    return part.transcript.text(node) if is_dictionary(node) and node.objgen in kept else b""
