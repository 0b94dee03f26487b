"""Links of a page that lead out of the document, and which of them words lie under."""

from collections import defaultdict
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from cluster.engines.layout.model import Box
from cluster.engines.pdf.libraries import import_pymupdf

if TYPE_CHECKING:
    import pymupdf

#: Height of the rows (points) that links are sorted into: a page may have ten thousand of them, and as many words.
_ROW = 16.0
#: A word under a link is at most so many times as wide.
_WIDER = 1.4
_LONGEST = 2000


class Links:
    """The addresses on a page, in the place where the page shows them."""

    def __init__(self, page: "pymupdf.Page") -> None:
        self._rows: dict[int, list[tuple[Box, str]]] = defaultdict(list)
        _, top, _, bottom = page.rect
        for box, address in _addresses(page):
            for row in range(_row(max(top, box[1])), _row(min(bottom, box[3])) + 1):
                self._rows[row].append((box, address))

    def under(self, box: Box) -> str:
        """The address under the middle of a word, or nothing."""
        x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
        for (left, top, right, bottom), address in self._rows.get(_row(y), ()):
            if left <= x <= right and top <= y <= bottom and box[2] - box[0] < _WIDER * (right - left):
                return address[:_LONGEST]
        return ""


def _row(y: float) -> int:
    return int(y // _ROW)


def _addresses(page: "pymupdf.Page") -> Iterator[tuple[Box, str]]:
    """By MuPDF's own list: PyMuPDF's looks through all annotations for each of them."""
    mupdf: Any = import_pymupdf().mupdf
    link = mupdf.fz_load_links(page.this)
    while link.m_internal:
        address = link.m_internal.uri or ""
        if ":" in address and not address.startswith("file:") and mupdf.fz_is_external_link(address):
            rect = link.rect()
            yield (rect.x0, rect.y0, rect.x1, rect.y1), address
        link = link.next()
