"""No process of ours grows with the work that it does: a short soak; `tests.bench.load soak` is the long one."""

from pathlib import Path

from tests.bench.load.soak import WATCHED, memory, visit
from tests.make import text
from tests.stack import Stack

#: Visitors who warm everything up, and those during whom it is watched.
WARM, WATCHED_VISITS = 3, 8
#: MiB: an allocator takes its memory in steps of one or two.
MOST = 12


def test_memory_stays_flat(stack: Stack, tmp_path: Path) -> None:
    file = text(tmp_path / "a.pdf", 3)
    for _ in range(WARM):
        visit(stack, file, tmp_path)
    before = memory(stack)
    for _ in range(WATCHED_VISITS):
        visit(stack, file, tmp_path)
    after = memory(stack)
    assert all(before[name] > 1 for name in WATCHED.values()), before
    grown = {name: after[name] - before[name] for name in WATCHED.values() if after[name] - before[name] > MOST}
    assert grown == {}, (before, after)
