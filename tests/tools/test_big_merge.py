"""Big merge: what merge does, for more pages, with little memory and real progress."""

from pathlib import Path

from cluster.tools import big_merge, merge
from tests import look, make_big, make_broken
from tests.bench.side_by_side import ours, run
from tests.running import run_tool


def test_it_is_merge_with_bounds_of_its_own(tmp_path: Path) -> None:
    assert big_merge.TOOL.options is merge.TOOL.options
    assert big_merge.TOOL.accepts == merge.TOOL.accepts
    plain = make_big.big(tmp_path / "p.pdf", 120, 2 << 20)
    files = [plain, make_broken.encrypted(tmp_path / "l.pdf", plain)]
    wishes = {"ranges": ["", "1-3"], "outline": "both", "contents": True}
    small, big = (
        run_tool(key, tmp_path / key, files, passwords={1: "secret"}, **wishes) for key in ("merge", "big_merge")
    )
    assert big.path.read_bytes() == small.path.read_bytes()
    assert big.notes == small.notes
    assert look.page_count(big.path) == 1 + 120 + 3


def test_more_pages_than_merge_takes(tmp_path: Path) -> None:
    plain = make_big.big(tmp_path / "p.pdf", 200, 1 << 20)
    ranges = [",".join(["1-200"] * 101)]
    refused = run_tool("merge", tmp_path / "merge", [plain], ranges=ranges).problem
    assert refused is not None and (refused.reason, refused.facts["limit"]) == ("too_many_pages", 20_000)
    assert run_tool("big_merge", tmp_path / "big", [plain], ranges=ranges).outputs[0].pages == 20_200


def test_memory_does_not_grow_with_the_files_and_progress_moves(tmp_path: Path) -> None:
    peaks = []
    for name, size in (("s", 4 << 20), ("l", 100 << 20)):
        files = [make_big.big(tmp_path / f"{name}{number}.pdf", 200, size + number) for number in range(2)]
        peaks.append(run(ours("big_merge", files, tmp_path / name)).mb)
    assert peaks[1] < peaks[0] + 20
    ran = run_tool("big_merge", tmp_path / "again", files)
    told = [done / total for done, total, stage in ran.steps if stage == "working"]
    assert len(told) > 10
    assert told == sorted(told)
    assert sum(0.1 < share < 0.4 for share in told) > 2
    assert sum(0.6 < share < 0.9 for share in told) > 2
    assert look.page_count(ran.path) == 400
