"""Open the documents of a task to be read object by object, those that need it as qpdf rewrites them.

bound(work, job)          # job(opener) reads with `opener.whole(source)`, once more where that fails late
with_document(work, source, job)
"""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from cluster.engines.pages.whole import Whole
from cluster.engines.pdf.page_tree import TooManyPages
from cluster.engines.pdf.reader import Coded, Document, TooLarge
from cluster.engines.pdf.syntax import Unreadable
from cluster.problem import InputProblem, LimitProblem
from cluster.tool import Source, Work

if TYPE_CHECKING:
    import pikepdf

T = TypeVar("T")


@dataclass(frozen=True)
class Change:
    """What is done to a document before it is read, where it is `needed`."""

    needed: Callable[[Document], bool]
    make: Callable[["pikepdf.Pdf"], object]


class Opener:
    """Opens documents. Those not in `sound`, where that is given, are rewritten before they are read."""

    def __init__(self, work: Work[Any], sound: frozenset[int] | None = None) -> None:
        self.work, self.limit, self._sound = work, work.max_pages, sound
        #: Indexes of documents that were read to their end as they are.
        self.read: set[int] = set()
        self._unlocked: dict[int, Path] = {}
        #: Whose lock was told of on the receipt.
        self._told: set[int] = set()

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
            with Document(rewritten(self.work, source, change)) as document:
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
            if document.path != source.path and source.index not in self._told:
                self._told.add(source.index)
                self.work.note("changed", "password_removed")
            return whole

    def _document(self, source: Source) -> Document:
        """The document as it is, its lock aside. Raises Unreadable."""
        try:
            return Document(self._unlocked.get(source.index, source.path))
        except Coded:
            document = Document(_unlocked(self.work, source))
        self._unlocked[source.index] = document.path
        return document

    def _sure(self, source: Source, document: Document) -> Iterator[Whole]:
        """What qpdf wrote is read or damaged."""
        try:
            yield Whole(document, self.limit, thorough=True)
        except (Unreadable, RecursionError) as error:
            raise InputProblem("damaged_file", file=source.name) from error


def bound(work: Work[Any], job: Callable[[Opener], T]) -> T:
    """`job`; where a document turns out irregular on the way, once more from the start.

    Then those that were not read to their end are rewritten first, so there is no third time.
    """
    outputs, notes = len(work.outputs), len(work.notes)
    first = Opener(work)
    try:
        return job(first)
    except (Unreadable, RecursionError):
        # The first attempt may have got some way.
        del work.outputs[outputs:]
        del work.notes[notes:]
    return job(Opener(work, frozenset(first.read)))


def with_document(work: Work[Any], source: Source, job: Callable[[Whole], T]) -> T:
    """`job` with the source, decrypted and repaired when it must be.

    Raises password_required, password_wrong, damaged_file, empty_file, too_many_pages, too_large_when_opened.
    """

    def opened(opener: Opener) -> T:
        with opener.whole(source) as whole:
            return job(whole)

    return bound(work, opened)


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


def _unlocked(work: Work[Any], source: Source) -> Path:
    """A copy without the lock, object for object. Raises Unreadable where qpdf should rewrite it."""
    from cluster.engines.pdf.open import opened
    from cluster.engines.pdf.unlocked import wrote_unlocked

    path = work.scratch(f"open-{source.index}.pdf")
    with opened(source, work.scratch, work.max_pages) as found:
        if found.damaged or not found.locked or not wrote_unlocked(work, found.pdf, path, "planning"):
            raise Unreadable("coded")
    return path


def rewritten(work: Work[Any], source: Source, change: Change | None = None) -> Path:
    """The source as qpdf writes it: decrypted, repaired, with a plain table, and changed; streams untouched."""
    from cluster.engines.pdf.libraries import import_pikepdf
    from cluster.engines.pdf.open import open_pdf, plain_copy

    pikepdf = import_pikepdf()
    try:
        with open_pdf(work, source) as pdf:
            if change:
                change.make(pdf)
            return plain_copy(pdf, work.scratch(f"plain-{source.index}.pdf"))
    except pikepdf.PdfError as error:
        raise InputProblem("damaged_file", file=source.name) from error


@contextmanager
def _told(source: Source, limit: int) -> Iterator[None]:
    try:
        yield
    except TooManyPages as error:
        raise LimitProblem("too_many_pages", file=source.name, pages=error.pages, limit=limit) from error
    except TooLarge as error:
        raise LimitProblem("too_large_when_opened", file=source.name) from error
