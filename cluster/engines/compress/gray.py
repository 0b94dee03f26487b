"""A PDF without colour: pictures, drawings and text in shades of gray."""

from pathlib import Path

from cluster.engines.pdf.open import open_pymupdf
from cluster.files import Desk, Source


def grayscale(desk: Desk, source: Source) -> Path:
    """Write the source in gray, unencrypted, and return the path."""
    from pymupdf import PDF_ENCRYPT_NONE

    path = desk.scratch("gray.pdf")
    with open_pymupdf(source) as document:
        for number, page in enumerate(document):
            page.recolor(1)
            desk.progress(number + 1, document.page_count, "working")
        document.save(path, encryption=PDF_ENCRYPT_NONE, deflate=True)
    return path
