"""Name trees, number trees and destinations of an open PDF, read so that loops and gaps do no harm."""

from collections.abc import Iterator, Sequence
from typing import Any

import pikepdf

Key = tuple[int, int]


def get(node: Any, *path: str) -> Any:
    """The value down a path of dictionary keys; None where it ends early."""
    for key in path:
        node = node.get(key) if isinstance(node, pikepdf.Dictionary) else None
    return node


def items(node: Any) -> list[Any]:
    """The items of an array, or nothing."""
    return list(node) if isinstance(node, pikepdf.Array) else []


def is_dictionary(node: Any) -> bool:
    """Whether `node` is a dictionary and no stream."""
    return isinstance(node, pikepdf.Dictionary)


def leaves(tree: Any, kind: str) -> Iterator[tuple[Any, Any]]:
    """Keys and values of a tree; `kind` is /Names or /Nums."""
    seen: set[Key] = set()
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        if not is_dictionary(node) or (node.is_indirect and node.objgen in seen):
            continue
        seen.add(node.objgen)
        held = items(node.get(kind))
        yield from zip(held[::2], held[1::2], strict=False)
        waiting += reversed(items(node.get("/Kids")))


def named(tree: Any) -> dict[bytes, Any]:
    """A name tree by the raw bytes of its keys."""
    return {bytes(key): value for key, value in leaves(tree, "/Names") if isinstance(key, pikepdf.String)}


def destinations(pdf: pikepdf.Pdf) -> dict[bytes, Any]:
    """Named destinations: `(` and the bytes of a string, or the name as a file holds it, -> array or dictionary."""
    found = {b"(" + key: value for key, value in named(get(pdf.Root, "/Names", "/Dests")).items()}
    old = get(pdf.Root, "/Dests")
    if is_dictionary(old):
        found |= {pikepdf.Name(key).unparse(): value for key, value in old.items()}
    return found


class Targets:
    """Which page a link, bookmark or destination of one document leads to."""

    def __init__(self, pdf: pikepdf.Pdf, pages: Sequence[Any]) -> None:
        self.named = destinations(pdf)
        self._pages = pages

    def page(self, node: Any) -> Key | None:
        """The key of the page that a link or bookmark dictionary leads to; None: nowhere in this document."""
        action = get(node, "/A")
        if node.get("/Dest") is not None:
            return self.target(node.get("/Dest"))
        return self.target(get(action, "/D")) if get(action, "/S") == "/GoTo" else None

    def target(self, node: Any) -> Key | None:
        """The key of the page a destination names; one that says a position is changed to say the page."""
        if isinstance(node, pikepdf.String):
            node = self.named.get(b"(" + bytes(node))
        elif isinstance(node, pikepdf.Name):
            node = self.named.get(node.unparse())
        if is_dictionary(node):
            node = node.get("/D")
        if not isinstance(node, pikepdf.Array) or not len(node):
            return None
        first: Any = node[0]
        if isinstance(first, int) and 0 <= first < len(self._pages):
            # Only remote links may count pages, but some writers do so everywhere, and readers follow.
            node[0] = self._pages[first]
        if not is_dictionary(node[0]):
            return None
        key: Key = node[0].objgen
        return key


def inherited(page: "pikepdf.Page", key: str) -> Any:
    """A page attribute, its own or from the tree above."""
    from pikepdf import Dictionary

    node: Any = page.obj
    depth = 0
    while isinstance(node, Dictionary) and depth < 100:
        if key in node:
            return node[key]
        node, depth = node.get("/Parent"), depth + 1
    return None
