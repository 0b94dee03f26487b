"""Whole: a document of which parts are taken."""

from collections.abc import Callable, Iterator
from typing import Any, TypeVar, cast

from cluster.engines.pages.copier import Shapes
from cluster.engines.pages.targets import Targets
from cluster.engines.pdf.page_tree import Leaf, page_tree
from cluster.engines.pdf.reader import Cast, Document
from cluster.engines.pdf.syntax import Unreadable
from cluster.engines.pdf.usage import Usage

T = TypeVar("T")


class Whole:
    """A document and what its parts have in common; pages count from 0."""

    def __init__(self, document: Document, limit: int, *, thorough: bool = False) -> None:
        self.document = document
        self.leaves: list[Leaf] = page_tree(document, limit, thorough=thorough)
        self.index = {leaf.number: at for at, leaf in enumerate(self.leaves)}
        self.usage = Usage(document)
        self.shapes = Shapes(document, self.usage)
        self.targets = Targets(document, self.index)
        self._known: dict[Callable[[Whole], Any], Any] = {}

    def once(self, read: "Callable[[Whole], T]") -> T:
        """What `read` makes of the document, made once for all parts."""
        if read not in self._known:
            self._known[read] = read(self)
        return cast("T", self._known[read])

    def page(self, at: int, found: Any = None) -> dict[bytes, Any]:
        """A page's own entries with what it inherits; `found` is the page object, where that has been found."""
        leaf = self.leaves[at]
        found = found or self.document.found(leaf.number)
        found = found.value() if type(found) is Cast else found
        if type(found) is not dict or b"/Kids" in found:
            raise Unreadable("page")
        return {**leaf.inherited, **found}

    def contents(self, page: dict[bytes, Any]) -> Iterator[Any]:
        """The content streams of a page, read only when asked for."""
        held = page.get(b"/Contents")
        found = self.document.get(held)
        yield from found if type(found) is list else [found]
