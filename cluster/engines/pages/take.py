"""Take pages out of a PDF into a new one that holds nothing of the other pages.

    with_document(work, source, lambda whole: write_part(whole, [0, 1, 2], path))

Pictures go from file to file; memory stays small whatever the document.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from cluster.engines.pages.copier import Copier
from cluster.engines.pages.outline import destinations
from cluster.engines.pages.part_annotations import Annotations
from cluster.engines.pages.part_catalog import catalog
from cluster.engines.pages.part_fields import Fields
from cluster.engines.pages.whole import Whole
from cluster.engines.pdf.counts import Counts
from cluster.engines.pdf.page_tree import TooManyPages
from cluster.engines.pdf.reader import TooLarge, reading
from cluster.engines.pdf.sink import Scale, Sink
from cluster.engines.pdf.syntax import Ref, Unreadable, number
from cluster.problem import InputProblem, LimitProblem
from cluster.tool import Source, Work

T = TypeVar("T")
_TELL = 25
#: Catalog, metadata and trailer of a part, in bytes.
_OVERHEAD = 4000
#: Other pages hang on these.
_LEFT = (b"/Parent", b"/Annots", b"/B", b"/Resources")


@dataclass
class Carried:
    """What a part took along: counts of its pages before and after, its size, signatures that no longer hold.

    xfa: the document has an XFA form, which knows nothing of parts and stays behind.
    """

    before: Counts = field(default_factory=Counts)
    after: Counts = field(default_factory=Counts)
    size: int = 0
    signatures: int = 0
    tags: bool = False
    xfa: bool = False

    def __add__(self, other: "Carried") -> "Carried":
        return Carried(
            self.before + other.before,
            self.after + other.after,
            self.size + other.size,
            self.signatures + other.signatures,
            self.tags or other.tags,
            self.xfa or other.xfa,
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
    sink = Sink(path)
    try:
        return _Part(whole, pages, sink).write(attachments, told or (lambda done: None))
    finally:
        sink.abandon()


class Measured:
    """How large a part grows, page by page, without writing it."""

    def __init__(self, whole: Whole) -> None:
        self._part = _Part(whole, range(len(whole.leaves)), Scale())
        self._whole = whole

    def with_page(self, at: int) -> int:
        """Bytes of the part once this page is in, its bookmarks and destinations estimated."""
        part, whole = self._part, self._whole
        part.copier.claim(whole.leaves[at].number)
        part.add_page(at)
        part.copier.drain()
        marks = len(whole.outline.of([at])) + len(whole.targets.by_page.get(at, ()))
        part.extra += 120 * marks
        return part.sink.size + part.extra + _OVERHEAD


def measured(whole: Whole) -> Measured:
    """An empty part to be weighed."""
    return Measured(whole)


class _Part:
    """One part while it is written."""

    def __init__(self, whole: Whole, pages: Sequence[int], sink: Sink) -> None:
        self.whole, self.pages, self.sink = whole, pages, sink
        document = whole.document
        self.copier = Copier(document, whole.shapes, whole.index, sink)
        self.fields = Fields(document, self.copier)
        self.annotations = Annotations(document, self.copier, whole.targets, self.fields, set(pages))
        self.tree = sink.reserve()
        self.kids: list[int] = []
        self.extra = 0

    def write(self, attachments: bool, told: Callable[[int], None]) -> Carried:
        copier, whole, pages = self.copier, self.whole, self.pages
        for at in pages:
            copier.claim(whole.leaves[at].number)
        done: set[int] = set()
        for at in pages:
            self.add_page(at, again=at in done)
            done.add(at)
            copier.drain()
            if len(self.kids) % _TELL == 0:
                told(len(self.kids))
        entries: dict[bytes, Any] = {}
        if form := self.fields.write():
            entries[b"/AcroForm"] = form
        copier.drain()
        tagged = self._tags()
        tree, old, names = destinations(copier, whole.targets, pages)
        outline = whole.outline.write(copier, pages)
        made = {b"/StructTreeRoot": tagged, b"/Outlines": outline, b"/Dests": old, b"names": tree}
        root, files = catalog(whole, copier, pages, self.tree, entries, made, attachments)
        self._put_tree()
        info = whole.document.table.trailer.get(b"/Info")
        held = sink_number(copier.refer(info)) if type(info) is Ref else None
        copier.finish()
        size = self.sink.close(root, held, repr((self.sink.path.name, list(pages), whole.document.size)).encode())
        return self._carried(size, names, files, bool(tagged))

    def add_page(self, at: int, *, again: bool = False) -> None:
        """Write one page; what it refers to follows with `drain`."""
        whole, copier = self.whole, self.copier
        page = whole.page(at)
        made = self.sink.reserve() if again else copier.claimed[whole.leaves[at].number]
        self.kids.append(made)
        entries = {key: value for key, value in page.items() if key not in _LEFT}
        entries[b"/Resources"] = whole.usage.pruned(page.get(b"/Resources"), whole.contents(page))
        if again:
            entries.pop(b"/StructParents", None)
        elif b"/StructParents" in entries:
            copier.keys.add(number(entries[b"/StructParents"], -1))
        listed = self.annotations.take(page.get(b"/Annots"), again=again) if b"/Annots" in page else []
        links = b"/Annots[%b]" % b" ".join([b"%d 0 R" % each for each in listed]) if listed else b""
        self.sink.put(made, b"<</Parent %d 0 R" % self.tree + links + copier.text(entries)[2:])

    def _put_tree(self) -> None:
        names = b" ".join([b"%d 0 R" % kid for kid in self.kids])
        self.sink.put(self.tree, b"<</Type/Pages/Count %d/Kids[%b]>>" % (len(self.kids), names))

    def _tags(self) -> int | None:
        if not self.whole.tags or not self.copier.keys:
            return None
        here = [self.whole.leaves[at].number for at in self.pages]
        return self.whole.tags.write(self.copier, here, self.copier.keys)

    def _carried(self, size: int, names: int, files: int, tagged: bool) -> Carried:
        marks = len(self.whole.outline.of(self.pages))
        links, kept = self.annotations.links, self.annotations.links_kept
        others, fields = self.annotations.others, self.fields.count
        before, after = (
            Counts(
                bookmarks=marks, links=each, annotations=others, fields=fields, attachments=files, destinations=names
            )
            for each in (links, kept)
        )
        return Carried(before, after, size, self.fields.signatures, tagged, self.fields.xfa)


def sink_number(name: bytes) -> int | None:
    """The number in a reference; None for null."""
    return int(name.split()[0]) if name != b"null" else None


def with_document(work: Work[Any], source: Source, job: Callable[[Whole], T], *, limit: int | None = None) -> T:
    """`job` with the source, decrypted and repaired when it must be; `limit` pages, else the owner's right.

    Raises password_required, password_wrong, damaged_file, empty_file, too_many_pages, too_large_when_opened.
    """
    from cluster.engines.pdf.open import check_source

    check_source(source)
    outputs, notes = len(work.outputs), len(work.notes)
    limit = limit or work.max_pages

    def rewrite() -> Path:
        # The first attempt may have got some way before it met the irregularity.
        del work.outputs[outputs:]
        del work.notes[notes:]
        return rewritten(work, source)

    try:
        return reading(source.path, rewrite, lambda read: job(Whole(read, limit, thorough=read.path != source.path)))
    except (Unreadable, RecursionError) as error:
        raise InputProblem("damaged_file", file=source.name) from error
    except TooManyPages as error:
        raise LimitProblem("too_many_pages", file=source.name, pages=error.pages, limit=limit) from error
    except TooLarge as error:
        raise LimitProblem("too_large_when_opened", file=source.name) from error


def rewritten(work: Work[Any], source: Source) -> Path:
    """The source as qpdf writes it: decrypted, repaired, with a plain table; streams untouched."""
    from cluster.engines.pdf.libraries import import_pikepdf
    from cluster.engines.pdf.open import open_pdf, plain_copy

    pikepdf = import_pikepdf()
    try:
        with open_pdf(work, source) as pdf:
            return plain_copy(pdf, work.scratch(f"plain-{source.index}.pdf"))
    except pikepdf.PdfError as error:
        raise InputProblem("damaged_file", file=source.name) from error
