"""A copy of a document of which pdfium draws what pdf.js draws, where pdf.js puts it."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from cluster.engines.draw.lent import lend
from cluster.engines.draw.spacing import space_out
from cluster.engines.pdf.libraries import import_pikepdf
from cluster.engines.pdf.nodes import get, items
from cluster.files import Desk, Source

if TYPE_CHECKING:
    import pikepdf


def copy_faithfully(path: Path, made: Path, hairs: Sequence[float]) -> bool:
    """Write the copy of the unlocked PDF at `path`; `hairs`: points that a line is wide at least, on each page.

    False where there is nothing to mend, or where the document is too strange to be told anew.
    """
    try:
        with import_pikepdf().open(path) as pdf:
            changed = lend(pdf) + space_out(pdf, hairs) + _form(pdf)
            if changed:
                pdf.save(made)
    except (import_pikepdf().PdfError, ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
        return False
    return changed > 0


def with_form(desk: Desk, source: Source) -> Source:
    """The source, or an unlocked copy of which pdfium draws what is filled in; a document too strange stays."""
    made = desk.scratch(f"formed-{source.index}.pdf")
    try:
        with import_pikepdf().open(source.path, password=source.password or "") as pdf:
            if not _form(pdf):
                return source
            pdf.save(made, encryption=False)
    except (import_pikepdf().PdfError, AttributeError, LookupError, TypeError, ValueError):
        return source
    return replace(source, path=made, size=made.stat().st_size, password=None)


def _form(pdf: "pikepdf.Pdf") -> bool:
    """Give a document that has fields and no form an empty one: without any, pdfium does not draw what is filled in."""
    annotations = (each for page in pdf.pages for each in items(get(page.obj, "/Annots")))
    if "/AcroForm" in pdf.Root or all(get(each, "/Subtype") != "/Widget" for each in annotations):
        return False
    pdf.Root.AcroForm = import_pikepdf().Dictionary()
    return True
