"""A part whose native code crashes three times: the input's trouble when it is damaged, ours when it is sound."""

import secrets
from collections.abc import Iterator
from pathlib import Path

import pytest

from cluster import queue
from cluster.store import store
from cluster.task import CLAIMS, Input, Status, Task
from cluster.worker.perform import perform
from cluster.worker.sandbox import Sandbox
from tests import make
from tests.cluster.boxed import boxed


@pytest.fixture(scope="module")
def box(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sandbox]:
    with boxed(tmp_path_factory.mktemp("job"), "tests.cluster.misbehave") as made:
        yield made


def crashed(box: Sandbox, path: Path) -> Task:
    """The task after its part crashed as often as it may."""
    key, lane = f"uploads/x/y/{secrets.token_hex(8)}", secrets.token_hex(4)
    kept = store().put(key, path)
    task = Task(
        id=secrets.token_hex(20),
        owner="x",
        tool=9001,
        lane=lane,
        rank="guest",
        language="en",
        options={"do": "crash"},
        inputs=(Input(key, "a.pdf", kept.size, kept.etag),),
        status=Status.BE_QUEUING,
        parts=1,
        created=queue.now_ms(),
    )
    queue.put(task)
    for _ in range(CLAIMS):
        held = queue.claim(lane, "one")
        assert held
        perform(held, "one", box)
    found = queue.find(task.id)
    assert found
    return found


def test_a_damaged_file_that_crashes_is_said_to_be_damaged(box, tmp_path):
    ended = crashed(box, make.truncated(tmp_path / "a.pdf", make.text(tmp_path / "whole.pdf"), 0.6))
    assert ended.status is Status.FAIL
    assert (ended.trouble.reason, ended.trouble.facts) == ("damaged_file", {"file": "a.pdf"})


def test_a_sound_file_that_crashes_is_our_trouble(box, tmp_path):
    ended = crashed(box, make.text(tmp_path / "a.pdf"))
    assert (ended.status, ended.trouble.reason) == (Status.ABNORMAL, "internal")
