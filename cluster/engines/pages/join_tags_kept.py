"""The part of a structure tree that belongs to some pages: elements of the others go, with the words they hold."""

from typing import Any

import pikepdf

from cluster.engines.pages.excerpt import Key, Part
from cluster.engines.pages.part_tags import SPOKEN
from cluster.engines.pdf.nodes import get, is_dictionary, items

_WORDS = [key.decode() for key in SPOKEN]
_DEEPEST = 150


def keep_tags(part: Part, tree: Any) -> set[Key]:
    """Cut the tree to the pages of `part`; returns the elements left. Those gone lead nowhere in the result."""
    cut = _Cut({page.objgen for page in part.pages})
    tree["/K"] = pikepdf.Array([kid for kid in _kids(tree) if cut.keeps(kid, None, 0)])
    part.transcript.numbers.update(dict.fromkeys(cut.gone))
    return cut.left


class _Cut:
    def __init__(self, pages: set[Key]) -> None:
        self.pages = pages
        self.left: set[Key] = set()
        self.gone: set[Key] = set()
        #: kids that went so far, wherever they stood
        self._lost = 0

    def keeps(self, kid: Any, page: Key | None, depth: int) -> bool:
        """Whether content or an element belongs to the pages; `page` is the one its parent names."""
        own: Any = kid.get("/Pg") if is_dictionary(kid) else None
        page = own.objgen if is_dictionary(own) else page
        kept = self._element(kid, page, depth) if is_dictionary(kid) and "/S" in kid else page in self.pages
        self._lost += not kept
        return kept

    def _element(self, element: Any, page: Key | None, depth: int) -> bool:
        key = element.objgen if element.is_indirect else None
        if key in self.left or key in self.gone or depth > _DEEPEST:
            return False
        # Marked before its kids are seen, so that an element among its own kids ends the walk.
        self.gone |= {key} if key else set()
        before, lost = _kids(element), self._lost
        after = [kid for kid in before if self.keeps(kid, page, depth + 1)]
        if not after:
            return False
        if key:
            self.gone.discard(key)
            self.left.add(key)
        if len(after) < len(before):
            element["/K"] = pikepdf.Array(after)
        if self._lost > lost:
            _silence(element)
        if page not in self.pages and "/Pg" in element:
            del element["/Pg"]
        return True


def parents_of(node: Any, left: set[Key]) -> Any:
    """What a page key leads to, without elements that are gone; None when nothing is left."""
    if is_dictionary(node):
        return node if node.objgen in left else None
    held = [each if is_dictionary(each) and each.objgen in left else None for each in items(node)]
    return pikepdf.Array(held) if any(each is not None for each in held) else None


def _silence(element: Any) -> None:
    """Words that stand for the whole element would tell of the pages left out."""
    for key in _WORDS:
        if key in element:
            del element[key]


def _kids(node: Any) -> list[Any]:
    kids = get(node, "/K")
    if kids is None:
        return []
    return items(kids) if isinstance(kids, pikepdf.Array) else [kids]
