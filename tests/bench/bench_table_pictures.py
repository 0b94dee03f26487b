"""Tables on pictures beside the same tables in PDFs: the note tells F1 of neighbouring cells and exact tables of both.

Pages of tables that LibreOffice set in every usual look (tests/make_tables.py), and of others (`real_tables`), and
tables cut out of real pages (`cut_tables`), at 150 dots an inch: clean, and as a poor scanner gives them, grainy, a
degree askew and packed as JPEG. The letters have to be right, too. Goals: 0.965 clean, 0.955 spoiled.
"""

import io
import json
import os
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy
from PIL import Image

from cluster.engines.ocr import client as ocr
from tests import look, make_tables
from tests.bench import cut_tables, real_tables
from tests.bench.bench_tables import Made, cells_of, measured, ours
from tests.bench.side_by_side import Row, seconds_left
from tests.make_tables import Cell
from tests.running import run_tool

_DPI, _GRAIN, _DEGREES, _QUALITY = 150, 10.0, 1.0, 60
#: Pages of the longest document that is read, of each kind.
_PAGES = {"drawn": 1, "of others": 9}


def rows() -> Iterator[Row]:
    with tempfile.TemporaryDirectory() as name, tempfile.TemporaryDirectory() as other:
        ocr.HOME = Path(name) / "engine"
        made = [(path, tables) for _, path, tables in make_tables.documents(Path(name))]
        sets = {"drawn": made, "of others": real_tables.documents(Path(other))}
        with subprocess.Popen(ocr.command(), env={**os.environ, **ocr.environment()}) as server:
            try:
                ocr.wait_ready(time.monotonic() + 60)
                for work, each in sets.items():
                    yield from _rows(work, [one for one in each if look.page_count(one[0]) <= _PAGES[work]])
                yield from _cut(cut_tables.documents(Path(other)))
            finally:
                server.terminate()


def _cut(made: Made) -> Iterator[Row]:
    for name, spoil in _WAYS.items():
        seconds_left(f"cut out, {name}")
        seen, spent = measured(_reader(spoil), made, compact=True)
        note = f"F1 {seen.f1:.3f}; exact {seen.exact} of {seen.tables}"
        yield Row(f"Tables of pictures cut out of ICDAR's pages, {name}", spent, "none", 0, 0, 0, 0, note)


def _rows(work: str, made: Made) -> Iterator[Row]:
    drawn, took = measured(ours, made, compact=True)
    for name, spoil in _WAYS.items():
        seconds_left(f"{work}, {name}")
        seen, spent = measured(_reader(spoil), made, compact=True)
        note = f"F1 {seen.f1:.3f} : {drawn.f1:.3f}; exact {seen.exact} : {drawn.exact} of {drawn.tables}"
        yield Row(f"Tables of pictures {work}, {name}", spent, "ours, of the PDF", took, spent / took, 0, 0, note)


def _reader(spoil: Callable[[Image.Image], Image.Image]) -> Callable[[Path], list[list[Cell]]]:
    def read(path: Path) -> list[list[Cell]]:
        with tempfile.TemporaryDirectory() as name:
            picture = Path(name) / "pages.tif"
            first, *rest = (spoil(each).convert("RGB") for each in _drawn(path))
            first.save(picture, save_all=True, append_images=rest, compression="tiff_lzw")
            ran = run_tool("image_table", Path(name), [picture], output="json")
            return [] if ran.problem else cells_of(json.loads(ran.path.read_text()))

    return read


def _drawn(path: Path) -> Iterator[Image.Image]:
    """The document's pages, or the picture that it is."""
    if path.suffix == ".png":
        yield Image.open(path)
    else:
        yield from (look.render(path, page, _DPI) for page in range(1, look.page_count(path) + 1))


def _same(page: Image.Image) -> Image.Image:
    return page


def _spoiled(page: Image.Image) -> Image.Image:
    """Grainy, askew and packed, the same way each time."""
    askew = page.convert("RGB").rotate(_DEGREES, Image.Resampling.BICUBIC, fillcolor=(255, 255, 255))
    grain = numpy.random.default_rng(1).normal(0, _GRAIN, (askew.height, askew.width, 1))
    noisy = Image.fromarray((numpy.asarray(askew) + grain).clip(0, 255).astype(numpy.uint8))
    packed = io.BytesIO()
    noisy.save(packed, "JPEG", quality=_QUALITY)
    return Image.open(packed)


_WAYS = {"clean": _same, "spoiled": _spoiled}
