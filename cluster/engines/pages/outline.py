"""Bookmarks, page labels and named destinations: read of a document, and written for a part of it."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from cluster.engines.pages.copier import Copier
from cluster.engines.pages.targets import Targets, tree_items
from cluster.engines.pdf.reader import Document
from cluster.engines.pdf.syntax import number, text, text_token

_LIMIT = 200_000


@dataclass(slots=True)
class Item:
    """A bookmark: `page` is a position from 0, `parent` an index into the list; level 1 is the top.

    A bookmark that leads to no page stands with the one before it (`page`), `place` is None.
    """

    title: str
    level: int
    parent: int | None
    page: int
    place: list[Any] | None
    node: dict[bytes, Any]
    leaf: bool = True


def read_outline(document: Document, targets: Targets) -> list[Item]:
    """All bookmarks in reading order; loops are cut."""
    first = document.dictionary(document.root.get(b"/Outlines")).get(b"/First")
    items: list[Item] = []
    seen: set[int] = set()
    stack: list[tuple[Any, int, int | None]] = [(first, 1, None)]
    page = 0
    while stack and len(items) < _LIMIT:
        ref, level, parent = stack.pop()
        node = document.dictionary(ref)
        if not node or ref in seen:
            continue
        seen.add(ref)
        place = targets.explicit(_target(document, node))
        page = targets.index[place[0]] if place else page
        items.append(Item(text(document.get(node.get(b"/Title"))), level, parent, page, place, node))
        if parent is not None:
            items[parent].leaf = False
        stack.append((node.get(b"/Next"), level, parent))
        stack.append((node.get(b"/First"), level + 1, len(items) - 1))
    return items


def _target(document: Document, node: dict[bytes, Any]) -> Any:
    action = document.dictionary(node.get(b"/A"))
    return node.get(b"/Dest") or (action.get(b"/D") if action.get(b"/S") == b"/GoTo" else None)


class Outline:
    """The bookmarks of a document, by page."""

    def __init__(self, items: list[Item]) -> None:
        self.items = items
        self._by_page: dict[int, list[int]] = {}
        for index, item in enumerate(items):
            if item.place is not None or item.leaf:
                self._by_page.setdefault(item.page, []).append(index)

    def of(self, pages: Sequence[int]) -> list[int]:
        """Indexes of the bookmarks that lead to `pages`, with the page-less headings above them."""
        kept = {index for page in set(pages) for index in self._by_page.get(page, ())}
        for index in list(kept):
            above = self.items[index].parent
            while above is not None:
                if self.items[above].place is None:
                    kept.add(above)
                above = self.items[above].parent
        return sorted(kept)

    def write(self, copier: Copier, pages: Sequence[int]) -> int | None:
        """The /Outlines of a part; its number, None without bookmarks. Orphans move up to the nearest kept level."""
        kept = self.of(pages)
        if not kept:
            return None
        below = self._below(kept)
        shown = self._shown(kept, below)
        root = copier.sink.reserve()
        made: dict[int | None, int] = {index: copier.sink.reserve() for index in kept}
        made[None] = root
        for above, kids in below.items():
            numbers = [made[kid] for kid in kids]
            for kid, beside in zip(kids, _beside(numbers), strict=True):
                family = b"/Parent %d 0 R" % made[above] + beside + _family(below.get(kid), made, shown[kid])
                copier.sink.put(made[kid], b"<<" + family + copier.text(_kept(self.items[kid]))[2:])
        total = sum(1 + max(0, shown[kid]) for kid in below[None])
        copier.sink.put(root, b"<</Type/Outlines" + _family(below[None], made, total) + b">>")
        return root

    def _below(self, kept: Sequence[int]) -> dict[int | None, list[int]]:
        held, below = set(kept), dict[int | None, list[int]]()
        for index in kept:
            above = self.items[index].parent
            while above is not None and above not in held:
                above = self.items[above].parent
            below.setdefault(above, []).append(index)
        return below

    def _shown(self, kept: Sequence[int], below: dict[int | None, list[int]]) -> dict[int, int]:
        """/Count of each: bookmarks visible below it, negative when it is closed."""
        shown: dict[int, int] = {}
        for index in reversed(kept):
            total = sum(1 + max(0, shown[kid]) for kid in below.get(index, ()))
            shown[index] = -total if number(self.items[index].node.get(b"/Count"), 1) < 0 else total
        return shown


def _beside(numbers: list[int]) -> list[bytes]:
    before = [b"", *[b"/Prev %d 0 R" % each for each in numbers[:-1]]]
    after = [*[b"/Next %d 0 R" % each for each in numbers[1:]], b""]
    return [one + two for one, two in zip(before, after, strict=True)]


def _family(kids: list[int] | None, made: dict[int | None, int], count: int) -> bytes:
    if not kids:
        return b""
    return b"/First %d 0 R/Last %d 0 R/Count %d" % (made[kids[0]], made[kids[-1]], count)


def _kept(item: Item) -> dict[bytes, Any]:
    node: dict[bytes, Any] = {key: item.node[key] for key in (b"/Title", b"/C", b"/F") if key in item.node}
    if item.place is not None:
        node[b"/Dest"] = item.place
    elif b"/A" in item.node and b"/Dest" not in item.node:
        node[b"/A"] = item.node[b"/A"]
    return node


class Labels:
    """Page labels of a document."""

    def __init__(self, document: Document) -> None:
        tree = document.root.get(b"/PageLabels")
        found = {number(at, -1): document.dictionary(value) for at, value in tree_items(document, tree, b"/Nums")}
        self.starts = sorted(start for start in found if start >= 0)
        self.styles = [found[start] for start in self.starts]

    def of(self, page: int) -> tuple[Any, Any, int]:
        """Style, prefix (tokens or None) and number of a page."""
        at = bisect_right(self.starts, page) - 1
        if at < 0:
            return b"/D", None, page + 1
        style = self.styles[at]
        return style.get(b"/S"), style.get(b"/P"), number(style.get(b"/St"), 1) + page - self.starts[at]

    def part(self, pages: Sequence[int]) -> dict[bytes, Any] | None:
        """/PageLabels for `pages`; None when the document has none."""
        if not self.starts:
            return None
        numbers: list[Any] = []
        expected: tuple[Any, Any, int] | None = None
        for position, page in enumerate(pages):
            style, prefix, shown = self.of(page)
            if (style, prefix, shown) != expected:
                entry = {b"/S": style, b"/P": prefix, b"/St": b"%d" % shown if style else None}
                numbers += [b"%d" % position, {key: value for key, value in entry.items() if value is not None}]
            expected = style, prefix, shown + 1
        return {b"/Nums": numbers}


def destinations(copier: Copier, targets: Targets, pages: Sequence[int]) -> tuple[int | None, int | None, int]:
    """Named destinations of `pages`: number of the name tree, of the old /Dests, and how many."""
    held = [pair for page in set(pages) for pair in targets.by_page.get(page, ())] if _any(targets) else []
    modern = sorted((name, place) for name, place in held if name[:1] != b"/" or name in targets.names)
    old = {name: place for name, place in held if name in targets.old_names}
    tree = old_tree = None
    if modern:
        tree = copier.sink.reserve()
        pairs = [part for name, place in modern for part in (text_token(name), place)]
        copier.put(tree, {b"/Names": pairs})
    if old:
        old_tree = copier.sink.reserve()
        copier.put(old_tree, dict(old))
    return tree, old_tree, len(held)


def _any(targets: Targets) -> bool:
    return bool(targets.names or targets.old_names)
