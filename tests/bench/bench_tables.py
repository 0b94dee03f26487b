"""Tables of PDFs beside pdfplumber, PyMuPDF and camelot: the note tells F1 of neighbouring cells and exact tables.

The documents are set by LibreOffice in every usual look (tests/make_tables.py); before them come those of others
(`real_tables`), and how many are found in ICDAR-2013's European documents (`icdar`). Camelot takes part where
PAPERCRANE_BENCH_CAMELOT names the Python of an environment that has it: its libraries need other versions of ours.
"""

import json
import os
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from cluster.engines.pdf.libraries import import_pymupdf
from tests.bench import icdar, real_tables
from tests.bench.side_by_side import Row, seconds_left
from tests.make_tables import LOOKS, Cell, Score, documents
from tests.running import run_tool

Read = Callable[[Path], list[list[Cell]]]
Made = Sequence[tuple[Path, list[list[Cell]]]]
#: The Python of an environment with camelot.
_CAMELOT = os.environ.get("PAPERCRANE_BENCH_CAMELOT")


def rows() -> Iterator[Row]:
    yield from _counts()
    with tempfile.TemporaryDirectory() as name:
        yield from _row("of others", real_tables.documents(Path(name)), compact=True)
    with tempfile.TemporaryDirectory() as name:
        made = documents(Path(name))
        for look in LOOKS:
            yield from _row(look, [(path, tables) for kind, path, tables in made if kind.look == look])
        yield from _row("all", [(path, tables) for _, path, tables in made])


def _counts() -> Iterator[Row]:
    """Tables found beside how many there are."""
    known = icdar.documents()
    for peer, read in PEERS.items() if known else ():
        seconds_left("ICDAR-2013")
        (mine, far), spent = _timed(ours, known)
        (other, further), took = _timed(read, known)
        note = f"as many as there are in {mine} : {other} of {len(known)}; {far} : {further} too many or too few"
        yield Row("Tables of a PDF: ICDAR-2013 EU", spent, peer, took, spent / took, 0, 0, note)


def _timed(read: Read, known: Sequence[tuple[Path, int]]) -> tuple[tuple[int, int], float]:
    begun = time.perf_counter()
    return icdar.counted(read, known), time.perf_counter() - begun


def _row(look: str, made: Made, *, compact: bool = False) -> Iterator[Row]:
    seconds_left(look)
    mine, spent = measured(ours, made, compact=compact)
    for peer, read in PEERS.items():
        other, took = measured(read, made, compact=compact)
        note = f"F1 {mine.f1:.3f} : {other.f1:.3f}; exact {mine.exact} : {other.exact} of {mine.tables}"
        yield Row(f"Tables of a PDF: {look}", spent, peer, took, spent / took if took else 0, 0, 0, note)


def measured(read: Read, made: Made, *, compact: bool = False) -> tuple[Score, float]:
    """How near what is read comes to the truth, and the seconds it took."""
    score, begun = Score(), time.perf_counter()
    for path, truth in made:
        found = read(path)
        score.add(truth, [real_tables.compact(each) for each in found] if compact else found)
    return score, time.perf_counter() - begun


def ours(path: Path) -> list[list[Cell]]:
    with tempfile.TemporaryDirectory() as name:
        ran = run_tool("pdf_table", Path(name), [path], output="json")
        if ran.problem:
            return []
        return cells_of(json.loads(ran.path.read_text()))


def cells_of(told: Any) -> list[list[Cell]]:
    """The cells of each table of our JSON."""
    keys = ("row", "column", "rows", "columns", "text")
    return [[Cell(**{key: each[key] for key in keys}) for each in table["cells"]] for table in told["tables"]]


def _plumber(path: Path) -> list[list[Cell]]:
    import pdfplumber

    with pdfplumber.open(path) as document:
        return [_cells(each) for page in document.pages for each in page.extract_tables()]


def _pymupdf(path: Path) -> list[list[Cell]]:
    with import_pymupdf().open(path) as document:
        return [_cells(each.extract()) for page in document for each in page.find_tables().tables]


def _camelot(path: Path) -> list[list[Cell]]:
    """By its way that does best on tables of others."""
    command = [str(_CAMELOT), "-c", _WITH_CAMELOT, str(path)]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=seconds_left("camelot"))
    return [_cells(each) for each in json.loads(ran.stdout)] if ran.returncode == 0 else []


_WITH_CAMELOT = (
    "import camelot, json, sys; found = camelot.read_pdf(sys.argv[1], pages='all', flavor='lattice'); "
    "print(json.dumps([each.df.values.tolist() for each in found]))"
)


def _cells(texts: list[list[str | None]]) -> list[Cell]:
    return [Cell(row, at, 1, 1, text or "") for row, line in enumerate(texts) for at, text in enumerate(line)]


PEERS: dict[str, Read] = {"pdfplumber": _plumber, "PyMuPDF find_tables": _pymupdf}
if _CAMELOT:
    PEERS["camelot"] = _camelot
