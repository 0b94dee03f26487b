"""Tables that others wrote in Word, and what is known of them: the docx tells the cells of what LibreOffice draws.

Measured on them is what nobody here set. A table in a cell of another is text of that cell, as everywhere here; rows
and columns without any text are left out on both sides, for nothing tells them where no rule is drawn.
"""

import os
import re
import subprocess
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from tests.bench.word import peers, written
from tests.make_tables import Cell, bare, neighbours

_ROOT = Path(__file__).parents[2]
CORPUS = Path(os.environ.get("PAPERCRANE_BENCH_TABLES", _ROOT / "../shared/corpus"))
#: Files that one LibreOffice draws, and the seconds it has for each.
_TOGETHER, _PATIENCE = 6, 30
#: Marks of lists, which Word draws without having them as text.
_MARKS = re.compile("[•◦▪‣■□\ue000-\uf8ff]")


def documents(folder: Path) -> list[tuple[Path, list[list[Cell]]]]:
    """A PDF of each docx of the corpus that holds tables of two cells or more, with those; drawn into `folder`."""
    known = dict(_known())
    for path in known:
        (folder / path.name).symlink_to(path.resolve())
    mine = [folder / path.name for path in known]
    for together in (_TOGETHER, 1):
        rest = [each for each in mine if not each.with_suffix(".pdf").exists()]
        for at in range(0, len(rest), together):
            command = peers.drawing(rest[at : at + together], folder, folder / "profile")
            subprocess.run(command, capture_output=True, timeout=_PATIENCE * together)
    drawn = zip(mine, known.values(), strict=True)
    return [(pdf, tables) for path, tables in drawn if (pdf := path.with_suffix(".pdf")).exists()]


def _known() -> Iterator[tuple[Path, list[list[Cell]]]]:
    names = set[str]()
    for path in sorted(CORPUS.rglob("*.docx"), key=lambda each: (each.parent.name != "word", each)):
        try:
            tables = [*outer([[Cell(*each) for each in table] for table in written.read(path).tables])]
        except zipfile.BadZipFile:
            continue
        name = path.name.rpartition("__")[2].lower()
        if any(map(neighbours, tables)) and name not in names:
            names.add(name)
            yield path, [compact(each) for each in tables if neighbours(each)]


def outer(tables: Sequence[Sequence[Cell]]) -> Iterator[Sequence[Cell]]:
    """The tables without those whose text stands in a cell of a later one, which holds them."""
    for at, table in enumerate(tables):
        own = "".join(bare(cell.text) for cell in table)
        if not own or not any(own in bare(cell.text) for later in tables[at + 1 :] for cell in later):
            yield table


def compact(cells: Iterable[Cell]) -> list[Cell]:
    """Without marks of lists, and without rows and columns in which no text begins."""
    held = [replace(each, text=text) for each in cells if (text := _MARKS.sub("", each.text)).strip()]
    rows, columns = sorted({each.row for each in held}), sorted({each.column for each in held})
    return [
        Cell(
            rows.index(each.row),
            columns.index(each.column),
            _count(rows, each.row, each.rows),
            _count(columns, each.column, each.columns),
            each.text,
        )
        for each in held
    ]


def _count(starts: Sequence[int], first: int, count: int) -> int:
    return sum(first <= start < first + count for start in starts)
