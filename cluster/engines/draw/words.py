"""Whether words stand at a place of a page: what is put there would cover them."""

from collections.abc import Mapping
from typing import Any

from cluster.engines.pdf.open import open_pdfium
from cluster.files import Source
from cluster.problem import Problem

Box = tuple[float, float, float, float]
#: Further pages are not looked at: reading words takes a third of a millisecond a page and more.
_MOST = 3000


def pages_with_words(source: Source, boxes: Mapping[int, Box]) -> list[int]:
    """Of these pages (1-based) those with words in their box (page units: left, bottom, right, top).

    What pdfium cannot read has no words: this is a remark, no result depends on it.
    """
    import pypdfium2

    try:
        with open_pdfium(source) as document:
            pages = [page for page in list(boxes)[:_MOST] if page <= len(document)]
            return [page for page in pages if _has_words(document, page, boxes[page])]
    except (Problem, pypdfium2.PdfiumError):
        return []


def _has_words(document: Any, page: int, box: Box) -> bool:
    opened = document[page - 1]
    try:
        words = opened.get_textpage()
        try:
            return bool(words.get_text_bounded(*box).strip())
        finally:
            words.close()
    finally:
        opened.close()
