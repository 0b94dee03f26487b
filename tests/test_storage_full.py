"""A full disk: on a small one of its own the whole product refuses what is new, goes on with the rest, and comes back.

Needs the right to mount a tmpfs; where there is none (a container of CI without it) nothing can be said.
"""

import os
import subprocess
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import httpx
import pytest

from tests.make import text
from tests.stack import Person, Stack, s3_of, started, wait_for

MIB = 1 << 20
DISK, RESERVE = 96 * MIB, 32 * MIB
ROTATE, SUCCESS = 16, 3


@pytest.fixture(scope="module")
def disk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("disk")
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={DISK}", "none", folder], capture_output=True)
    if mounted.returncode:
        pytest.skip("no right to mount a small disk")
    yield folder
    subprocess.run(["umount", "-l", folder], check=True)


@pytest.fixture(scope="module")
def stack(disk: Path) -> Iterator[Stack]:
    with started(disk / "data", PAPERCRANE_RESERVE=str(RESERVE), PAPERCRANE_SLOTS="quick=1") as running:
        yield running


def fill(disk: Path, left: int) -> Path:
    """Another program's file, which leaves `left` bytes of the disk."""
    path = disk / "others"
    with path.open("wb") as stream:
        found = os.statvfs(disk)
        os.posix_fallocate(stream.fileno(), 0, max(1, found.f_bavail * found.f_frsize - left))
    return path


def refused(answer: httpx.Response) -> None:
    assert (answer.status_code, answer.json()["data"]["reason"]) == (507, "storage_full"), answer.text
    assert answer.json()["msg"] and answer.headers["retry-after"]


def asks(person: Person, method: str, path: str, **more: object) -> httpx.Response:
    token = {"Access-Token": person.http.cookies["access_token"]}
    return person.http.request(method, path, headers=token, **more)  # type: ignore[arg-type]


def test_below_the_reserve_only_what_is_new_is_refused(stack: Stack, disk: Path, tmp_path: Path) -> None:
    person = Person(stack.address)
    files = person.upload(text(tmp_path / "a.pdf", 3))
    done = person.follow(person.create(ROTATE, files, turn=1)["data"]["taskId"])
    again = person.follow(person.create(ROTATE, files, turn=2)["data"]["taskId"])
    grant = person.get("/api/file/upload/getStsCredentials", files=1, bytes=1000)
    others = fill(disk, RESERVE - 8 * MIB)
    refused(asks(person, "GET", "/api/file/upload/getStsCredentials", params={"files": 1}))
    refused(asks(person, "GET", "/api/file/upload/getStsCredentials", params={"prefix": grant["prefix"]}))
    body = {"toolId": ROTATE, "files": files, "options": {"turn": 2}}
    refused(asks(person, "POST", "/api/task/task/createTask", json=body))
    assert put(stack, grant) == 507
    assert person.task(done["taskId"])["status"] == SUCCESS
    assert person.download(done, tmp_path / "saved").read_bytes().startswith(b"%PDF")
    removed = person.call("GET", "/api/task/task/deleteTask", params={"taskId": again["taskId"]})
    assert removed["code"] == 200, removed
    others.unlink()
    assert put(stack, grant) == 200
    assert person.perform(ROTATE, text(tmp_path / "b.pdf", 2), turn=1)["status"] == SUCCESS


def put(stack: Stack, grant: dict) -> int:
    """The status of one upload into the grant."""
    s3 = s3_of(stack.address, grant)
    where = {"Bucket": grant["bucket"], "Key": f"{grant['prefix']}a"}
    return httpx.put(s3.generate_presigned_url("put_object", Params=where), content=b"x" * 100).status_code


def test_without_a_byte_left_everything_comes_back_by_itself(stack: Stack, disk: Path, tmp_path: Path) -> None:
    """Redis ends on a full disk, again and again; who freed space need not start anything."""
    person = Person(stack.address)
    files = person.upload(text(tmp_path / "a.pdf", 3))
    kept = person.follow(person.create(ROTATE, files, turn=1)["data"]["taskId"])
    others = fill(disk, 0)
    assert stack.process
    first = wait_for(lambda: stack.processes("redis-server"), 30)[0].pid
    until, deaths = time.monotonic() + 60, 0
    while time.monotonic() < until and deaths < 2:
        with suppress(httpx.HTTPError):  # a new visitor is written, before Redis answers
            new = f"{stack.address}/api/file/upload/getStsCredentials"
            httpx.get(new, headers={"Web-Tag": "papercrane"}, timeout=5)
        # Between two starts it is away for seconds, and a new one lives for less than that.
        found = [each.pid for each in stack.processes("redis-server")]
        deaths += found != [first]
        first = found[0] if found else first
    assert deaths, "the disk was not full enough to end Redis"
    assert stack.process.poll() is None
    others.unlink()
    wait_for(lambda: ready(stack), 120)
    assert person.task(kept["taskId"])["status"] == SUCCESS
    assert person.perform(ROTATE, text(tmp_path / "b.pdf", 2), turn=1)["status"] == SUCCESS


def ready(stack: Stack) -> bool:
    try:
        return httpx.get(f"{stack.address}/readyz", timeout=5).status_code == 200
    except httpx.HTTPError:
        return False
