"""Open, count and save PDFs: the one place where passwords, damage and bombs are told apart.

pikepdf (qpdf) for structure, pypdfium2 for pixels, PyMuPDF for text and drawing.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cluster.engines.tail import searched
from cluster.kinds import kind_of
from cluster.problem import InputProblem, LimitProblem, PasswordProblem
from cluster.tool import Source, Work

if TYPE_CHECKING:
    import pikepdf
    import pymupdf
    import pypdfium2

#: One decoded stream may hold this much; a 7 KB file of nested Flate costs 8 GB without it.
STREAM_LIMIT = 256 << 20
#: A mapped file reads faster, but counts as memory of the process.
_MAPPED = 64 << 20


def import_pikepdf() -> Any:
    """pikepdf with its decompression bounds set."""
    import pikepdf

    pikepdf.settings.set_qpdf_limits(flate_max_memory=STREAM_LIMIT)
    return pikepdf


def import_pymupdf() -> Any:
    """PyMuPDF without its layout models: they cost a second and 60 MB, and no tool here needs them."""
    sys.modules.setdefault("onnxruntime", None)  # type: ignore[arg-type]
    os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")
    import pymupdf

    pymupdf.TOOLS.mupdf_display_errors(False)
    pymupdf.TOOLS.mupdf_display_warnings(False)
    return pymupdf


@contextmanager
def open_pdf(work: Work[Any], source: Source) -> "Iterator[pikepdf.Pdf]":
    """The source as a pikepdf.Pdf, decrypted; notes a repair and a removed password on the receipt.

    Raises password_required, password_wrong, damaged_file, empty_file, not_supported_type.
    """
    with open_judged(work, source) as (pdf, _):
        yield pdf


@contextmanager
def open_judged(work: Work[Any], source: Source) -> "Iterator[tuple[pikepdf.Pdf, bool]]":
    """As open_pdf, and whether the file was damaged: qpdf had to rebuild its table of objects."""
    pikepdf = import_pikepdf()
    check_source(source)
    source = searched(work, source)
    access = pikepdf.AccessMode.default if source.size <= _MAPPED else pikepdf.AccessMode.stream
    try:
        pdf = pikepdf.open(source.path, password=source.password or "", access_mode=access)
    except pikepdf.PasswordError as error:
        raise password_problem(source) from error
    except pikepdf.PdfError as error:
        raise InputProblem("damaged_file", file=source.name) from error
    with pdf:
        # The claimed count comes first: reading a million pages to count them is the harm.
        check_pages(source, _claimed_pages(pdf), work.max_pages)
        if len(pdf.pages) == 0:
            raise InputProblem("damaged_file", file=source.name)
        if damaged := _was_damaged(pdf):
            _tell_repair(work, source, pdf)
        if pdf.is_encrypted:
            work.note("changed", "password_removed")
        yield pdf, damaged


def _was_damaged(pdf: "pikepdf.Pdf") -> bool:
    """Can be asked once: qpdf forgets what it has warned of."""
    words = ("repair", "recover", "reconstruct")
    return any(word in str(line) for line in pdf.get_warnings() for word in words)


def _tell_repair(work: Work[Any], source: Source, pdf: "pikepdf.Pdf") -> None:
    """What the repair brought back and what it could not; damaged_file when every page came back empty."""
    work.note("changed", "repaired")
    count = len(pdf.pages)
    empty = sum(_lost(page.obj) for page in pdf.pages)
    if empty == count:
        raise InputProblem("damaged_file", file=source.name)
    if count < _claimed_pages(pdf):
        work.note("lost", "pages", before=_claimed_pages(pdf), after=count)
    if empty:
        work.note("lost", "pages_empty", count=empty)


def _lost(page: Any) -> bool:
    """Whether a repaired page lost its content: it has none, but what content needs, or nothing else to show."""
    pikepdf = import_pikepdf()
    if "/Contents" in page:
        return False
    annotations, resources = page.get("/Annots"), page.get("/Resources")
    if isinstance(resources, pikepdf.Dictionary) and len(resources) > 0:
        return True
    listed = list(annotations) if isinstance(annotations, pikepdf.Array) else []
    return not any(isinstance(each, pikepdf.Dictionary) and "/AP" in each for each in listed)


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


def repaired_copy(work: Work[Any], source: Source, pdf: "pikepdf.Pdf") -> Source:
    """A sound copy of a damaged source, that every library reads alike."""
    path = plain_copy(pdf, work.scratch(f"plain-{source.index}.pdf"))
    return replace(source, path=path, size=path.stat().st_size, password=None)


def sound_source(work: Work[Any], source: Source) -> Source:
    """The source, or where it is damaged its repaired copy, told on the receipt; for what reads without qpdf.

    Raises as open_pdf does, but leaves it to the other library what qpdf cannot read at all.
    """
    told = list(work.notes)
    try:
        with open_judged(work, source) as (pdf, damaged):
            work.notes[:] = [note for note in work.notes if note.what != "password_removed"]
            return repaired_copy(work, source, pdf) if damaged else source
    except PasswordProblem:
        raise
    except InputProblem as problem:
        if problem.reason != "damaged_file":
            raise
        work.notes[:] = told
        return source


def _claimed_pages(pdf: "pikepdf.Pdf") -> int:
    tree: Any = pdf.Root.get("/Pages")
    count = tree.get("/Count", 0) if hasattr(tree, "get") else 0
    return count if isinstance(count, int) else 0


def save_pdf(work: Work[Any], pdf: "pikepdf.Pdf", path: Path, **options: Any) -> None:
    """Write `pdf` compactly and unencrypted; progress goes to stage `writing`."""
    pikepdf = import_pikepdf()
    options.setdefault("object_stream_mode", pikepdf.ObjectStreamMode.generate)
    work.progress(0, 1, "writing")
    _complete(pdf)
    pdf.save(path, encryption=False, fix_metadata_version=False, **options)


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


def visible_box(page: "pikepdf.Page") -> tuple[float, float, float, float]:
    """CropBox cut to the MediaBox, in the page's own units and unturned: x0, y0, x1, y1."""
    media = _box(page.mediabox)
    crop = _box(page.cropbox)
    box = max(media[0], crop[0]), max(media[1], crop[1]), min(media[2], crop[2]), min(media[3], crop[3])
    return box if box[0] < box[2] and box[1] < box[3] else media


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


def _box(raw: Any) -> tuple[float, float, float, float]:
    a, b, c, d = (float(value) for value in raw)
    return min(a, c), min(b, d), max(a, c), max(b, d)
