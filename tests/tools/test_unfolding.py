"""Small files that no reader can draw: a reason in seconds where pages are drawn, and work as usual where not."""

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests import make_broken
from tests.running import run_tool, tool

TRAPS = [make_broken.drawing_itself, make_broken.nested_forms, make_broken.endless_content]
#: CPU; decoding to the bound takes two, on a machine as busy as it may be.
SECONDS = 10


@pytest.mark.parametrize("draw", TRAPS, ids=lambda draw: draw.__name__)
def test_what_cannot_be_drawn_is_told_in_seconds(tmp_path: Path, draw: Callable[[Path], Path]):
    path = draw(tmp_path / "trap.pdf")
    for key in ("watermark", "compress", "pdf_to_image"):
        began = time.process_time()
        problem = run_tool(key, tmp_path / key, [path], **tool(key).example).problem
        assert problem and problem.reason == "too_large_when_opened", key
        assert time.process_time() - began < SECONDS, key


@pytest.mark.parametrize("draw", TRAPS, ids=lambda draw: draw.__name__)
def test_pages_that_need_no_drawing_are_turned(tmp_path: Path, draw: Callable[[Path], Path]):
    assert run_tool("rotate", tmp_path, [draw(tmp_path / "trap.pdf")]).problem is None


def test_forms_as_people_have_them_are_drawn(tmp_path: Path):
    """Ten levels deep, a thousand symbols, and one that draws itself once, which readers stop."""
    paths = [
        make_broken.nested_forms(tmp_path / "deep.pdf", 10, 1),
        make_broken.nested_forms(tmp_path / "wide.pdf", 1, 1000),
        make_broken.drawing_itself(tmp_path / "once.pdf", 1),
    ]
    ran = run_tool("watermark", tmp_path / "marked", paths, **tool("watermark").example)
    assert (ran.problem, len(ran.outputs)) == (None, 3)
