"""Accessibility tags of a part: the elements that hold its pages' content, and their ancestors."""

from collections.abc import Iterable
from functools import cached_property
from itertools import pairwise
from typing import Any

from cluster.engines.pages.copier import Copier
from cluster.engines.pages.targets import tree_items
from cluster.engines.pdf.reader import Document
from cluster.engines.pdf.syntax import Ref, number, string, text_token

_DEPTH = 200
#: Elements remembered between parts; those with more kids than that are forgotten last.
_REMEMBERED, _MANY_KIDS = 5000, 32
#: What tells an element's whole content in words; wrong (and telling) when part of it stayed behind.
SPOKEN = (b"/ActualText", b"/Alt", b"/E", b"/T")


class Element:
    """A structure element, its kids sorted by what they are: other elements, or content on a page."""

    __slots__ = ("content", "kids", "node", "total")

    def __init__(self, document: Document, node: dict[bytes, Any]) -> None:
        self.node = node
        self.kids: dict[int, int] = {}
        self.content: dict[int, list[tuple[int, Any]]] = {}
        held = document.get(node.get(b"/K"))
        items = held if type(held) is list else [node[b"/K"]] if b"/K" in node else []
        self.total = len(items)
        for place, item in enumerate(items):
            self._sort(document, place, item)

    def _sort(self, document: Document, place: int, item: Any) -> None:
        found = document.get(item)
        if type(found) is dict and b"/S" in found:
            if type(item) is Ref:
                self.kids[item] = place
            return
        page = found.get(b"/Pg", self.node.get(b"/Pg")) if type(found) is dict else self.node.get(b"/Pg")
        if type(page) is Ref:
            self.content.setdefault(page, []).append((place, found))


class Tags:
    """The structure tree of a document."""

    def __init__(self, document: Document) -> None:
        self.document = document
        held = document.root.get(b"/StructTreeRoot")
        self.root_ref: Ref = held if type(held) is Ref else Ref(0)
        self.root = document.dictionary(held)
        self._elements: dict[int, Element] = {}

    def __bool__(self) -> bool:
        return bool(self.root) and self.root_ref > 0

    @cached_property
    def by_key(self) -> dict[int, Any]:
        """/ParentTree: a page's or annotation's key -> its elements."""
        return {
            number(key, -1): value for key, value in tree_items(self.document, self.root.get(b"/ParentTree"), b"/Nums")
        }

    def element(self, numbered: int) -> Element:
        """The element of that number, sorted once."""
        if numbered not in self._elements:
            if len(self._elements) > _REMEMBERED:
                # One with many kids is asked for by each part that has one of them, and read through all of them.
                wide = {key: each for key, each in self._elements.items() if each.total > _MANY_KIDS}
                self._elements = wide if len(wide) < _REMEMBERED // 2 else {}
            self._elements[numbered] = Element(self.document, self.document.dictionary(Ref(numbered)))
        return self._elements[numbered]

    def write(self, copier: Copier, pages: Iterable[int], keys: set[int]) -> int | None:
        """The tree of a part: `pages` are its page objects, `keys` their structure keys."""
        held = {key: self.document.get(self.by_key[key]) for key in sorted(keys) if key in self.by_key}
        below = self._below(held)
        if not below:
            return None
        root = copier.claim(self.root_ref)
        for numbered in below:
            copier.claim(numbered)
        cut = _Cutting(set(pages))
        # Kids before those above them, which are short of what their kids are short of; each is read once.
        for numbered in _kids_first(self.root_ref, below):
            copier.put(copier.claimed[numbered], self._cut(copier, numbered, below[numbered], cut))
        copier.put(root, self._root(copier, below, held, cut.ids))
        return root

    def _below(self, held: dict[int, Any]) -> dict[int, set[int]]:
        """Kept elements -> their kept kids."""
        below: dict[int, set[int]] = {}
        for leaves, key in ((value, key) for key, value in held.items()):
            for leaf in leaves if type(leaves) is list else [self.by_key[key]]:
                if type(leaf) is Ref and leaf not in below:
                    self._climb(leaf, below)
        return below

    def _climb(self, leaf: int, below: dict[int, set[int]]) -> None:
        """Keep an element and those above it, when that way leads to the root."""
        path = [leaf]
        while path[-1] not in below and path[-1] != self.root_ref:
            node = self.element(path[-1]).node
            above = node.get(b"/P")
            if type(node.get(b"/S")) is not bytes or type(above) is not Ref or len(path) > _DEPTH:
                return
            path.append(above)
        below.setdefault(path[-1], set())
        for child, above in pairwise(path):
            below.setdefault(child, set())
            below.setdefault(above, set()).add(child)

    def _cut(self, copier: Copier, numbered: int, kids: set[int], cut: "_Cutting") -> dict[bytes, Any]:
        element, here = self.element(numbered), cut.here
        items = [(element.kids[kid], Ref(kid)) for kid in kids if kid in element.kids]
        pages = element.content.keys() & here if len(element.content) < len(here) else here & element.content.keys()
        items += [pair for page in pages for pair in element.content[page] if _is_here(copier, pair[1])]
        short = len(items) < element.total or not cut.short.isdisjoint(kids)
        if short:
            cut.short.add(numbered)
        left = (b"/K", b"/Ref", *SPOKEN) if short else (b"/K", b"/Ref")
        node = {key: value for key, value in element.node.items() if key not in left}
        if items:
            node[b"/K"] = [item for _, item in sorted(items, key=lambda pair: pair[0])]
        if node.get(b"/Pg") not in here:
            node.pop(b"/Pg", None)
        if b"/ID" in node:
            cut.ids.append((string(node[b"/ID"]), numbered))
        return node

    def _root(
        self, copier: Copier, below: dict[int, set[int]], held: dict[int, Any], ids: list[tuple[bytes, int]]
    ) -> dict[bytes, Any]:
        keep = (b"/Type", b"/RoleMap", b"/ClassMap", b"/Namespaces", b"/ParentTreeNextKey")
        root = {key: self.root[key] for key in keep if key in self.root}
        order = self.element(self.root_ref).kids
        root[b"/K"] = [Ref(kid) for kid in sorted(below[self.root_ref], key=lambda kid: order.get(kid, 0))]
        root[b"/ParentTree"] = {
            b"/Nums": [part for key in held for part in (b"%d" % key, self._kept(held[key], key, below))]
        }
        pairs = [part for name, each in sorted(ids) if name for part in (text_token(name), Ref(each))]
        if pairs:
            root[b"/IDTree"] = {b"/Names": pairs}
        return root

    def _kept(self, value: Any, key: int, below: dict[int, set[int]]) -> Any:
        if type(value) is list:
            return [leaf if leaf in below else b"null" for leaf in value]
        return self.by_key[key] if self.by_key[key] in below else b"null"


class _Cutting:
    """What is found while elements are cut: those that lost content, and the names of those that have one."""

    def __init__(self, here: set[int]) -> None:
        self.here = here
        self.short: set[int] = set()
        self.ids: list[tuple[bytes, int]] = []


def _kids_first(root: int, below: dict[int, set[int]]) -> list[int]:
    """Every element below the root, each after all of its kids."""
    order, waiting = list[int](), [root]
    while waiting:
        order.append(waiting.pop())
        waiting += below[order[-1]]
    return order[:0:-1]


def _is_here(copier: Copier, item: Any) -> bool:
    """Whether the annotation that an object reference names was kept; marked content always is."""
    target = item.get(b"/Obj") if type(item) is dict else None
    return type(target) is not Ref or target in copier.claimed or target in copier.names
