"""Tables of PDFs beside pdfplumber and PyMuPDF: the note tells F1 of neighbouring cells and tables read exactly.

The documents are set by LibreOffice in every usual look (tests/make_tables.py); pictures are what is seen of some.
"""

import json
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from cluster.engines.pdf.libraries import import_pymupdf
from tests.bench.side_by_side import Row, seconds_left
from tests.make_tables import LOOKS, Cell, Kind, Score, documents
from tests.running import run_tool

Read = Callable[[Path], list[list[Cell]]]


def rows() -> Iterator[Row]:
    with tempfile.TemporaryDirectory() as name:
        made = documents(Path(name))
        for look in LOOKS:
            yield from _row(look, [each for each in made if each[0].look == look])
        yield from _row("all", made)


def _row(look: str, made: list[tuple[Kind, Path, list[list[Cell]]]]) -> Iterator[Row]:
    seconds_left(look)
    mine, spent = measured(ours, made)
    for peer, read in PEERS.items():
        other, took = measured(read, made)
        note = f"F1 {mine.f1:.3f} : {other.f1:.3f}; exact {mine.exact} : {other.exact} of {mine.tables}"
        yield Row(f"Tables of a PDF: {look}", spent, peer, took, spent / took, 0, 0, note)


def measured(read: Read, made: list[tuple[Kind, Path, list[list[Cell]]]]) -> tuple[Score, float]:
    score, begun = Score(), time.perf_counter()
    for _, path, truth in made:
        score.add(truth, read(path))
    return score, time.perf_counter() - begun


def ours(path: Path) -> list[list[Cell]]:
    with tempfile.TemporaryDirectory() as name:
        ran = run_tool("pdf_table", Path(name), [path], output="json")
        if ran.problem:
            return []
        found = json.loads(ran.path.read_text())["tables"]
    keys = ("row", "column", "rows", "columns", "text")
    return [[Cell(**{key: each[key] for key in keys}) for each in table["cells"]] for table in found]


def _plumber(path: Path) -> list[list[Cell]]:
    import pdfplumber

    with pdfplumber.open(path) as document:
        return [_cells(each) for page in document.pages for each in page.extract_tables()]


def _pymupdf(path: Path) -> list[list[Cell]]:
    with import_pymupdf().open(path) as document:
        return [_cells(each.extract()) for page in document for each in page.find_tables().tables]


def _cells(texts: list[list[str | None]]) -> list[Cell]:
    return [Cell(row, at, 1, 1, text or "") for row, line in enumerate(texts) for at, text in enumerate(line)]


PEERS: dict[str, Read] = {"pdfplumber": _plumber, "PyMuPDF find_tables": _pymupdf}
