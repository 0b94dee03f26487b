"""The libraries, imported when they are needed, with their bounds set."""

import sys
from functools import cache
from typing import Any

#: One decoded stream may hold this much; a 7 KB file of nested Flate costs 8 GB without it.
STREAM_LIMIT = 256 << 20


@cache
def import_pikepdf() -> Any:
    """pikepdf with its decompression bounds set: once a process, forks inherit them."""
    import pikepdf

    pikepdf.settings.set_qpdf_limits(flate_max_memory=STREAM_LIMIT)
    return pikepdf


def import_pymupdf() -> Any:
    """PyMuPDF without what it imports beside itself: models of layout and numpy cost a second and 75 MB."""
    for beside in ("pymupdf.layout", "pymupdf4llm"):
        sys.modules.setdefault(beside, None)  # type: ignore[arg-type]
    import pymupdf

    pymupdf.no_recommend_layout()
    pymupdf.TOOLS.mupdf_display_errors(False)
    pymupdf.TOOLS.mupdf_display_warnings(False)
    return pymupdf


def mupdf_errors() -> tuple[type[Exception], ...]:
    """What PyMuPDF raises where a page or a picture is broken."""
    pymupdf = import_pymupdf()
    return (pymupdf.mupdf.FzErrorBase, RuntimeError, ValueError)
