"""Gigabytes and thousands of pages through the whole product, with a slot killed on the way."""

import os
import shutil
import threading

import psutil
import pytest

from tests import look, make_big, make_broken
from tests.stack import Person, Stack, started

GIB = 1 << 30
BIG_SPLIT, BIG_MERGE, BIG_UNLOCK, PROCESSING, SUCCESS = 25, 26, 27, 2, 3


@pytest.fixture(scope="module")
def stack(tmp_path_factory):
    folder = tmp_path_factory.mktemp("big")
    if shutil.disk_usage(folder).free < 12 * GIB:
        assert not os.environ.get("CI"), "no room for the big file"
        pytest.skip("a 3 GB file, its upload and its parts need 12 GB of disk")
    with started(folder) as running:
        yield running
    shutil.rmtree(folder, ignore_errors=True)


class Peak(threading.Thread):
    """The largest resident memory of any process of the stack, looked at all the time."""

    def __init__(self, stack: Stack) -> None:
        super().__init__(daemon=True)
        self.stack, self.over, self.most = stack, threading.Event(), {}

    def run(self) -> None:
        while not self.over.wait(0.2):
            for each in self.stack.processes():
                try:
                    name = " ".join(each.cmdline()[:4])
                    self.most[name] = max(self.most.get(name, 0), each.memory_info().rss)
                except psutil.Error:
                    continue

    def __enter__(self) -> "Peak":
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.over.set()
        self.join()

    def check(self) -> None:
        assert any("cluster.worker.inside" in name for name in self.most), "nobody looked at the work"
        assert max(self.most.values()) < GIB, self.most


def worked(stack: Stack, person: Person, task: str) -> dict:
    """The task's end, after its slot was killed in the middle of its work."""
    half = person.follow(task, until=lambda state: state["progress"] > 0.3, seconds=300)
    assert half["status"] == PROCESSING, half
    assert 0.3 < half["progress"] < 1
    stack.kill("ray::Slot")
    state = person.follow(task, seconds=400)
    assert state["status"] == SUCCESS, state
    return state


@pytest.mark.timeout(1200)
def test_three_gigabytes(stack, tmp_path):
    path = make_big.big(tmp_path / "大书.pdf", pages=10_000, bytes=3_450_000_000)  # pictures come out a little smaller
    assert path.stat().st_size >= 3_000_000_000
    person = Person(stack.address)
    with Peak(stack) as peak:
        (file,) = person.upload(path)
        path.unlink()
        task = person.create(BIG_SPLIT, [file], split={"how": "into", "files": 20})["data"]["taskId"]
        state = worked(stack, person, task)
    peak.check()
    assert sum(made["pages"] for made in state["outputs"]) == 10_000
    assert len(state["outputs"]) == 20
    part = person.download(state, tmp_path / "out", index=19)
    assert look.page_count(part) == 500
    person.get("/api/task/task/deleteTask", taskId=task)


@pytest.mark.timeout(600)
def test_merge_and_unlock_go_on_after_a_slot_was_killed(stack, tmp_path):
    plain = make_big.big(tmp_path / "上册.pdf", pages=3000, bytes=700_000_000)
    person = Person(stack.address)
    with Peak(stack) as peak:
        files = person.upload(plain, make_big.many(tmp_path / "下册.pdf", 3000))
        merged = worked(stack, person, person.create(BIG_MERGE, files)["data"]["taskId"])
        locked = make_broken.encrypted(tmp_path / "锁.pdf", plain, user="")
        opened = worked(stack, person, person.create(BIG_UNLOCK, person.upload(locked), owned=True)["data"]["taskId"])
    peak.check()
    assert [made["pages"] for state in (merged, opened) for made in state["outputs"]] == [6000, 3000]
