"""Memory of each process over a soak: visitors come, upload, ask, make tasks that slots end, and are swept away.

Ten minutes by hand (PAPERCRANE_SOAK_SECONDS=600); tests/cluster/test_soak.py does a short one in each run.
"""

import os
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager
from pathlib import Path

import psutil

from tests.make import text
from tests.stack import Person, Stack, started

ROTATE, SUCCESS, MIB = 16, 3, 1 << 20
#: What is watched: a word of its command line, and its name in the table.
WATCHED = {"-m api": "api", "redis-server": "redis", "ray::Slot": "a slot", "cluster.worker.inside": "a sandbox"}


def rows() -> Iterator[str]:
    seconds = float(os.environ.get("PAPERCRANE_SOAK_SECONDS", "60"))
    with tempfile.TemporaryDirectory() as name, _stack(name) as stack:
        yield "| process | MiB after a fifth | at the end | tasks |"
        yield "|---|---|---|---|"
        first, last, tasks = soak(stack, Path(name), seconds)
        for process in WATCHED.values():
            yield f"| {process} | {first[process]:.0f} | {last[process]:.0f} | {tasks} |"


def _stack(folder: str) -> AbstractContextManager[Stack]:
    # One address uploads as often as a town does.
    return started(Path(folder) / "data", PAPERCRANE_SLOTS="quick=2", PAPERCRANE_API_ADDRESS_GRANTS="1000000")


def soak(stack: Stack, folder: Path, seconds: float) -> tuple[Mapping[str, float], Mapping[str, float], int]:
    """Work for so long; MiB of the processes after a fifth of it (they are warm then) and at the end, and the tasks."""
    file, began, tasks = text(folder / "a.pdf", 3), time.monotonic(), 0
    first: Mapping[str, float] = {}
    while (now := time.monotonic() - began) < seconds:
        if not first and now > seconds / 5:
            first = memory(stack)
        tasks += visit(stack, file, folder)
    return first or memory(stack), memory(stack), tasks


def visit(stack: Stack, file: Path, folder: Path) -> int:
    """One visitor from coming to going; how many tasks it was."""
    person = Person(stack.address)
    (given,) = person.upload(file)
    tasks = [person.create(ROTATE, [given], turn=turn)["data"]["taskId"] for turn in (1, 2, 3)]
    for task in tasks:
        done = person.follow(task)
        assert done["status"] == SUCCESS, done
        person.download(done, folder / "saved")
    for task in tasks:
        person.get("/api/task/task/deleteTask", taskId=task)
    return len(tasks)


def memory(stack: Stack) -> Mapping[str, float]:
    """MiB that each kind of process alone holds, the largest of its kind."""
    found = {}
    for words, name in WATCHED.items():
        sizes = [
            each.memory_full_info().uss for each in stack.processes(words) if each.status() != psutil.STATUS_ZOMBIE
        ]
        found[name] = max(sizes, default=0) / MIB
    return found
