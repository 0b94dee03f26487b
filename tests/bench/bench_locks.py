"""Encrypt and unlock beside qpdf and mutool: many texts, and 1 GB of pictures for big unlock.

PAPERCRANE_BENCH_MIB: size of the pictures, less for a quick look.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests import make_big
from tests.bench.side_by_side import Command, Row, ours, side_by_side

MIB = int(os.environ.get("PAPERCRANE_BENCH_MIB", "1024"))
_PIKEPDF = "import sys, pikepdf; pikepdf.open(sys.argv[1]).save(sys.argv[2])"


def rows() -> Iterator[Row]:
    """AES-256; what is unlocked opens without a password. The big one runs in a fresh process."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        out = folder / "out"
        yield from _pictures(folder, out)
        text = make_big.many(folder / "text10k.pdf")
        lock: Command = ["qpdf", "--encrypt", "secret", "owner", "256", "--", text, out / "peer.pdf"]
        mine = ours("encrypt", [text], out, warm=True, password="secret")
        yield side_by_side("encrypt text10k", mine, "qpdf", lock, before=lambda: _fresh(out), note="warm")
        yield from _unlock("unlock", "text10k", _locked(text), out, warm=True)


def _pictures(folder: Path, out: Path) -> Iterator[Row]:
    plain = make_big.img(folder / "img.pdf", MIB << 20)
    locked = _locked(plain)
    plain.unlink()
    yield from _unlock("big_unlock", f"img {MIB} MiB", locked, out, warm=False)
    locked.unlink()


def _unlock(key: str, name: str, locked: Path, out: Path, *, warm: bool) -> Iterator[Row]:
    mine, made = ours(key, [locked], out, warm=warm, owned=True), out / "peer.pdf"
    peers: dict[str, Command] = {
        "qpdf": ["qpdf", "--decrypt", locked, made],
        "mutool": ["mutool", "clean", "-D", locked, made],
        "pikepdf": [sys.executable, "-c", _PIKEPDF, locked, made],
    }
    for peer, command in peers.items():
        note = "warm" if warm else "fresh process"
        yield side_by_side(f"{key} {name}", mine, peer, command, before=lambda: _fresh(out), note=note, times=3)


def _locked(plain: Path) -> Path:
    made = plain.with_suffix(".locked.pdf")
    subprocess.run(["qpdf", "--encrypt", "", "owner", "256", "--", plain, made], check=True)
    return made


def _fresh(out: Path) -> None:
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir()
