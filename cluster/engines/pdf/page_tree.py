"""The pages of a document in order, with what they inherit."""

from typing import Any, NamedTuple

from cluster.engines.pdf.reader import Document
from cluster.engines.pdf.syntax import Ref, Unreadable, number

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
    leaves: list[Leaf] = []
    seen: set[int] = set()
    claimed = 0
    stack: list[tuple[Any, dict[bytes, Any]]] = [(document.root.get(b"/Pages"), {})]
    while stack:
        ref, inherited = stack.pop()
        node = _visit(document, seen, ref)
        count = number(node.get(b"/Count"), 0)
        claimed = claimed or count
        if max(claimed, len(leaves) + len(stack)) > limit:
            raise TooManyPages(max(claimed, len(leaves) + len(stack)))
        if b"/Kids" not in node:
            leaves.append(_leaf(ref, inherited))
            continue
        kids = document.array(node[b"/Kids"])
        below = {**inherited, **{key: node[key] for key in INHERITED if key in node}}
        if not thorough and count == len(kids) and _are_pages(document, kids):
            _add_leaves(leaves, seen, kids, below)
        else:
            stack += [(kid, below) for kid in reversed(kids)]
    if len(leaves) != claimed or not leaves:
        raise Unreadable("page count")
    return leaves


def _visit(document: Document, seen: set[int], ref: Any) -> dict[bytes, Any]:
    if type(ref) is Ref:
        if ref in seen:
            raise Unreadable("page tree loop")
        seen.add(ref)
    node = document.get(ref)
    if type(node) is not dict:
        raise Unreadable("page tree node")
    return node


def _leaf(ref: Any, inherited: dict[bytes, Any]) -> Leaf:
    if type(ref) is not Ref:
        raise Unreadable("direct page")
    return Leaf(ref, inherited)


def _are_pages(document: Document, kids: list[Any]) -> bool:
    """Where there are as many pages as kids: the outer two are pages, and reading the others will confirm it."""
    if {*map(type, kids)} != {Ref}:
        return False
    return not any(b"/Kids" in document.dictionary(kid) for kid in (*kids[:1], *kids[-1:]))


def _add_leaves(leaves: list[Leaf], seen: set[int], kids: list[Any], inherited: dict[bytes, Any]) -> None:
    before = len(seen)
    seen.update(kids)
    if len(seen) != before + len(kids):
        raise Unreadable("page twice")
    leaves += [Leaf(kid, inherited) for kid in kids]
