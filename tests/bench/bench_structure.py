"""Split beside qpdf, mutool and bare pikepdf.

The gigabyte of pictures is 128 MB here unless PAPERCRANE_BENCH_FULL is set.
"""

import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests import make
from tests.bench.side_by_side import Command, Row, ours, side_by_side

FULL = bool(os.environ.get("PAPERCRANE_BENCH_FULL"))
_PIKEPDF = Path(__file__).with_name("split_with_pikepdf.py")


def rows() -> Iterator[Row]:
    """One row for each piece of work and peer."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        yield from _texts(folder)
        yield from _mixed(folder)
        yield from _pictures(folder)


def _texts(folder: Path) -> Iterator[Row]:
    source = make.many(folder / "text10k.pdf")
    yield from _split(folder, source, "text10k", 100, ("qpdf", "pikepdf"))
    for slots in (1, 2):
        mine = ours("big_split", [source], folder / "out", warm=True, slots=slots, split={"how": "every", "pages": 100})
        yield side_by_side(
            "split text10k by 100, shares", mine, "qpdf", _peer("qpdf", source, folder / "out", 100),
            before=lambda: _fresh(folder / "out"), note=f"warm, slots: {slots}",
        )  # fmt: skip
    yield from _split(folder, source, "text10k", 1, ("qpdf",))


def _mixed(folder: Path) -> Iterator[Row]:
    source = make.mixed(folder / "mixed2k.pdf")
    yield from _split(folder, source, "mixed2k", 100, ("qpdf", "pikepdf", "mutool"))


def _pictures(folder: Path) -> Iterator[Row]:
    source = make.img(folder / "img.pdf", (1 << 30) if FULL else (128 << 20))
    name = "img1g" if FULL else "img128m"
    yield from _split(folder, source, name, 16, ("qpdf", "pikepdf", "mutool"))
    # A warm process begins with its parent's libraries in memory: the peak is told by a fresh one.
    yield from _split(folder, source, name, 16, ("qpdf",), warm=False)


def _split(
    folder: Path, source: Path, name: str, step: int, peers: tuple[str, ...], *, warm: bool = True
) -> Iterator[Row]:
    out = folder / "out"
    mine = ours("split", [source], out, warm=warm, split={"how": "every", "pages": step})
    for peer in peers:
        yield side_by_side(
            f"split {name} by {step}",
            mine,
            peer,
            _peer(peer, source, out, step),
            before=lambda: _fresh(out),
            note="warm" if warm else "fresh process",
        )


def _peer(name: str, source: Path, out: Path, step: int) -> Command:
    if name == "qpdf":
        return ["qpdf", f"--split-pages={step}", source, out / "part.pdf"]
    if name == "pikepdf":
        return _pikepdf(source, out, step, 0, 0)
    # mutool has no split: one run for each part.
    loop = 'n=$(mutool info "$1" | sed -n "s/^Pages: //p"); for a in $(seq 1 "$3" "$n"); do b=$((a + $3 - 1)); '
    loop += '[ "$b" -gt "$n" ] && b=$n; mutool clean "$1" "$2/$a.pdf" "$a-$b" || exit 1; done'
    return ["sh", "-c", loop, "sh", source, out, str(step)]


def _pikepdf(source: Path, out: Path, step: int, start: int, stop: int) -> Command:
    return [sys.executable, _PIKEPDF, source, out, str(step), str(start), str(stop)]


def _fresh(out: Path) -> None:
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir()
