"""Tables cut out of the pages of ICDAR-2013's European documents as pictures, each with what we read of it in the PDF.

Nothing beside the documents tells their cells, so this says how well pictures are read as the pages are; whether those
are read right is measured elsewhere (`real_tables`).
"""

import json
import tempfile
from collections.abc import Iterator
from pathlib import Path

from cluster.engines.layout.rows import around
from tests import look
from tests.bench import icdar
from tests.bench.bench_tables import cells_of
from tests.bench.real_tables import compact
from tests.make_tables import Cell, neighbours
from tests.running import run_tool

_DPI, _MARGIN = 150, 10.0
#: Pages of the longest document that is cut.
_PAGES = 9


def documents(folder: Path) -> list[tuple[Path, list[list[Cell]]]]:
    """A picture in `folder` of each table that stands upright on one page, with its cells."""
    short = [path for path, _ in icdar.documents() if look.page_count(path) <= _PAGES]
    return [each for path in short for each in _cut(path, folder)]


def _cut(path: Path, folder: Path) -> Iterator[tuple[Path, list[list[Cell]]]]:
    with tempfile.TemporaryDirectory() as name:
        ran = run_tool("pdf_table", Path(name), [path], output="json")
        told = {"tables": [], "sheets": []} if ran.problem else json.loads(ran.path.read_text())
    upright = {sheet["page"] for sheet in told["sheets"] if not sheet["turned"]}
    for at, (table, cells) in enumerate(zip(told["tables"], cells_of(told), strict=True)):
        if len(table["pages"]) == 1 and table["pages"][0] in upright and neighbours(cells):
            (page,) = table["pages"]
            drawn = look.render(path, page, _DPI)
            left, top, right, bottom = around([each["box"] for each in table["cells"]])
            sides = (left - _MARGIN, top - _MARGIN, right + _MARGIN, bottom + _MARGIN)
            picture = folder / f"{path.stem}-{at}.png"
            drawn.crop(tuple(round(side * _DPI / 72) for side in sides)).convert("RGB").save(picture)
            yield picture, [compact(cells)]
