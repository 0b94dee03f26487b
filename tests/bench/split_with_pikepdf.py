"""Split with nothing but pikepdf: split_with_pikepdf.py <file> <folder> <step> <start> <stop, 0 for the end>."""

import sys
import warnings
from pathlib import Path

import pikepdf


def split(source: str, folder: str, step: int, start: int, stop: int) -> None:
    """Parts of `step` pages."""
    with pikepdf.open(source) as pdf:
        for first in range(start, stop or len(pdf.pages), step):
            with pikepdf.new() as part:
                part.pages.extend(pdf.pages[first : first + step])
                part.save(Path(folder) / f"{first}.pdf")


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    split(*sys.argv[1:3], *map(int, sys.argv[3:]))
