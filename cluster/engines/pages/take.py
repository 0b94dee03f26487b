"""Take pages out of a PDF into a new one that holds nothing of the other pages.

    with_document(work, source, lambda whole: write_part(whole, [0, 1, 2], path))

Pictures go from file to file; memory stays small whatever the document.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from cluster.engines.pages.bind import Binder, Writing
from cluster.engines.pages.outline import Outline
from cluster.engines.pages.part import Part
from cluster.engines.pages.whole import Whole
from cluster.engines.pdf.counts import Counts
from cluster.engines.pdf.sink import Scale

#: Catalog, metadata and trailer of a part, in bytes.
_OVERHEAD = 4000


@dataclass
class Carried:
    """What a part took along: counts of its pages before and after, its size, signatures that no longer hold.

    xfa: the document has an XFA form, which knows nothing of parts and stays behind; fonts: some tell of letters.
    """

    before: Counts = field(default_factory=Counts)
    after: Counts = field(default_factory=Counts)
    size: int = 0
    signatures: int = 0
    tags: bool = False
    xfa: bool = False
    fonts: bool = False

    def __add__(self, other: "Carried") -> "Carried":
        return Carried(
            self.before + other.before,
            self.after + other.after,
            self.size + other.size,
            self.signatures + other.signatures,
            self.tags or other.tags,
            self.xfa or other.xfa,
            self.fonts or other.fonts,
        )


def write_part(
    whole: Whole,
    pages: Sequence[int],
    path: Path,
    *,
    attachments: bool = True,
    told: Callable[[int], None] | None = None,
) -> Carried:
    """Write `pages` (positions from 0, any order, repeats allowed) as a document of their own.

    `told` hears how many pages are written, now and then.
    """
    with Binder(path) as binder:
        binder.add(Part(whole, pages, attachments=attachments, thin=True), told)
        size = binder.close()
        form = binder.form
        return Carried(*binder.counts(), size, form.signatures, bool(binder.tags.kept), form.xfa, binder.fonts)


class Measured:
    """How large a part grows, page by page, without writing it."""

    def __init__(self, whole: Whole) -> None:
        # No part of one page less: a complete one would not be pruned.
        self._part = Part(whole, ())
        self._binder = Binder(Path(), sink=Scale())
        self._writing = Writing(self._binder, self._part)
        self._marks = 0

    def with_page(self, at: int) -> int:
        """Bytes of the part once this page is in, its bookmarks and destinations estimated."""
        whole = self._part.whole
        self._part.here.add(at)
        self._writing.add_page(at, self._binder.pages)
        self._marks += len(whole.once(Outline).of([at])) + len(whole.targets.by_page.get(at, ()))
        return self._binder.sink.size + 120 * self._marks + _OVERHEAD


def measured(whole: Whole) -> Measured:
    """An empty part to be weighed."""
    return Measured(whole)
