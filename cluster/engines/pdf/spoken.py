"""What a structure tree tells instead of the letters that are drawn (/ActualText), where MuPDF makes too much of it.

It tells an element's text once for each of the pieces that the element is drawn in: a sentence of twelve words, twelve
times. Elsewhere it is the better text: whole 汉字 for radicals, bold letters once that are drawn twice.
"""

from typing import TYPE_CHECKING

from cluster.engines.pdf.libraries import import_pymupdf, mupdf_errors

if TYPE_CHECKING:
    import pymupdf

#: So many times the letters that are drawn, and so many more of them, nobody speaks on a page.
_TIMES, _MORE = 2, 200


def as_drawn(page: "pymupdf.Page") -> int:
    """The flag by which MuPDF reads the page's letters as they are drawn, where it must; 0 for other pages."""
    pymupdf = import_pymupdf()
    document, flag = page.parent, int(pymupdf.TEXT_IGNORE_ACTUALTEXT)
    try:
        if document.xref_get_key(document.pdf_catalog(), "StructTreeRoot")[0] == "null":
            return 0
        told, drawn = (_letters(page, pymupdf.TEXTFLAGS_TEXT | each) for each in (0, flag))
    except mupdf_errors():
        return 0
    return flag if told > max(_TIMES * drawn, drawn + _MORE) else 0


def _letters(page: "pymupdf.Page", flags: int) -> int:
    return len("".join(page.get_text("text", flags=flags).split()))
