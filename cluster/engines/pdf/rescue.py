"""Damaged PDFs: a second way in where qpdf finds none, and which of the promised pages came back.

Sound files never come here. What two readers disagree on is decided by what a page shows.
"""

import mmap
import re
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from decimal import Decimal
from functools import partial
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cluster.files import Source

if TYPE_CHECKING:
    import pikepdf
    import pymupdf

#: The end of a whole file says where its table of objects is; so much of it is looked at.
_TAIL = 2048
_HEAD = 1024
#: Operators that put something on the page; a page that has none of them shows nothing.
_PAINTS = re.compile(rb"(?<![^\s\])>])(?:T[jJ]|['\"]|Do|sh|[fFSsBb]\*?|EI)(?![^\s\[(</%])")
#: So much is read of content whose packing is broken.
_ENOUGH = 1 << 16
_INHERITED, _DEEPEST = ("Resources", "MediaBox", "CropBox", "Rotate"), 50
#: Digits that no number of a page needs; MuPDF takes some 64,000. Places after the point that are left.
_LONG_NUMBER, _PLACES = re.compile(rb"[0-9]{4096}"), 10
_LINEARIZED = re.compile(rb"/Linearized\b")
_FIRST, _COUNT, _LENGTH = (re.compile(rb"/%b\s+(\d{1,12})" % key) for key in (b"O", b"N", b"L"))


@dataclass(frozen=True)
class Promise:
    """What a damaged file says of itself: how many pages it holds (0: nothing), and whether its end is missing."""

    pages: int
    cut: bool


def promise(source: Source, *counts: int, limit: int) -> Promise:
    """The most pages of what its page tree, its head and other readers (`counts`) tell, within `limit`."""
    told = [*counts, _linearized(source.path, _COUNT), pages_by_pdfium(source.path, source.password)]
    return Promise(max((each for each in told if each <= limit), default=0), is_cut(source.path))


def is_cut(path: Path) -> bool:
    """Whether the file lacks its end; one for the web tells its length, for it has something like an end in front."""
    size = path.stat().st_size
    with path.open("rb") as file:
        file.seek(max(0, size - _TAIL))
        return b"startxref" not in file.read() or _linearized(path, _LENGTH) > size


def saved_pages(pdf: "pikepdf.Pdf", *, cut: bool) -> list[int]:
    """The pages (from 1) that still show something, or that never did."""
    return [number for number, page in enumerate(pdf.pages, 1) if not _lost(page.obj, cut)]


@dataclass(frozen=True)
class Saved:
    """What came back of a damaged file: of `promised` pages these (from 1); `cut`: its end is missing."""

    promised: int
    pages: Sequence[int]
    cut: bool

    @property
    def lacks(self) -> bool:
        """Whether something of the file is gone, as far as can be known."""
        return self.cut or len(self.pages) < self.promised


def by_mupdf(source: Source, path: Path, *, fresh_tree: bool = False, objects: bool = False) -> int:
    """Write MuPDF's reading of the source to `path`, decrypted; its pages, 0 when MuPDF cannot read it.

    `fresh_tree`: with a page tree of its own, for trees in a loop. `objects`: also where no page is left, with a blank
    one, for what else can be had of it.
    """
    from cluster.engines.pdf.libraries import import_pymupdf

    pymupdf = import_pymupdf()
    try:
        with pymupdf.open(source.path, filetype="pdf") as document:
            if document.needs_pass and not document.authenticate(source.password or ""):
                return 0
            if not document.page_count:
                if objects:
                    _new(document, "<</Type/Page/MediaBox[0 0 9 9]>>")
                _replant(document, _linearized(source.path, _FIRST))
            count = int(document.page_count)
            if fresh_tree:
                _plant(document, [document.page_xref(number) for number in range(count)])
            document.save(path, encryption=pymupdf.PDF_ENCRYPT_NONE)
            return count
    except Exception:  # PyMuPDF has no class of its own for what it meets in damaged files
        return 0


def by_pdfium(source: Source, path: Path) -> int:
    """The same with pdfium, which finds a page where there is no catalogue and no tree."""
    import pypdfium2
    from pypdfium2.raw import FPDF_REMOVE_SECURITY

    try:
        with closing(pypdfium2.PdfDocument(source.path, password=source.password)) as document:
            document.save(path, flags=FPDF_REMOVE_SECURITY)
            return len(document)
    except pypdfium2.PdfiumError:
        return 0


#: Other ways into a file, each writes what it reads for qpdf to go on with; the first that succeeds is taken.
WAYS: tuple[Callable[[Source, Path], int], ...] = (by_mupdf, partial(by_mupdf, fresh_tree=True), by_pdfium)


def _replant(document: "pymupdf.Document", first: int) -> None:
    """A catalogue where the file names none, and a page tree for the pages that lie about, `first` before others."""
    root = document.pdf_catalog()
    if not 0 < root < document.xref_length():
        root = max(_typed(document, "/Catalog"), default=0) or _new(document, "<</Type/Catalog>>")
        document.xref_set_key(-1, "Root", f"{root} 0 R")
    if document.page_count:
        return
    _plant(document, sorted(_typed(document, "/Page"), key=lambda xref: xref != first))


def _plant(document: "pymupdf.Document", pages: list[int]) -> None:
    """A page tree of one level for these pages, which keep what they inherited from the one they leave."""
    tree = _new(document, f"<</Type/Pages/Count {len(pages)}/Kids[{' '.join(f'{xref} 0 R' for xref in pages)}]>>")
    for key, xref in product(_INHERITED, pages):
        if written := _inherited(document, xref, key):
            document.xref_set_key(xref, key, written)
    for xref in pages:
        document.xref_set_key(xref, "Parent", f"{tree} 0 R")
    document.xref_set_key(document.pdf_catalog(), "Pages", f"{tree} 0 R")


def _inherited(document: "pymupdf.Document", page: int, key: str) -> str:
    """What the page or the nearest node above it says for `key`."""
    xref = page
    for _ in range(_DEEPEST):
        kind, written = document.xref_get_key(xref, key)
        if kind != "null":
            return str(written)
        above, parent = document.xref_get_key(xref, "Parent")
        if above != "xref":
            break
        xref = int(parent.split()[0])
    return ""


def _typed(document: "pymupdf.Document", kind: str) -> list[int]:
    return [xref for xref in range(1, document.xref_length()) if document.xref_get_key(xref, "Type")[1] == kind]


def _new(document: "pymupdf.Document", body: str) -> int:
    xref = int(document.get_new_xref())
    document.update_object(xref, body)
    return xref


def shorten_numbers(source: Source, pdf: "pikepdf.Pdf") -> None:
    """Cut numbers so long that MuPDF gives up what they stand in, which qpdf packs together with much else."""
    with source.path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        if not _LONG_NUMBER.search(data):
            return
    for each in pdf.objects:
        _shorten(each, _DEEPEST)


def _shorten(node: Any, depth: int) -> None:
    import pikepdf

    if depth and isinstance(node, pikepdf.Array | pikepdf.Dictionary | pikepdf.Stream):
        held: list[tuple[Any, Any]] = list(enumerate(node) if isinstance(node, pikepdf.Array) else node.items())
        for key, value in held:
            if isinstance(value, Decimal):
                node[key] = Decimal(f"{value:.{_PLACES}f}")
            elif not getattr(value, "is_indirect", False):
                _shorten(value, depth - 1)


def _linearized(path: Path, wanted: re.Pattern[bytes]) -> int:
    """A number of the linearization dictionary, which stands at the head of the file; 0 without one."""
    with path.open("rb") as file:
        head = file.read(_HEAD)
    found = wanted.search(head) if _LINEARIZED.search(head) else None
    return int(found[1]) if found else 0


def pages_by_pdfium(path: Path, password: str | None) -> int:
    """How many pages pdfium finds; 0 when it cannot open the file."""
    import pypdfium2

    try:
        with closing(pypdfium2.PdfDocument(path, password=password)) as document:
            return len(document)
    except pypdfium2.PdfiumError:
        return 0


def pages_by_mupdf(path: Path, password: str | None) -> int:
    """How many pages MuPDF finds; 0 when it cannot open the file."""
    from cluster.engines.pdf.libraries import import_pymupdf

    pymupdf = import_pymupdf()
    try:
        with pymupdf.open(path, filetype="pdf") as document:
            locked = document.needs_pass and not document.authenticate(password or "")
            return 0 if locked else int(document.page_count)
    except Exception:  # PyMuPDF has no class of its own for what it meets in damaged files
        return 0


def _lost(page: Any, cut: bool) -> bool:
    """Whether a repaired page lost its content: none is left, but what content needs, or nothing else to show."""
    import pikepdf

    if "/Contents" in page:
        return _is_lost(page["/Contents"], cut)
    resources, annotations = page.get("/Resources"), page.get("/Annots")
    if isinstance(resources, pikepdf.Dictionary) and len(resources) > 0:
        return True
    listed = list(annotations) if isinstance(annotations, pikepdf.Array) else []
    return cut and not any(isinstance(each, pikepdf.Dictionary) and "/AP" in each for each in listed)


def _is_lost(contents: Any, cut: bool) -> bool:
    """Whether content paints nothing for a reason: a page meant to be blank is blank in a file with its end, too."""
    import pikepdf

    from cluster.engines.pdf.streams import beginning, decoded

    parts = list(contents) if isinstance(contents, pikepdf.Array) else [contents]
    streams = [part for part in parts if isinstance(part, pikepdf.Stream)]
    read = [decoded(stream) for stream in streams]
    if any(_PAINTS.search(found or beginning(stream, _ENOUGH)) for stream, found in zip(streams, read, strict=True)):
        return False
    return cut or not streams or None in read
