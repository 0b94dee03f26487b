"""One document on its way into a joined one: which of its pages, and where they come to stand."""

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import pikepdf

from cluster.engines.pages.transcript import Transcript
from cluster.engines.pdf.nodes import Targets, is_dictionary
from cluster.engines.pdf.writer import PdfWriter

Key = tuple[int, int]


class Part:
    """`chosen` are page numbers from 0, in the result's order; a page may be named twice."""

    def __init__(self, pdf: pikepdf.Pdf, title: str, chosen: Sequence[int] | None = None) -> None:
        every = [page.obj for page in pdf.pages]
        self.pdf = pdf
        self.title = title
        self.chosen = list(range(len(every)) if chosen is None else chosen)
        self.pages: list[Any] = [every[index] for index in self.chosen]
        self.whole = set(self.chosen) == set(range(len(every)))
        self.doubled = len(set(self.chosen)) < len(self.chosen)
        self.start = 0
        self.numbers: list[int] = []
        self._every = every

    def begin(self, writer: PdfWriter, start: int, node: int) -> None:
        """Give the pages their numbers below the page-tree node `node`; pages left out lead nowhere."""
        self.start = start
        self.transcript = Transcript(writer, self.pdf)
        numbers: dict[Key, int | None] = self.transcript.numbers
        for page in self._every:
            numbers[page.objgen] = None
        self.numbers = [writer.reserve() for _ in self.pages]
        for page, number in zip(reversed(self.pages), reversed(self.numbers), strict=True):
            numbers[page.objgen] = number
        for page in self._every:
            for key in _above(page, numbers):
                numbers[key] = node

    @cached_property
    def targets(self) -> Targets:
        """Where links and bookmarks lead."""
        return Targets(self.pdf, self._every)

    def holds(self, key: Key | None) -> bool:
        """Whether a page is in the result; what leads to no page is never lost."""
        return key is None or self.transcript.numbers.get(key, 0) is not None

    def first(self) -> bytes:
        """The destination that shows the first page."""
        return b"[ %d 0 R /XYZ null null null ]" % self.numbers[0]


def _above(page: Any, known: dict[Key, int | None]) -> list[Key]:
    """Keys of the page-tree nodes above a page that are not known yet."""
    found: list[Key] = []
    node = page.get("/Parent")
    while is_dictionary(node) and node.objgen not in known and node.objgen not in found:
        found.append(node.objgen)
        node = node.get("/Parent")
    return found
