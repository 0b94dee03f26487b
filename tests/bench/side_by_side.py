"""Ours and a peer on the same file, run alternately as whole processes: ratios and peak memory.

    rows = [side_by_side("merge 100 parts", ours("merge", files), "pdfunite", ["pdfunite", *parts, str(out)])]

A bench module is `tests/bench/bench_<subject>.py` with `rows() -> list[Row]`.
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
_LAUNCHER = Path(__file__).with_name("launch.py")
#: Runs of each side; the median stands in the table.
TIMES = int(os.environ.get("PAPERCRANE_BENCH_TIMES", "5"))


class Warm(list[str]):
    """A command of `ours(…, warm=True)`: forked from a process that has the libraries, as in a slot."""


Command = Sequence[str | Path]


@dataclass(frozen=True)
class Spent:
    """One finished process: wall seconds and peak resident memory."""

    seconds: float
    mb: float


@dataclass(frozen=True)
class Row:
    """One line of the table; `ratio` below 1 means that ours is faster."""

    work: str
    ours_seconds: float
    peer: str
    peer_seconds: float
    ratio: float
    ours_mb: float
    peer_mb: float
    note: str = ""


def side_by_side(
    work: str,
    ours: Command,
    peer_name: str,
    peer: Command,
    *,
    times: int = TIMES,
    note: str = "",
    before: Callable[[], None] | None = None,
) -> Row:
    """Run both `times` times, in turns; medians. `before` runs before each process, outside the clock."""
    spent: tuple[list[Spent], list[Spent]] = ([], [])
    for turn in range(times):
        # Who goes first changes each turn, so that neither always finds the file in a warmer cache.
        for side in (0, 1) if turn % 2 == 0 else (1, 0):
            if before:
                before()
            spent[side].append(run((ours, peer)[side]))
    mine, theirs = (statistics.median(each.seconds for each in side) for side in spent)
    peaks = [max(each.mb for each in side) for side in spent]
    return Row(work, mine, peer_name, theirs, mine / theirs, peaks[0], peaks[1], note)


def run(command: Command) -> Spent:
    """Run one command to its end; a failure stops the bench with its error text."""
    with tempfile.NamedTemporaryFile("r") as told:
        launcher = [] if isinstance(command, Warm) else [sys.executable, "-I", "-S", str(_LAUNCHER)]
        names = [str(each) for each in command]
        # A process inherits its parent's peak on exec, so a tiny launcher stands between.
        line = [*launcher, told.name, *names] if launcher else [*names[:3], told.name, *names[3:]]
        done = subprocess.run(
            line, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
        )
        if done.returncode:
            raise RuntimeError(f"{names[:6]} ended with {done.returncode}: {done.stderr[-800:]}")
        return Spent(**json.load(told))


def ours(key: str, files: Sequence[Path], folder: Path, *, warm: bool = False, **options: Any) -> list[str]:
    """The command that runs tool `key` over `files` in a fresh process, results below `folder`.

    `warm` measures the fork of a process that has the libraries: what a user waits for in service.
    """
    tail = [key, str(folder), json.dumps(options), *(str(each) for each in files)]
    if warm:
        return Warm([sys.executable, "-m", "tests.bench.warm", *tail])
    return [sys.executable, "-m", "tests.bench.one", *tail]


def table(rows: Sequence[Row]) -> str:
    """The rows in markdown."""
    head = (
        "| work | ours s | peer | peer s | ours ÷ peer | ours MB | peer MB | note |\n|---|---|---|---|---|---|---|---|"
    )
    return "\n".join([head, *(_line(row) for row in rows)])


def _line(row: Row) -> str:
    cells = (
        row.work,
        f"{row.ours_seconds:.3f}",
        row.peer,
        f"{row.peer_seconds:.3f}",
        f"**{row.ratio:.2f}**",
        f"{row.ours_mb:.0f}",
        f"{row.peer_mb:.0f}",
        row.note,
    )
    return "| " + " | ".join(cells) + " |"
