"""Whole: a document of which parts are taken."""

from collections.abc import Iterator
from functools import cached_property
from typing import Any

from cluster.engines.pages.copier import Shapes
from cluster.engines.pages.labels import Labels
from cluster.engines.pages.outline import Outline, read_outline
from cluster.engines.pages.tags import TagTree
from cluster.engines.pages.targets import Targets
from cluster.engines.pdf.page_tree import Leaf, page_tree
from cluster.engines.pdf.reader import Document
from cluster.engines.pdf.syntax import Unreadable
from cluster.engines.pdf.usage import Usage


class Whole:
    """A document and what its parts have in common; pages count from 0."""

    def __init__(self, document: Document, limit: int, *, thorough: bool = False) -> None:
        self.document = document
        self.leaves: list[Leaf] = page_tree(document, limit, thorough=thorough)
        self.index = {leaf.number: at for at, leaf in enumerate(self.leaves)}
        self.usage = Usage(document)
        self.shapes = Shapes(document, self.usage)
        self.targets = Targets(document, self.index)
        self.tags = TagTree(document)

    @cached_property
    def outline(self) -> Outline:
        return Outline(read_outline(self.document, self.targets))

    @cached_property
    def labels(self) -> Labels:
        return Labels(self.document)

    def page(self, at: int) -> dict[bytes, Any]:
        """A page's own entries with what it inherits."""
        leaf = self.leaves[at]
        found = self.document.object(leaf.number)
        if type(found) is not dict or b"/Kids" in found:
            raise Unreadable("page")
        return {**leaf.inherited, **found}

    def contents(self, page: dict[bytes, Any]) -> Iterator[Any]:
        """The content streams of a page, read only when asked for."""
        held = page.get(b"/Contents")
        found = self.document.get(held)
        yield from found if type(found) is list else [found]
