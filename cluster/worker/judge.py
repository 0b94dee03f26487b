"""Who is to blame when a part fails unforeseen: the input, when a library that had no part in it finds it damaged."""

from collections.abc import Iterable
from pathlib import Path


def first_damaged(files: Iterable[tuple[Path, str | None]]) -> int | None:
    """The index of the first damaged PDF of (path, password); None when all are sound, or none is a PDF."""
    return next((index for index, (path, password) in enumerate(files) if _damaged(path, password)), None)


def _damaged(path: Path, password: str | None) -> bool:
    from cluster.engines.pdf import import_pikepdf
    from cluster.kinds import PDF, kind_of

    if kind_of(path) is not PDF:
        return False
    pikepdf = import_pikepdf()
    try:
        with pikepdf.open(path, password=password or "", access_mode=pikepdf.AccessMode.stream) as pdf:
            return bool(pdf.get_warnings() or pdf.check_pdf_syntax())
    except pikepdf.PasswordError:
        return False
    except pikepdf.PdfError:
        return True
