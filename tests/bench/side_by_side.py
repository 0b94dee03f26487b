"""Ours and a peer on the same file, run alternately as whole processes: ratios and peak memory.

    rows = [side_by_side("merge 100 parts", ours("merge", files), "pdfunite", ["pdfunite", *parts, str(out)])]

A bench module is `tests/bench/bench_<subject>.py` with `rows() -> Iterator[Row]`, which yields each as it is measured.
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
_LAUNCHER = Path(__file__).with_name("launch.py")
#: Runs of each side; the median stands in the table.
TIMES = int(os.environ.get("PAPERCRANE_BENCH_TIMES", "5"))


#: Seconds after which a row does not begin another turn.
_PATIENCE = 60.0
_DAY = 86_400.0
#: Where Python's bytecode lies: an installation has it, so that only a first turn should compile, which no median sees.
_BYTECODE = tempfile.TemporaryDirectory(prefix="papercrane-bytecode-")
_ends = float("inf")


class OutOfTime(Exception):
    """The subject's time is over; says during what."""


def begin(seconds: float) -> None:
    """From now on commands may run for so many seconds in all."""
    global _ends
    _ends = time.monotonic() + seconds


def seconds_left(during: str) -> float:
    """Seconds that commands of this subject may still take. Raises OutOfTime when there are none."""
    left = min(_ends - time.monotonic(), _DAY)
    if left <= 0:
        raise OutOfTime(during)
    return left


class Warm(list[str]):
    """A command of `ours(…, warm=True)`: forked from a process that has the libraries, as in a slot."""


Command = Sequence[str | Path]


@dataclass(frozen=True)
class Spent:
    """One finished process: seconds by the clock, peak resident memory, seconds of all cores."""

    seconds: float
    mb: float
    cpu: float = 0.0


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
    ours_cpu: float = 0.0
    peer_cpu: float = 0.0

    @property
    def cpu_ratio(self) -> float:
        """Of the seconds of all cores; 0 where they were not taken."""
        return self.ours_cpu / self.peer_cpu if self.peer_cpu else 0.0


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
    """Run both `times` times, in turns; medians. `before` runs before each process, outside the clock.

    The ratio is the clock's. A row that takes long has fewer turns.
    """
    spent: tuple[list[Spent], list[Spent]] = ([], [])
    begun = time.monotonic()
    for turn in range(times):
        if turn and time.monotonic() - begun > _PATIENCE:
            break
        # Who goes first changes each turn, so that neither always finds the file in a warmer cache.
        for side in (0, 1) if turn % 2 == 0 else (1, 0):
            if before:
                before()
            spent[side].append(run((ours, peer)[side]))
    mine, theirs = (statistics.median(each.seconds for each in side) for side in spent)
    peaks = [max(each.mb for each in side) for side in spent]
    cpu = [statistics.median(each.cpu for each in side) for side in spent]
    return Row(work, mine, peer_name, theirs, mine / theirs, *peaks, note, *cpu)


def two_slots(key: str, files: Sequence[Path], **options: Any) -> Row:
    """How two slots share the work on files: beside one slot that takes them one after the other; 0.5 is ideal."""
    with tempfile.TemporaryDirectory() as name:
        mine, alone = (ours(key, files, Path(name), warm=True, slots=slots, **options) for slots in (2, 1))
        return side_by_side(f"{key}, {len(files)} files on two slots", mine, "one slot", alone, times=3)


def run(command: Command) -> Spent:
    """Run one command to its end; a failure stops the bench with its error text."""
    with tempfile.NamedTemporaryFile("r") as told:
        launcher = [] if isinstance(command, Warm) else [sys.executable, "-I", "-S", str(_LAUNCHER)]
        names = [str(each) for each in command]
        # A process inherits its parent's peak on exec, so a tiny launcher stands between.
        line = [*launcher, told.name, *names] if launcher else [*names[:3], told.name, *names[3:]]
        during = " ".join(names[:6])
        try:
            done = subprocess.run(
                line, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                text=True, timeout=seconds_left(during), env=_environment(),
            )  # fmt: skip
        except subprocess.TimeoutExpired as late:
            raise OutOfTime(during) from late
        if done.returncode:
            raise RuntimeError(f"{names[:6]} ended with {done.returncode}: {done.stderr[-800:]}")
        return Spent(**json.load(told))


def _environment() -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return kept | {"PYTHONPYCACHEPREFIX": _BYTECODE.name}


def ours(
    key: str, files: Sequence[Path], folder: Path, *, warm: bool = False, slots: int = 1, **options: Any
) -> list[str]:
    """The command that runs tool `key` over `files` in a fresh process, results below `folder`.

    `warm` measures the fork of a process that has the libraries: what a user waits for in service; `slots` of them
    share the shares of a planned tool.
    """
    tail = [key, str(folder), json.dumps(options), *(str(each) for each in files)]
    if warm:
        return Warm([sys.executable, "-m", "tests.bench.warm", str(slots), *tail])
    return [sys.executable, "-m", "tests.bench.one", *tail]


HEAD = (
    "| work | ours s (CPU) | peer | peer s (CPU) | ours ÷ peer | ours MB | peer MB | note |\n"
    "|---|---|---|---|---|---|---|---|"
)


def line(row: Row) -> str:
    """The row in markdown."""
    cells = (
        row.work,
        _took(row.ours_seconds, row.ours_cpu),
        row.peer,
        _took(row.peer_seconds, row.peer_cpu),
        f"**{row.ratio:.2f}**" + (f" ({row.cpu_ratio:.2f})" if row.peer_cpu else ""),
        f"{row.ours_mb:.0f}",
        f"{row.peer_mb:.0f}",
        row.note,
    )
    return "| " + " | ".join(cells) + " |"


def _took(seconds: float, cpu: float) -> str:
    return f"{seconds:.3f}" + (f" ({cpu:.2f})" if cpu else "")
