"""The pages of a document in order, with what they inherit."""

from typing import Any, NamedTuple

from cluster.engines.source import Document
from cluster.engines.syntax import Ref, Unreadable, number

INHERITED = (b"/Resources", b"/MediaBox", b"/CropBox", b"/Rotate")


class Leaf(NamedTuple):
    """A page: its object number and what its parents say for it."""

    number: int
    inherited: dict[bytes, Any]


class TooManyPages(Exception):
    """The page tree claims or holds more than the limit."""

    def __init__(self, pages: int) -> None:
        super().__init__(pages)
        self.pages = pages


def page_tree(document: Document, limit: int, *, thorough: bool = False) -> list[Leaf]:
    """All pages; Unreadable when the tree loops or names a page twice, TooManyPages over `limit`.

    Without `thorough`, a node with as many kids as pages is taken to hold pages only.
    """
    root = document.root.get(b"/Pages")
    claimed = number(document.dictionary(root).get(b"/Count"), 0)
    if claimed > limit:
        raise TooManyPages(claimed)
    leaves: list[Leaf] = []
    seen: set[int] = set()
    stack: list[tuple[Any, dict[bytes, Any]]] = [(root, {})]
    while stack:
        ref, inherited = stack.pop()
        _visit(seen, ref)
        kids, below = _kids(document, ref, inherited)
        if kids is None:
            if type(ref) is not Ref:
                raise Unreadable("direct page")
            leaves.append(Leaf(ref, inherited))
        elif not thorough and _are_pages(document, ref, kids):
            _add_leaves(leaves, seen, kids, below)
        else:
            stack += [(kid, below) for kid in reversed(kids)]
        if len(leaves) + len(stack) > limit:
            raise TooManyPages(len(leaves) + len(stack))
    if len(leaves) != claimed or not leaves:
        raise Unreadable("page count")
    return leaves


def _visit(seen: set[int], ref: Any) -> None:
    if type(ref) is Ref:
        if ref in seen:
            raise Unreadable("page tree loop")
        seen.add(ref)


def _are_pages(document: Document, ref: Any, kids: list[Any]) -> bool:
    """As many pages as kids, and the outer two are pages: reading the others will confirm it."""
    if number(document.dictionary(ref).get(b"/Count"), -1) != len(kids) or any(type(kid) is not Ref for kid in kids):
        return False
    return not any(b"/Kids" in document.dictionary(kid) for kid in (*kids[:1], *kids[-1:]))


def _kids(document: Document, ref: Any, inherited: dict[bytes, Any]) -> tuple[list[Any] | None, dict[bytes, Any]]:
    node = document.get(ref)
    if type(node) is not dict:
        raise Unreadable("page tree node")
    if b"/Kids" not in node:
        return None, inherited
    own = {key: node[key] for key in INHERITED if key in node}
    return document.array(node[b"/Kids"]), {**inherited, **own}


def _add_leaves(leaves: list[Leaf], seen: set[int], kids: list[Any], inherited: dict[bytes, Any]) -> None:
    before = len(seen)
    seen.update(kids)
    if len(seen) != before + len(kids):
        raise Unreadable("page twice")
    leaves += [Leaf(kid, inherited) for kid in kids]
