"""Where destinations lead: explicit ones, names of the name tree, and the old /Dests dictionary."""

from collections.abc import Iterator
from functools import cached_property
from typing import Any

from cluster.engines.pdf.reader import Document
from cluster.engines.pdf.syntax import Ref, number, string

_LIMIT = 500_000


def tree_items(document: Document, root: Any, key: bytes) -> Iterator[tuple[Any, Any]]:
    """Pairs of a name tree (`/Names`) or number tree (`/Nums`), loops cut."""
    stack, seen, given = [root], set[int](), 0
    while stack and given < _LIMIT:
        node = stack.pop()
        if type(node) is Ref:
            if node in seen:
                continue
            seen.add(node)
        entries = document.dictionary(node)
        pairs = document.array(entries.get(key))
        given += len(pairs)
        yield from zip(pairs[::2], pairs[1::2], strict=False)
        stack += reversed(document.array(entries.get(b"/Kids")))


class Targets:
    """Destinations of one document; `index` maps page objects to positions from 0."""

    def __init__(self, document: Document, index: dict[int, int]) -> None:
        self.document, self.index = document, index
        self.numbers = list(index)

    @cached_property
    def names(self) -> dict[bytes, Any]:
        """Name -> destination, of the name tree."""
        tree = self.document.dictionary(self.document.root.get(b"/Names")).get(b"/Dests")
        return {string(name): value for name, value in tree_items(self.document, tree, b"/Names")} if tree else {}

    @cached_property
    def old_names(self) -> dict[bytes, Any]:
        """Name token -> destination, of the catalog's /Dests."""
        return self.document.dictionary(self.document.root.get(b"/Dests"))

    @cached_property
    def by_page(self) -> dict[int, list[tuple[bytes, list[Any]]]]:
        """Position -> its names (tokens with a slash are old ones) and explicit destinations."""
        held: dict[int, list[tuple[bytes, list[Any]]]] = {}
        for name, value in [*self.names.items(), *self.old_names.items()]:
            place = self.explicit(value)
            if place is not None:
                held.setdefault(self.index[place[0]], []).append((name, place))
        return held

    def explicit(self, value: Any) -> list[Any] | None:
        """The array `[page, fit, …]` that `value` names or is; None when it leads to no page here."""
        for _ in range(4):
            found = self.document.get(value)
            if type(found) is dict:
                value = found.get(b"/D")
            elif type(found) is bytes and found != b"null":
                value = self.old_names.get(found) if found[:1] == b"/" else self.names.get(string(found))
            else:
                return self._checked(found)
        return None

    def _checked(self, found: Any) -> list[Any] | None:
        if type(found) is not list or not found:
            return None
        page = found[0]
        if type(page) is bytes:
            # Some writers give the position of the page, as only remote links may.
            place = number(page, -1)
            return [Ref(self.numbers[place]), *found[1:]] if 0 <= place < len(self.numbers) else None
        return list(found) if type(page) is Ref and page in self.index else None

    def position(self, value: Any) -> int | None:
        """The position of the page that `value` leads to."""
        place = self.explicit(value)
        return None if place is None else self.index[place[0]]
