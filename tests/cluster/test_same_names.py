"""Trouble with one of several files of the same name is told of the right one."""

import secrets
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from cluster import queue
from cluster.store import Stat, store
from cluster.task import Input, Status, Task, Trouble
from cluster.worker.perform import perform
from cluster.worker.sandbox import Sandbox
from tests import make
from tests.running import tool


@pytest.fixture(scope="module")
def box(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sandbox]:
    made = Sandbox(tmp_path_factory.mktemp("job"), "cluster.worker.inside", ("quick",))
    yield made
    made.kill()


def stored(path: Path) -> Stat:
    """A copy in the store, which takes the file it is given away."""
    copy = shutil.copy(path, path.with_suffix(".copy"))
    return store().put(f"uploads/x/y/{secrets.token_hex(8)}", copy)


def merged(box: Sandbox, *paths: Path) -> Task:
    """The ended task that merges the files, each of which its owner calls scan.pdf."""
    lane, kept = secrets.token_hex(4), [stored(path) for path in paths]
    task = Task(
        id=secrets.token_hex(20),
        owner="x",
        tool=tool("merge").id,
        lane=lane,
        rank="guest",
        language="en",
        options={},
        inputs=tuple(Input(each.key, "scan.pdf", each.size, each.etag) for each in kept),
        status=Status.BE_QUEUING,
        parts=1,
        created=queue.now_ms(),
    )
    queue.put(task)
    held = queue.claim(lane, "one")
    assert held
    perform(held, "one", box)
    found = queue.find(task.id)
    assert found
    return found


def trouble(box: Sandbox, *paths: Path) -> Trouble:
    found = merged(box, *paths).trouble
    assert found
    return found


@pytest.fixture
def sound(tmp_path: Path) -> Path:
    return make.text(tmp_path / "sound.pdf")


def test_the_second_is_locked(box: Sandbox, tmp_path: Path, sound: Path):
    found = trouble(box, sound, make.encrypted(tmp_path / "locked.pdf", sound), sound)
    assert (found.reason, found.input, dict(found.facts)) == ("password_required", 1, {"file": "scan.pdf"})


def test_the_last_is_damaged(box: Sandbox, tmp_path: Path, sound: Path):
    found = trouble(box, sound, sound, make.truncated(tmp_path / "cut.pdf", sound, 0.1))
    assert (found.reason, found.input) == ("damaged_file", 2)


def test_the_second_is_something_else(box: Sandbox, tmp_path: Path, sound: Path):
    (tmp_path / "text.pdf").write_text("only text")
    found = trouble(box, sound, tmp_path / "text.pdf")
    assert (found.reason, found.input) == ("not_supported_type", 1)
