"""Merge beside qpdf, mutool and pikepdf: many texts, shared fonts and forms, 1 GB of pictures.

The parts of *mixed2k* are cut by qpdf, so that every merger reads the same plain files.
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from tests import make_big
from tests.bench.side_by_side import Row, ours, side_by_side

#: Size of the pictures: 1024 gives the whole row, less a quick look.
MIB = int(os.environ.get("PAPERCRANE_BENCH_MIB", "1024"))
#: What a peer leaves out of *mixed2k*, which ours carries: 2,000 links, 400 fields, 400 notes.
_LOSSES = {"mutool": "drops every link, field, note and bookmark", "pikepdf": "drops the form"}
_PIKEPDF = """
import sys, pikepdf
made, held = pikepdf.Pdf.new(), []
for name in sys.argv[2:]:
    held.append(pikepdf.open(name))
    made.pages.extend(held[-1].pages)
made.save(sys.argv[1])
"""


def rows() -> Iterator[Row]:
    """Three sets of parts, the last as big merge takes it, three peers; ours forks from a warm process."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for work, parts in _sets(folder):
            key = work.partition(" ")[0]
            for peer, command in _peers(parts, folder / "peer.pdf").items():
                mine = ours(key, parts, folder / "ours", warm=True)
                yield side_by_side(work, mine, peer, command, note=_LOSSES.get(peer, ""), before=_fresh(folder))
            for part in parts:
                part.unlink()


def _sets(folder: Path) -> Iterator[tuple[str, list[Path]]]:
    yield "merge text10k from 100", _cut(make_big.many(folder / "text.pdf"), folder / "text", 100)
    yield "merge mixed2k from 20", _cut(make_big.mixed(folder / "mixed.pdf"), folder / "mixed", 100)
    (folder / "img").mkdir()
    size = (MIB << 20) // 63
    img = [make_big.big(folder / "img" / f"{number:02}.pdf", max(1, size >> 20), size) for number in range(63)]
    yield f"big_merge img {MIB} MiB from 63", img


def _cut(source: Path, folder: Path, pages: int) -> list[Path]:
    folder.mkdir()
    subprocess.run(["qpdf", f"--split-pages={pages}", source, folder / "%d.pdf"], check=True)
    source.unlink()
    return sorted(folder.iterdir())


def _peers(parts: list[Path], made: Path) -> dict[str, list[str | Path]]:
    return {
        "qpdf": ["qpdf", "--empty", "--pages", *parts, "--", made],
        "mutool": ["mutool", "merge", "-o", made, *parts],
        "pikepdf": [sys.executable, "-c", _PIKEPDF, made, *parts],
    }


def _fresh(folder: Path) -> Callable[[], None]:
    """Remove results: overwriting a large file costs what creating one does not."""

    def remove() -> None:
        for path in (folder / "peer.pdf", *(folder / "ours").glob("**/out/*.pdf")):
            path.unlink(missing_ok=True)

    return remove
