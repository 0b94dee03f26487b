"""S3 goes away while a part needs it: the part waits, and ends well when it is back; it has no end of its own."""

import secrets
import threading
from collections.abc import Iterator
from pathlib import Path

import boto3
import pytest
from moto.server import ThreadedMotoServer

from cluster import queue
from cluster.settings import settings
from cluster.store import Away, store
from cluster.task import Input, Status
from cluster.worker import perform
from tests import make
from tests.cluster.boxed import boxed
from tests.cluster.queued import claimed
from tests.cluster.queued import make as task_of
from tests.stack import free_port


@pytest.fixture
def port(monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """Where the bucket of this process's store is; its bytes outlive the server, as a real one's do."""
    found = free_port()
    for name, text in {"STORE": "s3", "S3_ENDPOINT": f"http://127.0.0.1:{found}", "S3_BUCKET": "kept"}.items():
        monkeypatch.setenv(f"PAPERCRANE_{name}", text)
    for name in ("S3_KEY", "S3_SECRET"):
        monkeypatch.setenv(f"PAPERCRANE_{name}", "x")
    settings.cache_clear()
    store.cache_clear()
    yield found
    monkeypatch.undo()
    settings.cache_clear()
    store.cache_clear()


def serve(port: int) -> ThreadedMotoServer:
    server = ThreadedMotoServer(port=port, verbose=False)
    server.start()
    return server


def test_the_part_waits_for_the_store(port: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    server = serve(port)
    own = {"endpoint_url": f"http://127.0.0.1:{port}", "region_name": "us-east-1"}
    boto3.client("s3", aws_access_key_id="x", aws_secret_access_key="x", **own).create_bucket(Bucket="kept")
    kept = store().put(f"uploads/me/g/{secrets.token_hex(8)}", make.text(tmp_path / "a.pdf", 1))
    files = (Input(kept.key, "a.pdf", kept.size, kept.etag),)
    server.stop()
    with pytest.raises(Away) as away:
        store().stat(kept.key)
    assert kept.key not in str(away.value), "nothing of a person's for the log"
    waits, back = threading.Event(), []
    monkeypatch.setattr(perform.time, "sleep", lambda seconds: waits.set() or waits.wait(seconds))

    def come_back() -> None:
        waits.wait(60)
        back.append(serve(port))

    other = threading.Thread(target=come_back)
    other.start()
    lane = secrets.token_hex(4)
    with boxed(tmp_path / "job", "tests.cluster.misbehave") as box:
        task = task_of(lane)
        task = type(task)(**{**vars(task), "tool": 9001, "options": {"do": "environment"}, "inputs": files})
        queue.put(task)
        held = claimed(lane)
        perform.perform(held, "one", box)
    other.join()
    ended = queue.find(task.id)
    back[0].stop()
    assert ended and (ended.status, held.fence) == (Status.SUCCESS, 1), ended
