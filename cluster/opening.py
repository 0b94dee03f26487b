"""Open what a tool was given, and tell on its receipt what that took: a repair, a lock that the result will lack.

bound(work, job)          # job(opener) reads with `opener.whole(source)`, once more where that fails late
with_document(work, source, job)
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

from cluster.telling import tell_opened
from cluster.tool import Source, Work

if TYPE_CHECKING:
    import pikepdf

    from cluster.engines.pages.opening import Opener
    from cluster.engines.pages.whole import Whole

T = TypeVar("T")


@contextmanager
def open_pdf(work: Work[Any], source: Source, *, drawn: bool = False) -> "Iterator[pikepdf.Pdf]":
    """As `opened` of cluster.engines.pdf.open; a repair and a lock that the result will lack are told."""
    from cluster.engines.pdf.open import opened

    with opened(source, work.scratch, work.max_pages, drawn=drawn) as found:
        tell_opened(work, found.saved, unlocked=found.locked)
        yield found.pdf


@contextmanager
def open_judged(
    work: Work[Any], source: Source, *, drawn: bool = True, mupdf: bool = True
) -> "Iterator[tuple[pikepdf.Pdf, bool]]":
    """As open_pdf, and whether others need a copy; the lock is the tool's to tell of.

    `drawn`: pdfium will open it, and where `mupdf` says so MuPDF, whose start costs more than a small document.
    """
    from cluster.engines.pdf.open import is_clear, opened

    with opened(source, work.scratch, work.max_pages, drawn=drawn) as found:
        tell_opened(work, found.saved, unlocked=False)
        yield found.pdf, found.damaged or (drawn and not is_clear(found.source, mupdf=mupdf))


def sound_source(work: Work[Any], source: Source, *, mupdf: bool = True) -> Source:
    """The source, or where it is damaged its repaired copy, told on the receipt; for what reads without qpdf.

    `mupdf`: by MuPDF, too. Raises as open_pdf does.
    """
    from cluster.engines.pdf.lock import fitting
    from cluster.engines.pdf.open import repaired_copy

    with open_judged(work, source, mupdf=mupdf) as (pdf, damaged):
        return repaired_copy(work, source, pdf) if damaged else fitting(source)


def bound(work: Work[Any], job: "Callable[[Opener], T]") -> T:
    """`job`; where a document turns out irregular on the way, once more from the start.

    Then those that were not read to their end are rewritten first, so there is no third time. The receipt begins with
    how each document could be read.
    """
    from cluster.engines.pages.opening import Opener
    from cluster.engines.pdf.syntax import Unreadable

    outputs, notes = len(work.outputs), len(work.notes)
    opener = Opener(work)
    try:
        made = job(opener)
    except (Unreadable, RecursionError):
        # The first attempt may have got some way.
        del work.outputs[outputs:]
        del work.notes[notes:]
        opener = Opener(work, frozenset(opener.read))
        made = job(opener)
    told = work.notes[notes:]
    del work.notes[notes:]
    for way in opener.ways.values():
        tell_opened(work, way.saved, unlocked=way.unlocked)
    work.notes += told
    return made


def with_document(work: Work[Any], source: Source, job: "Callable[[Whole], T]") -> T:
    """`job` with the source, decrypted and repaired when it must be.

    Raises password_required, password_wrong, damaged_file, empty_file, too_many_pages, too_large_when_opened.
    """

    def opened(opener: "Opener") -> T:
        with opener.whole(source) as whole:
            return job(whole)

    return bound(work, opened)
