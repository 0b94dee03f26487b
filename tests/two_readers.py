"""Pages in colour, by two readers that share no code: what one alone shows may be its own fault."""

import sys
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy
from PIL import Image

from tests import look


def by_pdfium(path: Path, page: int, dpi: int) -> Image.Image:
    return look.render(path, page, dpi)


def by_mupdf(path: Path, page: int, dpi: int) -> Image.Image:
    sys.modules.setdefault("onnxruntime", None)  # type: ignore[arg-type]  # PyMuPDF would load its models
    import pymupdf

    with pymupdf.open(path, filetype="pdf") as document:
        drawn = document[page - 1].get_pixmap(dpi=dpi, alpha=False, colorspace="rgb")
        return Image.frombytes("RGB", (drawn.width, drawn.height), drawn.samples)


READERS: tuple[Callable[[Path, int, int], Image.Image], ...] = (by_pdfium, by_mupdf)


def drift(before: Path, after: Path, page: int = 1, dpi: int = 100, patch: int = 7) -> float:
    """Levels by which the mean of a patch of `patch` pixels moves at most, in any channel and by any reader."""
    return max(_drift(*(read(path, page, dpi) for path in (before, after)), patch) for read in READERS)


def _drift(before: Image.Image, after: Image.Image, patch: int) -> float:
    assert before.size == after.size
    one, two = (
        cv2.boxFilter(numpy.asarray(each).astype(numpy.float32), -1, (patch, patch)) for each in (before, after)
    )
    return float(numpy.abs(one - two).max())
