"""Tables of ICDAR-2013's European documents, where the corpus has them: their truth there is how many a document holds.

Of the cells nothing is told beside them; whether those are right somebody has to look.
"""

import json
from collections.abc import Callable, Sequence
from pathlib import Path

from tests.bench.real_tables import CORPUS


def documents() -> list[tuple[Path, int]]:
    """Each document with how many tables it holds."""
    folders = CORPUS.rglob("competition-dataset-eu")
    paths = sorted(path for folder in folders for path in folder.glob("*.pdf"))
    return [(path, json.loads(path.with_suffix(".json").read_text())["numExpectedTables"]) for path in paths]


def counted(read: Callable[[Path], Sequence[object]], documents: Sequence[tuple[Path, int]]) -> tuple[int, int]:
    """In how many of the documents as many tables are found as they hold, and how many are found too many or few."""
    off = [abs(len(read(path)) - count) for path, count in documents]
    return off.count(0), sum(off)
