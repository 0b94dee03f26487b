"""Letters as pdfium reads them, where MuPDF knows a glyph by its number alone: the signs of Zapf Dingbats, say."""

import unicodedata
from pathlib import Path
from types import TracebackType
from typing import Any, Self

#: What tells nothing of a letter: controls, private and unassigned codes, surrogates.
_UNTOLD = ("Cc", "Cn", "Co", "Cs")
UNKNOWN = "\ufffd"
#: Points around a glyph's middle in which it is looked for.
_NEAR = 1.0


class SecondReader:
    """Opens the unlocked PDF when it is first asked."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._document: Any = None
        self._page: tuple[int, Any, Any] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._leave()
        if self._document:
            self._document.close()

    def letter(self, index: int, x: float, y: float) -> str:
        """The letter at this point of the page (from 0), in the page's own units; nothing where none is known."""
        import pypdfium2
        import pypdfium2.raw as pdfium

        try:
            words = self._words(index)
        except pypdfium2.PdfiumError:
            return ""
        at = pdfium.FPDFText_GetCharIndexAtPos(words, x, y, _NEAR, _NEAR)
        found = chr(pdfium.FPDFText_GetUnicode(words, at) or 0) if at >= 0 else ""
        return "" if not found or found == UNKNOWN or unicodedata.category(found) in _UNTOLD else found

    def _words(self, index: int) -> Any:
        import pypdfium2

        self._document = self._document or pypdfium2.PdfDocument(self._path)
        if self._page is None or self._page[0] != index:
            self._leave()
            page = self._document[index]
            self._page = index, page, page.get_textpage()
        return self._page[2]

    def _leave(self) -> None:
        if self._page:
            _, page, words = self._page
            words.close()
            page.close()
            self._page = None
