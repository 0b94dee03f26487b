"""Who is to blame when a part fails unforeseen: the input, when libraries that had no part in it find it damaged."""

from collections.abc import Iterable
from pathlib import Path


def first_damaged(files: Iterable[tuple[Path, str | None]]) -> int | None:
    """The index of the first damaged PDF of (path, password); None when all are sound, or none is a PDF."""
    return next((index for index, (path, password) in enumerate(files) if _damaged(path, password)), None)


def _damaged(path: Path, password: str | None) -> bool:
    """Whether qpdf finds fault with it, and pdfium and MuPDF do not both read as many pages of it."""
    from cluster.engines.pdf.rescue import pages_by_mupdf, pages_by_pdfium
    from cluster.kinds import PDF, kind_of

    if kind_of(path) is not PDF or not _has_faults(path, password):
        return False
    return not 0 < pages_by_pdfium(path, password) == pages_by_mupdf(path, password)


def _has_faults(path: Path, password: str | None) -> bool:
    from cluster.engines.pdf.libraries import import_pikepdf

    pikepdf = import_pikepdf()
    try:
        with pikepdf.open(path, password=password or "", access_mode=pikepdf.AccessMode.stream) as pdf:
            return bool(pdf.get_warnings() or pdf.check_pdf_syntax())
    except pikepdf.PasswordError:
        return False
    except (pikepdf.PdfError, UnicodeDecodeError):
        return True
