"""Files that nobody here drew, for stories with what people really have; where they are not, a drawn one does."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pikepdf

CORPUS = Path(os.environ.get("PAPERCRANE_CORPUS", Path(__file__).parents[2] / "shared" / "corpus"))


def real(path: Path, name: str, drawn: Callable[[Path], object]) -> Path:
    """The corpus' file `name` at `path`, or what `drawn` draws there."""
    if (CORPUS / name).is_file():
        shutil.copyfile(CORPUS / name, path)
    else:
        drawn(path)
    return path


def first_pages(path: Path, name: str, pages: int, drawn: Callable[[Path], object]) -> Path:
    """As `real`, and no more than so many pages of it."""
    with pikepdf.open(real(path, name, drawn), allow_overwriting_input=True) as pdf:
        if len(pdf.pages) > pages:
            del pdf.pages[pages:]
            pdf.save(path)
    return path
