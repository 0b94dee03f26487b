"""Accessibility tags: of each document the elements that hold its pages' content, and their ancestors; one root."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import Any

from cluster.engines.pages.copier import Copier
from cluster.engines.pages.part import Part
from cluster.engines.pages.targets import tree_items
from cluster.engines.pages.whole import Whole
from cluster.engines.pdf.reader import Document
from cluster.engines.pdf.sink import Sink
from cluster.engines.pdf.syntax import Ref, number, string
from cluster.engines.pdf.trees import name_tree, number_tree

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


@dataclass
class Branch:
    """What of a document's tree comes along, as it stands in the result; page keys as they are in the document."""

    kids: list[bytes] = field(default_factory=list)
    parents: dict[int, bytes] = field(default_factory=dict)
    names: dict[bytes, bytes] = field(default_factory=dict)
    #: The classes of attributes that its elements have; None where all come along.
    classes: set[bytes] | None = None


class TagTree:
    """The structure tree of a document."""

    def __init__(self, whole: Whole) -> None:
        document = self.document = whole.document
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

    def all(self, copier: Copier) -> Branch:
        """The whole tree."""
        document, text = self.document, copier.text
        held = document.get(self.root.get(b"/K"))
        kids = held if type(held) is list else [self.root[b"/K"]] if b"/K" in self.root else []
        names = tree_items(document, self.root.get(b"/IDTree"), b"/Names")
        return Branch(
            [text(kid) for kid in kids],
            {key: text(value) for key, value in self.by_key.items() if key >= 0},
            {string(document.get(name)): text(value) for name, value in names},
        )

    def cut(self, copier: Copier, pages: Iterable[int], keys: set[int]) -> Branch:
        """The elements of `pages` (page objects) and of `keys`, their structure keys; written at once."""
        held = {key: self.document.get(self.by_key[key]) for key in sorted(keys) if key in self.by_key}
        below = self._below(held)
        if not below:
            return Branch()
        for numbered in below.keys() - {self.root_ref}:
            copier.claim(numbered)
        cut = _Cutting(set(pages))
        # Kids before those above them, which are short of what their kids are short of; each is read once.
        for numbered in _kids_first(self.root_ref, below):
            copier.put(copier.claimed[numbered], self._cut(copier, numbered, below[numbered], cut))
        order = self.element(self.root_ref).kids
        kids = sorted(below[self.root_ref], key=lambda kid: order.get(kid, 0))
        return Branch(
            [copier.text(Ref(kid)) for kid in kids],
            {key: copier.text(self._kept(held[key], key, below)) for key in held},
            {name: copier.text(Ref(each)) for name, each in cut.ids if name},
            cut.classes,
        )

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
        if short and b"/A" in node:
            node[b"/A"] = _without_summary(self.document, node[b"/A"])
        if items:
            node[b"/K"] = [item for _, item in sorted(items, key=lambda pair: pair[0])]
        if node.get(b"/Pg") not in here:
            node.pop(b"/Pg", None)
        if b"/ID" in node:
            cut.ids.append((string(node[b"/ID"]), numbered))
        named = self.document.get(node.get(b"/C"))
        cut.classes.update(each for each in (named if type(named) is list else [named]) if type(each) is bytes)
        return node

    def _kept(self, value: Any, key: int, below: dict[int, set[int]]) -> Any:
        if type(value) is list:
            return [leaf if leaf in below else b"null" for leaf in value]
        return self.by_key[key] if self.by_key[key] in below else b"null"


class Tags:
    """Gathers structure trees. `kept` and `lost` count documents, `bare` those that had no tags."""

    def __init__(self) -> None:
        self.kept = self.lost = self.bare = 0
        self._root = 0
        self._next = 0
        self._branch = Branch()
        self._maps: dict[bytes, dict[bytes, bytes]] = {b"/RoleMap": {}, b"/ClassMap": {}}
        self._spaces: list[bytes] = []

    def begin(self, part: Part) -> None:
        """Move the document's page keys; must come before anything is carried over."""
        part.shift = self._next if part.tagged and part.whole.once(TagTree) else None
        # Alone, keys that lead nowhere do no harm, and the document's shapes serve for all of its parts.
        if part.shift is None and not self._root and not self.bare:
            part.shift = 0

    def add(self, part: Part, sink: Sink) -> None:
        """Take over what belongs to the pages; after them, which tell their keys."""
        tree, copier = part.whole.once(TagTree), part.copier
        if not tree or not part.tagged:
            self.bare += 1
            return
        self._root = self._root or sink.reserve()
        copier.lead(tree.root_ref, b"%d 0 R" % self._root)
        here = [part.whole.leaves[at].number for at in part.here]
        branch = tree.all(copier) if part.complete else tree.cut(copier, here, copier.keys)
        self.kept, self.lost = self.kept + bool(branch.kids), self.lost + (not branch.kids)
        if branch.kids:
            self._take(part, tree, branch)

    def close(self, sink: Sink) -> bytes:
        """Write the root; returns the catalogue's entries."""
        if not self._branch.kids:
            return b""
        told = b"/Type/StructTreeRoot/K[%b]/ParentTreeNextKey %d" % (b" ".join(self._branch.kids), self._next)
        told += b"/ParentTree " + number_tree(sink, self._branch.parents)
        for kind, held in self._maps.items():
            if held:
                told += b"%b<<%b>>" % (kind, b" ".join([b"%b %b" % each for each in held.items()]))
        if self._spaces:
            told += b"/Namespaces[%b]" % b" ".join(self._spaces)
        if self._branch.names:
            told += b"/IDTree %d 0 R" % name_tree(sink, self._branch.names)
        sink.put(self._root, b"<<%b>>" % told)
        # Marked promises that all content is tagged: readers for the blind skip the rest.
        marked = b"true" if not self.bare and not self.lost else b"false"
        return b"/StructTreeRoot %d 0 R/MarkInfo<</Marked %b>>" % (self._root, marked)

    def _take(self, part: Part, tree: TagTree, branch: Branch) -> None:
        text, document = part.copier.text, part.whole.document
        self._branch.kids += branch.kids
        self._branch.parents |= {key + self._next: value for key, value in branch.parents.items()}
        self._branch.names = branch.names | self._branch.names
        for kind, held in self._maps.items():
            own = document.dictionary(tree.root.get(kind))
            left = own.keys() - branch.classes if kind == b"/ClassMap" and branch.classes is not None else set()
            held |= {key: text(value) for key, value in own.items() if key not in held and key not in left}
        self._spaces += [text(each) for each in document.array(tree.root.get(b"/Namespaces"))]
        told = number(document.get(tree.root.get(b"/ParentTreeNextKey")), 0)
        self._next += max([told, *(key + 1 for key in tree.by_key)])


class _Cutting:
    """What is found while elements are cut: those that lost content, and the names of those that have one."""

    def __init__(self, here: set[int]) -> None:
        self.here = here
        self.short: set[int] = set()
        self.ids: list[tuple[bytes, int]] = []
        self.classes: set[bytes] = set()


def _kids_first(root: int, below: dict[int, set[int]]) -> list[int]:
    """Every element below the root, each after all of its kids."""
    order, waiting = list[int](), [root]
    while waiting:
        order.append(waiting.pop())
        waiting += below[order[-1]]
    return order[:0:-1]


def _without_summary(document: Document, held: Any) -> Any:
    """An element's attributes but for what sums up a table that is no longer whole."""
    found = document.get(held)
    if type(found) is list:
        return [_without_summary(document, each) for each in found]
    if type(found) is dict and b"/Summary" in found:
        return {key: value for key, value in found.items() if key != b"/Summary"}
    return held


def _is_here(copier: Copier, item: Any) -> bool:
    """Whether the annotation that an object reference names was kept; marked content always is."""
    target = item.get(b"/Obj") if type(item) is dict else None
    return type(target) is not Ref or target in copier.claimed or target in copier.names
