"""Big unlock: what unlock does, for more pages, with little memory and real progress."""

from pathlib import Path

import pikepdf

from cluster.tools import big_unlock, unlock
from tests import make_big, make_broken
from tests.bench.side_by_side import ours, run
from tests.running import run_tool


def test_it_is_unlock_with_bounds_of_its_own(tmp_path: Path) -> None:
    assert big_unlock.TOOL.options is unlock.TOOL.options
    file = make_broken.encrypted(tmp_path / "l.pdf", make_big.big(tmp_path / "p.pdf", 20, 2 << 20))
    small, big = (
        run_tool(key, tmp_path / key, [file], passwords={0: "secret"}, owned=True) for key in ("unlock", "big_unlock")
    )
    assert big.path.read_bytes() == small.path.read_bytes()
    assert big.notes == small.notes


def test_memory_does_not_grow_with_the_file_and_progress_moves(tmp_path: Path) -> None:
    peaks = []
    for name, size in (("s", 8 << 20), ("l", 200 << 20)):
        plain = make_big.big(tmp_path / f"{name}.pdf", 400, size)
        locked = make_broken.encrypted(tmp_path / f"{name}.locked.pdf", plain, user="")
        peaks.append(run(ours("big_unlock", [locked], tmp_path / name, owned=True)).mb)
    assert peaks[1] < peaks[0] + 20
    ran = run_tool("big_unlock", tmp_path / "again", [locked], owned=True)
    told = [done / total for done, total, stage in ran.steps if stage == "writing"]
    assert len(told) > 10
    assert told == sorted(told)
    assert sum(0.2 < share < 0.8 for share in told) > 4
    with pikepdf.open(ran.path) as made, pikepdf.open(plain) as before:
        assert len(made.pages) == 400
        pictures = [pdf.pages[399].Resources.XObject.Im0.read_raw_bytes() for pdf in (made, before)]
        assert pictures[0] == pictures[1]
