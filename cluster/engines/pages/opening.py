"""Open the documents of a task to be read object by object, those that need it as qpdf rewrites them.

A document may turn out irregular on the way: see cluster.opening.bound, which then begins anew.
"""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from cluster.engines.pages.whole import Whole
from cluster.engines.pdf.page_tree import TooManyPages
from cluster.engines.pdf.reader import Coded, Document, TooLarge
from cluster.engines.pdf.syntax import Unreadable
from cluster.files import Desk, Source
from cluster.problem import InputProblem, LimitProblem

if TYPE_CHECKING:
    import pikepdf

    from cluster.engines.pdf.rescue import Saved


@dataclass(frozen=True)
class Change:
    """What is done to a document before it is read, where it is `needed`."""

    needed: Callable[[Document], bool]
    make: Callable[["pikepdf.Pdf"], object]


@dataclass(frozen=True)
class Way:
    """How a document could be read: what a repair brought back, and whether a lock had to be taken off."""

    saved: "Saved | None" = None
    unlocked: bool = False


class Opener:
    """Opens documents. Those not in `sound`, where that is given, are rewritten before they are read."""

    def __init__(self, desk: Desk, sound: frozenset[int] | None = None) -> None:
        self.desk, self.limit, self._sound = desk, desk.max_pages, sound
        #: Indexes of documents that were read to their end as they are.
        self.read: set[int] = set()
        #: By index, how documents could be read that could not be read as they are.
        self.ways: dict[int, Way] = {}
        self._unlocked: dict[int, Path] = {}

    @contextmanager
    def whole(self, source: Source, change: Change | None = None) -> Iterator[Whole]:
        """The document, decrypted and repaired when it must be, and changed where that is needed."""
        from cluster.engines.pdf.open import check_source

        check_source(source)
        with _told(source, self.limit):
            whole = self._as_it_is(source, change)
            if whole:
                with whole.document:
                    yield whole
                self.read.add(source.index)
                return
            with Document(self._rewritten(source, change)) as document:
                yield from self._sure(source, document)

    def pages(self, source: Source) -> int:
        """How many pages the document has."""
        with self.whole(source) as whole:
            count = len(whole.leaves)
        # Its pages were not read: they may still turn out irregular.
        self.read.discard(source.index)
        return count

    def _as_it_is(self, source: Source, change: Change | None) -> Whole | None:
        if self._sound is not None and source.index not in self._sound:
            return None
        with ExitStack() as stack:
            try:
                document = stack.enter_context(self._document(source))
                if change and change.needed(document):
                    return None
                whole = Whole(document, self.limit)
            except (Unreadable, RecursionError):
                return None
            stack.pop_all()
            if document.path != source.path:
                self.ways[source.index] = Way(unlocked=True)
            return whole

    def _document(self, source: Source) -> Document:
        """The document as it is, its lock aside. Raises Unreadable."""
        try:
            return Document(self._unlocked.get(source.index, source.path))
        except Coded:
            document = Document(_unlocked(self.desk, source))
        self._unlocked[source.index] = document.path
        return document

    def _rewritten(self, source: Source, change: Change | None) -> Path:
        """The source as qpdf writes it: decrypted, repaired, with a plain table, and changed; streams untouched."""
        from cluster.engines.pdf.libraries import import_pikepdf
        from cluster.engines.pdf.open import opened, plain_copy

        pikepdf = import_pikepdf()
        try:
            with opened(source, self.desk.scratch, self.limit) as found:
                self.ways[source.index] = Way(found.saved, found.locked)
                if change:
                    change.make(found.pdf)
                return plain_copy(found.pdf, self.desk.scratch(f"plain-{source.index}.pdf"))
        except pikepdf.PdfError as error:
            raise InputProblem("damaged_file", file=source.name) from error

    def _sure(self, source: Source, document: Document) -> Iterator[Whole]:
        """What qpdf wrote is read or damaged."""
        try:
            yield Whole(document, self.limit, thorough=True)
        except (Unreadable, RecursionError) as error:
            raise InputProblem("damaged_file", file=source.name) from error


def check_drawable(source: Source, whole: Whole) -> None:
    """As in cluster.engines.pdf.unfolding; what only our reader opens is Unreadable, and drawn as qpdf rewrites it."""
    from cluster.engines.pdf import unfolding
    from cluster.engines.pdf.libraries import import_pikepdf

    pikepdf = import_pikepdf()
    try:
        with pikepdf.open(whole.document.path) as pdf:
            unfolding.check_drawable(source, pdf)
    except pikepdf.PdfError as error:
        raise Unreadable("qpdf") from error


def _unlocked(desk: Desk, source: Source) -> Path:
    """A copy without the lock, object for object. Raises Unreadable where qpdf should rewrite it."""
    from cluster.engines.pdf.open import opened
    from cluster.engines.pdf.unlocked import wrote_unlocked

    path = desk.scratch(f"open-{source.index}.pdf")
    with opened(source, desk.scratch, desk.max_pages) as found:
        if found.damaged or not found.locked or not wrote_unlocked(desk, found.pdf, path, "planning"):
            raise Unreadable("coded")
    return path


@contextmanager
def _told(source: Source, limit: int) -> Iterator[None]:
    try:
        yield
    except TooManyPages as error:
        raise LimitProblem("too_many_pages", file=source.name, pages=error.pages, limit=limit) from error
    except TooLarge as error:
        raise LimitProblem("too_large_when_opened", file=source.name) from error
