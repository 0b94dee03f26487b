"""A copy of a document of which pdfium draws the letters that pdf.js draws, where pdf.js puts them."""

from pathlib import Path

from cluster.engines.draw.lent import lend
from cluster.engines.draw.spacing import space_out
from cluster.engines.pdf.libraries import import_pikepdf


def copy_faithfully(path: Path, made: Path) -> bool:
    """Write the copy of the unlocked PDF at `path`.

    False where there is nothing to mend, or where the document is too strange to be told anew.
    """
    try:
        with import_pikepdf().open(path) as pdf:
            changed = lend(pdf) + space_out(pdf)
            if changed:
                pdf.save(made)
    except (import_pikepdf().PdfError, ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
        return False
    return changed > 0
