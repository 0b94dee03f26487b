"""What a taken-over part may try against the next one, its slot and the host's files."""

import secrets
from collections.abc import Iterator
from pathlib import Path

import pytest

from cluster import queue
from cluster.problem import FaultProblem
from cluster.queue import Claim
from cluster.store import store
from cluster.task import Input, Status, Task
from cluster.worker.keeping import Keeping
from cluster.worker.perform import perform
from cluster.worker.sandbox import Sandbox
from tests.cluster.boxed import boxed
from tests.cluster.queued import make
from tests.cluster.test_sandbox import run, said


@pytest.fixture(scope="module")
def box(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sandbox]:
    with boxed(tmp_path_factory.mktemp("job"), "tests.cluster.escapes") as made:
        yield made


def put(tmp_path: Path, do: str, *arguments: str) -> Task:
    """A task that does it, in a lane of its own."""
    (tmp_path / "a.txt").write_text("some words")
    kept = store().put(f"uploads/x/y/{secrets.token_hex(8)}", tmp_path / "a.txt")
    task = Task(
        id=secrets.token_hex(20),
        owner="x",
        tool=9001,
        lane=secrets.token_hex(4),
        rank="guest",
        language="en",
        options={"do": do, "arguments": list(arguments)},
        inputs=(Input(kept.key, "a.txt", kept.size, kept.etag),),
        status=Status.BE_QUEUING,
        parts=1,
        created=queue.now_ms(),
    )
    queue.put(task)
    return task


def performed(box: Sandbox, task: Task) -> Task | None:
    """The task after one claim."""
    held = queue.claim(task.lane, "one")
    assert held
    perform(held, "one", box)
    return queue.find(task.id)


def test_no_other_processs_memory_can_be_written(box):
    assert said(box, run(box, "pry")) == []


def test_nothing_stays_where_the_next_part_could_read_it(box):
    folders = ["/", "/dev", "/dev/shm", "/tmp", "/usr"]
    written = said(box, run(box, "leave", *folders))
    assert written["/tmp"] == written["/dev/shm"] == "written"
    found = said(box, run(box, "attempt", *(f"{folder}/left" for folder in folders)))
    assert set(found.values()) == {"FileNotFoundError"}, (written, found)


def test_processes_that_breed_faster_than_they_die_do_not_meet_the_next_part(box):
    run(box, "breed", "20")
    # Names in /tmp are told too, and a checkout may lie there; commands have arguments.
    parent, itself = [each for each in said(box, run(box, "neighbours")) if " " in each]
    assert parent == itself


def test_words_that_no_reader_likes_do_not_end_the_slot(box, tmp_path):
    assert performed(box, put(tmp_path, "babble")).status is Status.SUCCESS


def test_folders_too_deep_to_follow_are_deleted(box, tmp_path):
    """Its quota may have looked while it dug, and refused it."""
    assert performed(box, put(tmp_path, "dig", "3000")).status in (Status.SUCCESS, Status.FAIL)
    assert list(box.folder.iterdir()) == []


def test_a_folder_of_results_that_leads_elsewhere_is_refused(box, tmp_path):
    """What `out/0.txt` is for the host may be somebody else's file, whatever the gate saw inside."""
    other = tmp_path / "other"
    other.mkdir()
    (other / "0.txt").write_text("somebody else's")
    job = tmp_path / "job"
    (job / "scratch").mkdir(parents=True)
    (job / "scratch" / "0.txt").write_text("ours")
    keeping = Keeping(Claim("t", 0, "l", "s", "m", 1), make("l"), job)
    assert keeping.made("scratch/0.txt").read_text() == "ours"
    (job / "out").symlink_to(other)
    with pytest.raises(FaultProblem):
        keeping.made("out/0.txt")


def test_a_result_stored_after_its_task_was_deleted_goes_too(box, tmp_path, monkeypatch):
    task = put(tmp_path, "environment")
    storing = Keeping.results

    def deleted_meanwhile(keeping, *arguments):
        queue.forget(task)
        return storing(keeping, *arguments)

    monkeypatch.setattr(Keeping, "results", deleted_meanwhile)
    assert performed(box, task) is None
    assert list(store().keys(task.results)) == []
