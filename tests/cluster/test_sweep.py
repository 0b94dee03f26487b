"""The 12-hour promise: what is due goes, from the store and from Redis, also when nobody swept at the hour."""

import os
import secrets

import pytest

from cluster import queue
from cluster.queue import connect, now_ms
from cluster.seal import seal
from cluster.settings import settings
from cluster.store import store
from cluster.task import Input, Made, Outcome, Status, Task
from cluster.worker import scratch, sweep
from tests.conftest import wait_until

KEEP_MS = 12 * 3600 * 1000


@pytest.fixture
def ended(tmp_path):
    """A task that ended just now, with an input and a result that hold the marker."""
    name, owner = secrets.token_hex(16), secrets.token_hex(8)
    source, result = f"uploads/{owner}/grant/one", f"results/{owner}/{name}/0.1/0.pdf"
    for key in (source, result):
        path = tmp_path / "bytes"
        path.write_bytes(marker(name).encode())
        store().put(key, path)
    stat = store().stat(source)
    task = Task(
        id=name,
        owner=owner,
        tool=16,
        lane="sweep" + owner,
        rank="guest",
        language="zh",
        options={"text": marker(name)},
        inputs=(Input(source, "a.pdf", stat.size, stat.etag),),
        status=Status.CREATE,
        parts=1,
        secrets={0: "sealed"},
        created=now_ms(),
    )
    queue.put(task)
    held = queue.claim(task.lane, "slot")
    queue.done(held, Outcome(Status.SUCCESS, [Made(result, "a.pdf", 9, "pdf", 1, 0)]))
    return queue.find(name), (source, result)


def marker(name: str) -> str:
    """Words of this task's document."""
    return f"the secret clause of {name}"


def left(task: Task, keys: tuple[str, ...]) -> list[str]:
    """Where anything of the task is still found."""
    found = [key for key in keys if store().stat(key)]
    for key in connect().scan_iter(count=1000):
        text = str(READ[connect().type(key)](key))
        found += [key] if task.id in key + text or marker(task.id) in text else []
    return found


READ = {
    "none": lambda key: "",  # it ran out between the listing and the look
    "string": lambda key: connect().get(key),
    "hash": lambda key: connect().hgetall(key),
    "set": lambda key: connect().smembers(key),
    "zset": lambda key: connect().zrange(key, 0, -1),
    "list": lambda key: connect().lrange(key, 0, -1),
    "stream": lambda key: connect().xrange(key),
}


def test_before_its_hour_nothing_goes(ended):
    task, keys = ended
    sweep.sweep_due()
    assert set(left(task, keys)) == {*keys, f"task:{task.id}", f"tasks:{task.owner}", "due"}
    assert KEEP_MS - 60_000 < task.expires - now_ms() <= KEEP_MS


def test_passwords_go_at_the_end_already(ended):
    assert ended[0].secrets == {}


def test_after_its_hour_everything_goes(ended, monkeypatch):
    task, keys = ended
    monkeypatch.setattr(sweep, "now_ms", lambda: task.expires + 1)
    sweep.sweep_due()
    assert left(task, keys) == []


def test_a_sweeper_that_was_down_catches_up(ended, monkeypatch):
    task, keys = ended
    monkeypatch.setattr(sweep, "now_ms", lambda: task.expires + 10 * KEEP_MS)
    sweep.sweep_due()
    assert left(task, keys) == []


def test_an_input_used_again_waits_for_the_later_task(ended, monkeypatch):
    task, (source, _) = ended
    later = task.expires + KEEP_MS
    connect().zadd("due", {f"files:{source.rsplit('/', 1)[0]}/": later})
    monkeypatch.setattr(sweep, "now_ms", lambda: task.expires + 1)
    sweep.sweep_due()
    assert store().stat(source)
    assert left(task, ()) == []


def test_what_cannot_be_deleted_does_not_keep_the_others(ended, monkeypatch):
    task, keys = ended
    stuck = "files:../nowhere/"
    connect().zadd("due", {stuck: 1})
    monkeypatch.setattr(sweep, "now_ms", lambda: task.expires + 1)
    sweep.sweep_due()
    assert left(task, keys) == []
    assert connect().zrem("due", stuck) == 1, "it must stay due"


def test_a_killed_slots_documents_go(tmp_path):
    """The folder of a slot that lives, or has just begun, stays."""
    beating, starting, dead = (f"quick-{secrets.token_hex(6)}-0" for _ in range(3))
    folders = {slot: settings().scratch / f"{slot}.1" for slot in (beating, starting, dead)}
    for slot, folder in folders.items():
        (folder / "in").mkdir(parents=True)
        (folder / "in" / "0.pdf").write_bytes(b"words of the document")
        if slot != starting:
            os.utime(folder, (1, 1))
    queue.beat("quick", beating)
    assert scratch.clear_dead_slots() == 1
    assert not folders[dead].exists()
    assert (folders[beating] / "in" / "0.pdf").exists() and (folders[starting] / "in" / "0.pdf").exists()


def test_redis_forgets_in_its_files_too(ended, monkeypatch):
    task, _ = ended
    files = settings().data / "redis"
    monkeypatch.setattr(sweep, "now_ms", lambda: task.expires + 1)

    def written() -> bool:
        return any(task.id.encode() in path.read_bytes() for path in files.rglob("*") if path.is_file())

    assert written()
    assert not any(marker(task.id).encode() in path.read_bytes() for path in files.rglob("*") if path.is_file())
    sweep.sweep_due()
    sweep.rewrite()
    wait_until(lambda: not written(), what="the rewritten file")


def test_a_record_sealed_by_another_key_goes_too(ended, monkeypatch):
    """Whose secret was changed still keeps the promise to delete."""
    task, keys = ended
    key = f"task:{task.id}"
    connect().hset(key, "inputs", seal("[]", "another task"))
    assert queue.find(task.id) is None
    monkeypatch.setattr(sweep, "now_ms", lambda: task.expires + 1)
    sweep.sweep_due()
    assert left(task, keys) == []


def test_strays_that_redis_has_forgotten_go_too(ended, monkeypatch):
    task, keys = ended
    connect().delete("due")
    queue.forget(task)
    monkeypatch.setattr(sweep.time, "time", lambda: (task.expires + KEEP_MS * 2) / 1000)
    assert sweep.sweep_strays() >= 2
    assert left(task, keys) == []
