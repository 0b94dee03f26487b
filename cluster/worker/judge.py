"""Who is to blame when a part fails unforeseen: the input, when libraries that had no part in it find it damaged."""

from collections.abc import Iterable
from contextlib import closing
from pathlib import Path


def first_damaged(files: Iterable[tuple[Path, str | None]]) -> int | None:
    """The index of the first damaged PDF of (path, password); None when all are sound, or none is a PDF."""
    return next((index for index, (path, password) in enumerate(files) if _damaged(path, password)), None)


def _damaged(path: Path, password: str | None) -> bool:
    """Whether qpdf finds fault with it, and pdfium and MuPDF do not both read as many pages of it."""
    from cluster.kinds import PDF, kind_of

    if kind_of(path) is not PDF or not _has_faults(path, password):
        return False
    return not 0 < _by_pdfium(path, password) == _by_mupdf(path, password)


def _has_faults(path: Path, password: str | None) -> bool:
    from cluster.engines.pdf import import_pikepdf

    pikepdf = import_pikepdf()
    try:
        with pikepdf.open(path, password=password or "", access_mode=pikepdf.AccessMode.stream) as pdf:
            return bool(pdf.get_warnings() or pdf.check_pdf_syntax())
    except pikepdf.PasswordError:
        return False
    except pikepdf.PdfError:
        return True


def _by_pdfium(path: Path, password: str | None) -> int:
    import pypdfium2

    try:
        with closing(pypdfium2.PdfDocument(path, password=password)) as document:
            return len(document)
    except pypdfium2.PdfiumError:
        return 0


def _by_mupdf(path: Path, password: str | None) -> int:
    from cluster.engines.pdf import import_pymupdf

    pymupdf = import_pymupdf()
    try:
        with pymupdf.open(path, filetype="pdf") as document:
            if document.needs_pass:
                document.authenticate(password or "")
            return int(document.page_count)
    except Exception:  # PyMuPDF has no class of its own for what it meets in damaged files
        return 0
