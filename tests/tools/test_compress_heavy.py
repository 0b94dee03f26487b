"""Compress ends in seconds with a reason where no reader could draw the page, and goes on where it could."""

import time
from pathlib import Path
from typing import Any

import pytest

from tests import make_heavy
from tests.running import run_tool
from tests.two_readers import drift


@pytest.mark.parametrize(
    "make, options",
    [
        (make_heavy.nested, {}),
        (make_heavy.drawing_itself, {}),
        (make_heavy.swollen, {}),
        (lambda path: make_heavy.swollen(path, in_form=True), {"level": "light"}),
        (make_heavy.swollen, {"gray": True}),
        (make_heavy.nested, {"level": "target"}),
    ],
    ids=["nested forms", "a form in itself", "page", "form", "in gray", "to a size"],
)
def test_what_nobody_can_draw_is_told_in_seconds(tmp_path: Path, make: Any, options: dict[str, Any]) -> None:
    source = make(tmp_path / "a.pdf")
    started = time.monotonic()
    problem = run_tool("compress", tmp_path / "run", [source], **options).problem
    assert problem is not None
    assert problem.reason == "too_large_when_opened"
    assert time.monotonic() - started < 20


def test_a_form_that_draws_itself_once_is_no_harm(tmp_path: Path) -> None:
    source = make_heavy.drawing_itself(tmp_path / "a.pdf", times=1)
    assert drift(source, run_tool("compress", tmp_path / "run", [source]).path) < 1


def test_a_thousand_small_forms_are_drawn(tmp_path: Path) -> None:
    source = make_heavy.nested(tmp_path / "a.pdf", levels=3)
    assert drift(source, run_tool("compress", tmp_path / "run", [source]).path) < 1
