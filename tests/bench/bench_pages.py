"""Extract, delete, insert and uniform width beside those who can do the like: qpdf, mutool, pikepdf, PyMuPDF."""

import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from tests import make_big
from tests.bench.side_by_side import Command, Row, ours, side_by_side

_PIKEPDF = Path(__file__).with_name("split_with_pikepdf.py")
#: Pages drawn anew at one width: what PyMuPDF's own guide tells to do.
_PYMUPDF = """
import sys, pymupdf
made, source = pymupdf.open(), pymupdf.open(sys.argv[1])
for page in source:
    height = page.rect.height * 420 / page.rect.width
    made.new_page(width=420, height=height).show_pdf_page(pymupdf.Rect(0, 0, 420, height), source, page.number)
made.save(sys.argv[2])
"""
_NO_LINKS = "the peer drops every link, field, note and bookmark"


class Act(NamedTuple):
    """One piece of work: the tool, its files and options, and the command of each peer."""

    key: str
    files: list[Path]
    options: dict[str, Any]
    peers: dict[str, Command]


def rows() -> Iterator[Row]:
    """As a slot runs them: forked from a process that has the libraries."""
    with tempfile.TemporaryDirectory() as name:
        folder, out = Path(name), Path(name) / "out"
        for source in (make_big.mixed(folder / "mixed2k.pdf"), make_big.many(folder / "text10k.pdf")):
            for act in _acts(source, folder, out / "peer.pdf"):
                mine = ours(act.key, act.files, out, warm=True, **act.options)
                for peer, command in act.peers.items():
                    note = _NO_LINKS if peer in ("mutool", "pymupdf") and source.stem == "mixed2k" else ""
                    yield side_by_side(
                        f"{act.key} {source.stem}", mine, peer, command, before=lambda: _fresh(out), note=note, times=3
                    )


def _acts(source: Path, folder: Path, made: Path) -> Iterator[Act]:
    other, pikepdf = make_big.many(folder / "other.pdf", 100), [sys.executable, _PIKEPDF, source, made.parent]
    yield Act(
        "extract", [source], {"pages": "1001-1100"},
        {
            "mutool": ["mutool", "clean", source, made, "1001-1100"],
            "qpdf": ["qpdf", source, "--pages", ".", "1001-1100", "--", made],
            "pikepdf": [*pikepdf, "100", "1000", "1100"],
        },
    )  # fmt: skip
    yield Act(
        "delete", [source], {"pages": "1001-1100"},
        {
            "qpdf": ["qpdf", source, "--pages", ".", "1-1000,1101-z", "--", made],
            "mutool": ["mutool", "clean", source, made, "1-1000,1101-N"],
        },
    )  # fmt: skip
    yield Act(
        "insert", [source, other], {"where": "after", "page": 1000},
        {"qpdf": ["qpdf", source, "--pages", ".", "1-1000", other, ".", "1001-z", "--", made]},
    )  # fmt: skip
    yield Act("uniform_width", [source], {"width": "a5"}, {"pymupdf": [sys.executable, "-c", _PYMUPDF, source, made]})


def _fresh(out: Path) -> None:
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir()
