"""A part that breeds processes or files is ended at once, takes nobody with it, and is not tried again."""

import os
import secrets
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from cluster import queue
from cluster.settings import settings
from cluster.store import store
from cluster.task import Input, Status
from cluster.worker import quota
from cluster.worker.perform import perform
from cluster.worker.sandbox import Sandbox
from cluster.worker.scratch import empty
from tests.cluster.boxed import boxed
from tests.cluster.queued import claimed, make
from tests.cluster.test_sandbox import HERE, run, said
from tests.stack import wait_for


@pytest.fixture
def box(tmp_path: Path) -> Iterator[Sandbox]:
    (tmp_path / "job").mkdir()
    made = Sandbox(tmp_path / "job", "tests.cluster.misbehave", ("heavy",), readable=(HERE.parent,))
    yield made
    made.kill()


@pytest.mark.parametrize(
    ("deed", "what"),
    [
        (("breed",), "processes"),
        (("litter", "/tmp"), "files"),
        (("hoard",), "bytes"),
        (("hide",), "files"),
    ],
    ids=lambda each: "-".join(each) if isinstance(each, tuple) else None,
)
def test_what_is_too_much_ends(box: Sandbox, deed: tuple[str, ...], what: str) -> None:
    before = len(psutil.pids())
    ended = run(box, *deed)
    assert (ended.over, ended.status, ended.answer) == (what, -9, None)
    assert len(psutil.pids()) < before + 100
    empty(box.folder)  # as a slot does between two parts
    assert run(box, "refuse").answer["reason"] == "damaged_file", "the next part works"


def test_files_are_counted_at_any_depth_and_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(quota, "FILES", 20)
    deep = tmp_path / "/".join("abcdefgh")
    deep.mkdir(parents=True)
    (deep / "big").write_bytes(bytes(1 << 20))
    for number in range(5):
        (tmp_path / str(number)).hardlink_to(deep / "big")
    assert quota.Watch(tmp_path, (), 2 << 20, alone=False).over() is None
    assert quota.Watch(tmp_path, (), 1 << 19, alone=False).over() == "bytes"
    for number in range(5, 12):
        (deep / str(number)).touch()
    watch = quota.Watch(tmp_path, (), 2 << 20, alone=False)
    assert watch.over() == "files"
    assert watch.over() is None, "it looks now and then, not always"


def test_it_is_the_inputs_trouble_and_not_tried_again(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("some words")
    kept = store().put(f"uploads/me/g/{secrets.token_hex(8)}", tmp_path / "a.txt")
    files = (Input(kept.key, "小.txt", kept.size, kept.etag),)
    task = replace(make(secrets.token_hex(4)), tool=9001, options={"do": "hoard"}, inputs=files)
    with boxed(tmp_path / "job", "tests.cluster.misbehave") as box:
        queue.put(task)
        perform(claimed(task.lane), "one", box)
    ended = queue.find(task.id)
    assert ended and ended.trouble
    assert (ended.status, ended.trouble.reason, ended.trouble.facts) == (
        Status.FAIL,
        "too_large_when_opened",
        {"file": "小.txt"},
    )


@pytest.fixture
def group(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A control group of our own, by v2 or by v1."""
    for root in (Path("/sys/fs/cgroup"), Path("/sys/fs/cgroup/pids")):
        own = root / f"papercrane-test-{os.getpid()}"
        with suppress(OSError):
            own.mkdir()
            if (own / "pids.max").exists():
                break
            own.rmdir()
    else:
        pytest.skip("no control group may be made here")
    monkeypatch.setenv("PAPERCRANE_CGROUP", str(own))
    settings.cache_clear()
    yield own
    monkeypatch.undo()
    settings.cache_clear()
    own.rmdir()


def test_the_kernel_refuses_the_process_that_is_one_too_many(
    group: Path, box: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert quota.check() == "control groups and watching"
    assert said(box, run(box, "fork", "60")) == 60
    assert (group / "job" / "pids.max").read_text().strip() == str(quota.CGROUP["pids.max"])
    box.kill()
    wait_for(lambda: (quota.leave("job"), not (group / "job").exists())[1])
    monkeypatch.setitem(quota.CGROUP, "pids.max", 40)
    assert 10 < said(box, run(box, "fork", "60")) < 40
    box.kill()
    wait_for(lambda: (quota.leave("job"), not (group / "job").exists())[1])


def test_a_folder_that_is_no_control_group_stops_the_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert quota.check() == "watching"
    monkeypatch.setenv("PAPERCRANE_CGROUP", str(tmp_path))
    settings.cache_clear()
    try:
        with pytest.raises(SystemExit, match=r"PAPERCRANE_CGROUP.*Delegate"):
            quota.check()
    finally:
        monkeypatch.undo()
        settings.cache_clear()
