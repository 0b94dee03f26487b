"""Arrange's presets: what was scanned in two goes, booklets, odd before even, copies."""

from pathlib import Path

import pytest

from cluster.board import Run
from tests import look, make
from tests.running import run_tool


def numbers(path: Path) -> list[int]:
    """The number of the page that each page was; 0 for a blank one."""
    texts = [text.split("marker-") for text in look.texts_of(path)]
    return [int(parts[1][:6]) if len(parts) > 1 else 0 for parts in texts]


@pytest.mark.parametrize(
    ("pages", "options", "expected"),
    [
        (3, {}, [1, 2, 3]),
        (3, {"preset": "reverse"}, [3, 2, 1]),
        (6, {"preset": "interleave"}, [1, 4, 2, 5, 3, 6]),
        (5, {"preset": "interleave"}, [1, 4, 2, 5, 3]),
        (6, {"preset": "duplex"}, [1, 6, 2, 5, 3, 4]),
        (8, {"preset": "booklet"}, [8, 1, 2, 7, 6, 3, 4, 5]),
        (5, {"preset": "booklet"}, [0, 1, 2, 0, 0, 3, 4, 5]),
        (5, {"preset": "odd_even"}, [1, 3, 5, 2, 4]),
        (2, {"preset": "repeat", "times": 3}, [1, 2, 1, 2, 1, 2]),
        (4, {"preset": "reverse", "board": [{"kind": "pages", "first": 2, "last": 4}]}, [4, 3, 2]),
    ],
)
def test_presets(tmp_path: Path, pages: int, options: dict[str, object], expected: list[int]) -> None:
    ran = run_tool("arrange", tmp_path / "ran", [make.text(tmp_path / "t.pdf", pages)], **options)
    assert ran.problem is None, ran.problem
    assert numbers(ran.path) == expected
    assert ran.noted("pages_arranged") == {"count": len(expected)}


def test_two_files_stand_one_after_the_other(tmp_path: Path) -> None:
    files = [make.text(tmp_path / f"{count}.pdf", count) for count in (2, 3)]
    ran = run_tool("arrange", tmp_path / "ran", files)
    assert numbers(ran.path) == [1, 2, 1, 2, 3]
    back = [{"kind": "pages", "file": 1, "first": 3, "last": 1}, {"kind": "pages", "first": 1, "last": 1, "turn": 90}]
    assert numbers(run_tool("arrange", tmp_path / "back", files, board=back).path) == [3, 2, 1, 1]


def test_what_is_not_there_is_named(tmp_path: Path) -> None:
    file = make.text(tmp_path / "t.pdf", 2)
    for board, reason in (
        ([{"first": 1, "last": 3}], "page_range_invalid"),
        ([{"file": 1, "first": 1, "last": 1}], "option_invalid"),
    ):
        runs = [{"kind": "pages", **run} for run in board]
        found = run_tool("arrange", tmp_path / reason, [file], board=runs).problem
        assert found and found.reason == reason
    assert list(Run(first=3, last=1).pages()) == [3, 2, 1]
