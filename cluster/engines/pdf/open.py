"""Open, count and save PDFs: the one place where passwords, damage and bombs are told apart.

pikepdf (qpdf) for structure, pypdfium2 for pixels, PyMuPDF for text and drawing.
"""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cluster.engines.pdf.libraries import import_pikepdf, import_pymupdf
from cluster.engines.pdf.lock import fitting
from cluster.engines.pdf.tail import Scratch, searched, shown
from cluster.files import Desk, Source
from cluster.kinds import kind_of
from cluster.problem import InputProblem, LimitProblem, PasswordProblem

if TYPE_CHECKING:
    import pikepdf
    import pymupdf
    import pypdfium2

    from cluster.engines.pdf.rescue import Saved

#: x0, y0, x1, y1.
Box = tuple[float, float, float, float]
#: A mapped file reads faster, but counts as memory of the process.
_MAPPED = 64 << 20


@dataclass(frozen=True)
class Opened:
    """A source as it could be read, which is what stands in `source`.

    damaged: others need a copy: its table of objects had to be rebuilt or hides some from them, or they cannot open it.
    locked: it has a lock, which its copies lack unless they are given one.
    saved: what a repair brought back; None where there was nothing to repair.
    """

    pdf: "pikepdf.Pdf"
    source: Source
    damaged: bool
    locked: bool
    saved: "Saved | None"


@contextmanager
def opened(source: Source, scratch: Scratch, limit: int, *, drawn: bool = False) -> Iterator[Opened]:
    """The source as qpdf reads it, or what of it can be saved. `scratch` gives paths for copies by name.

    `drawn`: its pages will be drawn, and one that no reader can draw is too_large_when_opened. Over `limit` pages it is
    too_many_pages. Raises password_required, password_wrong, certificate_needed, damaged_file, empty_file,
    not_supported_type.
    """
    check_source(source)
    found = searched(scratch, source)
    source = fitting(shown(scratch, found))
    hides = source.path != found.path
    with ExitStack() as stack:
        pdf, saved = _first_way(stack, source, limit), None
        damaged = pdf is None or _was_damaged(pdf)
        if damaged:
            pdf, saved = _best_way(stack, scratch, source, pdf, limit)
        if pdf is None:
            raise InputProblem("damaged_file", file=source.name)
        if damaged:
            from cluster.engines.pdf.rescue import shorten_numbers

            shorten_numbers(source, pdf)
        if drawn:
            from cluster.engines.pdf.unfolding import check_drawable

            check_drawable(source, pdf)
            hides |= _uncropped(pdf)
        yield Opened(pdf, source, damaged or hides, pdf.is_encrypted, saved)


def _uncropped(pdf: "pikepdf.Pdf") -> bool:
    """Whether a CropBox missed its page; it is gone then, as readers crop nothing there, and pdfium everything."""
    missed = [page for page in pdf.pages if page.cropbox != page.mediabox and _is_empty(_cropped(page))]
    for page in missed:
        page.cropbox = page.mediabox
    return bool(missed)


def is_clear(source: Source, *, mupdf: bool) -> bool:
    """Whether pdfium opens the file, too, and MuPDF if it is to: qpdf takes passwords that they do not."""
    from cluster.engines.pdf.rescue import pages_by_mupdf, pages_by_pdfium

    readers = (pages_by_pdfium, pages_by_mupdf) if mupdf else (pages_by_pdfium,)
    return all(count(source.path, source.password) for count in readers)


def _first_way(stack: ExitStack, source: Source, limit: int) -> "pikepdf.Pdf | None":
    """The source as qpdf reads it; None where it finds no page."""
    pikepdf = import_pikepdf()
    access = pikepdf.AccessMode.default if source.size <= _MAPPED else pikepdf.AccessMode.stream
    try:
        pdf = stack.enter_context(pikepdf.open(source.path, password=source.password or "", access_mode=access))
        # The claimed count comes first: reading a million pages to count them is the harm.
        check_pages(source, _claimed_pages(pdf), limit)
        return pdf if len(pdf.pages) else None
    except pikepdf.PasswordError as error:
        raise password_problem(source) from error
    except UnicodeDecodeError:
        return None  # pikepdf trips over its own words when they quote the file
    except pikepdf.PdfError as error:
        if "unsupported encryption filter" in str(error):
            raise InputProblem("certificate_needed", file=source.name) from error
        return None


def _best_way(
    stack: ExitStack, scratch: Scratch, source: Source, first: "pikepdf.Pdf | None", limit: int
) -> "tuple[pikepdf.Pdf | None, Saved | None]":
    """Of the ways into a damaged file the one that saves most pages, and which; None when nothing is left."""
    from cluster.engines.pdf import rescue

    cut = rescue.is_cut(source.path)
    best, pages = first, rescue.saved_pages(first, cut=cut) if first else []
    counts = [len(first.pages), _claimed_pages(first)] if first else []
    promised = rescue.promise(source, *counts, limit=limit)
    if len(pages) < max(1, promised.pages):
        second, count = _second_way(stack, scratch, source, limit)
        promised = rescue.promise(source, *counts, count, limit=limit)
        if second and len(found := rescue.saved_pages(second, cut=cut)) > len(pages):
            best, pages = second, found
    if best is None or not pages:
        return None, None
    return best, rescue.Saved(max(promised.pages, len(best.pages)), pages, promised.cut)


def _second_way(stack: ExitStack, scratch: Scratch, source: Source, limit: int) -> "tuple[pikepdf.Pdf | None, int]":
    """The source as another library reads it, and how many pages that are; None where none finds a page."""
    from cluster.engines.pdf.rescue import WAYS

    pikepdf = import_pikepdf()
    path = scratch(f"second-{source.index}.pdf")
    path.parent.mkdir(parents=True, exist_ok=True)
    for way in WAYS:
        count = way(source, path)
        check_pages(source, count, limit)
        with suppress(pikepdf.PdfError, UnicodeDecodeError):
            if count:
                return stack.enter_context(pikepdf.open(path)), count
    return None, 0


def _was_damaged(pdf: "pikepdf.Pdf") -> bool:
    """Can be asked once: qpdf forgets what it has warned of.

    "Repairing" is not damage: qpdf says so of a page without /Resources, which no reader minds.
    """
    words = ("damaged", "recover", "reconstruct", "non-dictionary")
    try:
        said = [str(line).replace(str(pdf.filename), "") for line in pdf.get_warnings()]
        return any(word in line for line in said for word in words)
    except UnicodeDecodeError:
        return True


def plain_copy(pdf: "pikepdf.Pdf", path: Path) -> Path:
    """Write `pdf` to `path` decrypted, repaired and with a plain table, streams untouched."""
    pikepdf = import_pikepdf()
    path.parent.mkdir(parents=True, exist_ok=True)
    _complete(pdf)
    pdf.save(
        path,
        encryption=False,
        compress_streams=False,
        fix_metadata_version=False,
        object_stream_mode=pikepdf.ObjectStreamMode.disable,
        stream_decode_level=pikepdf.StreamDecodeLevel.none,
    )
    return path


def repaired_copy(desk: Desk, source: Source, pdf: "pikepdf.Pdf") -> Source:
    """A sound copy of a damaged source, that every library reads alike."""
    path = plain_copy(pdf, desk.scratch(f"plain-{source.index}.pdf"))
    return replace(source, path=path, size=path.stat().st_size, password=None)


def _claimed_pages(pdf: "pikepdf.Pdf") -> int:
    tree: Any = pdf.Root.get("/Pages")
    count = tree.get("/Count", 0) if hasattr(tree, "get") else 0
    return count if isinstance(count, int) else 0


def save_pdf(
    desk: Desk, pdf: "pikepdf.Pdf", path: Path, *, lock: "pikepdf.Encryption | None" = None, **options: Any
) -> None:
    """Write `pdf` compactly, under `lock` or unencrypted; progress goes to stage `writing`."""
    pikepdf = import_pikepdf()
    options.setdefault("object_stream_mode", pikepdf.ObjectStreamMode.generate)
    desk.progress(0, 1, "writing")
    _complete(pdf)
    pdf.save(path, encryption=lock or False, fix_metadata_version=False, **options)


def _complete(pdf: "pikepdf.Pdf") -> None:
    if "/Size" not in pdf.trailer:
        pdf.trailer["/Size"] = 1  # qpdf corrects it, but writes none, and so no readable file, where there was none


@contextmanager
def open_pymupdf(source: Source) -> "Iterator[pymupdf.Document]":
    """The source as a PyMuPDF document, authenticated."""
    pymupdf = import_pymupdf()
    check_source(source)
    try:
        document = pymupdf.open(source.path, filetype="pdf")
    except (pymupdf.FileDataError, pymupdf.EmptyFileError, RuntimeError) as error:
        raise InputProblem("damaged_file", file=source.name) from error
    with document:
        if document.needs_pass and not document.authenticate(source.password or ""):
            raise password_problem(source)
        if not document.is_pdf or document.page_count == 0:
            raise InputProblem("damaged_file", file=source.name)
        yield document


@contextmanager
def open_pdfium(source: Source, limit: int | None = None) -> "Iterator[pypdfium2.PdfDocument]":
    """The source as a pypdfium2 document; over `limit` pages it is too_many_pages."""
    import pypdfium2

    check_source(source)
    try:
        document = pypdfium2.PdfDocument(source.path, password=source.password)
    except pypdfium2.PdfiumError as error:
        if "password" in str(error).lower():
            raise password_problem(source) from error
        raise InputProblem("damaged_file", file=source.name) from error
    try:
        if limit is not None:
            check_pages(source, len(document), limit)
        yield document
    finally:
        document.close()


def check_source(source: Source) -> None:
    """Refuse an empty file and one whose content is not what it was staged as."""
    if source.size == 0:
        raise InputProblem("empty_file", file=source.name)
    found = kind_of(source.path)
    if found is not source.kind:
        raise InputProblem("not_supported_type", file=source.name, found=found.key if found else "?")


def password_problem(source: Source) -> PasswordProblem:
    """Missing or wrong, naming the file."""
    return PasswordProblem("password_wrong" if source.password else "password_required", file=source.name)


def check_pages(source: Source, count: int, limit: int) -> None:
    """Raise too_many_pages over `limit`."""
    if count > limit:
        raise LimitProblem("too_many_pages", file=source.name, pages=count, limit=limit)


def visible_box(page: "pikepdf.Page") -> Box:
    """CropBox cut to the MediaBox, in the page's own units and unturned: x0, y0, x1, y1."""
    box = _cropped(page)
    return _box(page.mediabox) if _is_empty(box) else box


def _cropped(page: "pikepdf.Page") -> Box:
    media, crop = _box(page.mediabox), _box(page.cropbox)
    return max(media[0], crop[0]), max(media[1], crop[1]), min(media[2], crop[2]), min(media[3], crop[3])


def _is_empty(box: Box) -> bool:
    return box[0] >= box[2] or box[1] >= box[3]


def visible_size(page: "pikepdf.Page") -> tuple[float, float]:
    """Width and height as a reader shows the page, in points (UserUnit and /Rotate applied)."""
    x0, y0, x1, y1 = visible_box(page)
    unit = user_unit(page)
    width, height = (x1 - x0) * unit, (y1 - y0) * unit
    return (height, width) if page.rotation % 180 else (width, height)


def user_unit(page: "pikepdf.Page") -> float:
    """Points of one unit of the page; 1 where what is written makes no sense."""
    try:
        unit = float(page.obj.get("/UserUnit", 1))
    except (TypeError, ValueError):
        return 1.0
    return unit if unit > 0 else 1.0


def _box(raw: Any) -> Box:
    a, b, c, d = (float(value) for value in raw)
    return min(a, c), min(b, d), max(a, c), max(b, d)
