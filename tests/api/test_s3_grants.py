"""What a grant may hold: never more bytes, files or requests than granted, whatever comes, fails or is sent at once."""

import asyncio
import os
import shutil
import socket
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from threading import Event, Thread

import httpx
import pytest
from botocore.exceptions import ClientError, ConnectionClosedError

from api.caller import Caller
from api.file import grants, joining
from api.file.bodies import Checks, Writing, bodies, open_body
from api.file.grants import LEAST_PART, TRIES, Access
from api.file.objects import Bench
from api.file.s3_problem import S3Problem
from api.file.s3_routes import _begun
from api.problems import Refusal
from api.settings import Settings
from api.task.owned import owned_stat
from cluster import room
from cluster.problem import InputProblem
from cluster.queue import connect
from cluster.settings import settings
from cluster.store import FolderStore, store
from tests.api.conftest import Visitor, s3_client
from tests.conftest import wait_until

MIB = 1 << 20
Grant = dict


def folder(grant: Grant) -> Path:
    """Where the grant's bytes lie."""
    kept = store()
    assert isinstance(kept, FolderStore)
    return kept.path(grant["prefix"].rstrip("/"))


def used(grant: Grant) -> int:
    """Bytes on the disk, hidden ones too."""
    sizes = []
    for path in folder(grant).rglob("*"):
        try:
            sizes.append(path.stat().st_size if path.is_file() else 0)
        except FileNotFoundError:  # it went while we looked
            continue
    return sum(sizes)


def answered(call: Callable[..., object], **arguments: object) -> str:
    """S3's error code of a call, "" when it was taken; a long body that is refused is not listened to."""
    try:
        call(**arguments)
    except ClientError as error:
        return str(error.response["Error"]["Code"])
    except ConnectionClosedError:
        return "closed"
    return ""


@contextmanager
def watched(grant: Grant) -> Iterator[list[int]]:
    """Sees how many bytes the grant holds, again and again."""
    seen, over = [0], Event()

    def look() -> None:
        while not over.wait(0.002):
            seen.append(used(grant))

    thread = Thread(target=look)
    thread.start()
    yield seen
    over.set()
    thread.join()


def test_keys_are_flat(visitor: Visitor) -> None:
    """A folder in the way of an object, and folders without end, cannot be made."""
    grant = visitor.grant(files=1, bytes=1000)
    s3, bucket = s3_client(grant), grant["bucket"]
    for name in ("d/x", "d/", "/".join("a" * 440), "./a", "a//b"):
        where = {"Bucket": bucket, "Key": grant["prefix"] + name}
        assert answered(s3.put_object, **where, Body=b"x") in ("AccessDenied", "InvalidArgument"), name
        assert answered(s3.create_multipart_upload, **where) in ("AccessDenied", "InvalidArgument"), name
    assert not folder(grant).exists()


def test_a_task_takes_no_nested_upload(tmp_path: Path) -> None:
    """A foreign S3 service cannot be told to keep keys flat; what lies deeper would outlive its grant."""
    caller = Caller(os.urandom(8).hex(), "visitor", "address")
    for name in ("flat", "deep/er"):
        (tmp_path / "body").write_bytes(b"x")
        store().put(f"uploads/{caller.owner}/grant/{name}", tmp_path / "body")
    assert asyncio.run(owned_stat(caller, f"uploads/{caller.owner}/grant/flat", "n")).size == 1
    with pytest.raises(InputProblem, match="file_unknown"):
        asyncio.run(owned_stat(caller, f"uploads/{caller.owner}/grant/deep/er", "n"))


@pytest.mark.parametrize("refused", ["digest", "too long", "too short"])
def test_what_fails_leaves_nothing_and_its_room(visitor: Visitor, refused: str) -> None:
    grant = visitor.grant(files=1, bytes=1000)
    s3, where = s3_client(grant), {"Bucket": grant["bucket"], "Key": f"{grant['prefix']}a.pdf"}
    for _ in range(5):
        if refused == "digest":
            assert answered(s3.put_object, **where, Body=b"x" * 900, ContentMD5="A" * 22 + "==") == "BadDigest"
        elif refused == "too long":
            assert answered(s3.put_object, **where, Body=b"x" * 1001) == "EntityTooLarge"
        else:
            _cut_off(s3.generate_presigned_url("put_object", Params=where), grant)
    assert [path for path in folder(grant).rglob("*") if path.is_file()] == []
    s3.put_object(**where, Body=b"x" * 1000)


async def test_who_goes_away_while_the_file_is_made_leaves_nothing(tmp_path: Path) -> None:
    """The file was there, and nobody's, until the next upload of the grant."""
    made, go = Event(), Event()

    def begin() -> Writing:
        writing = open_body(tmp_path, "a", 900, Checks({}, ""))
        made.set()
        go.wait(20)
        return writing

    opening = asyncio.create_task(_begun(begin))
    await asyncio.to_thread(made.wait, 20)
    opening.cancel()
    with pytest.raises(asyncio.CancelledError):
        await opening
    go.set()
    async with asyncio.timeout(20):
        while bodies(tmp_path):
            await asyncio.sleep(0.01)


def _cut_off(url: str, grant: Grant) -> None:
    """Announce 900 bytes, send some and go away."""
    with begun(url, 900) as wire:
        wire.sendall(b"x" * 400)
        wait_until(lambda: used(grant) == 900, what="the body")
    wait_until(lambda: used(grant) == 0, what="its end")


def begun(url: str, size: int) -> socket.socket:
    """The wire of a PUT whose head alone was sent."""
    to = httpx.URL(url)
    wire = socket.create_connection((to.host, to.port or 80))
    head = f"PUT {to.raw_path.decode()} HTTP/1.1\r\nHost: {to.netloc.decode()}\r\nContent-Length: {size}\r\n\r\n"
    wire.sendall(head.encode())
    return wire


def test_many_bodies_at_once_are_all_counted(visitor: Visitor) -> None:
    """Of one key, and of many: at no moment more lies there than was granted."""
    grant = visitor.grant(files=4, bytes=4 * MIB)
    s3 = s3_client(grant, max_pool_connections=20)
    body = os.urandom(2 * MIB)
    with watched(grant) as seen, ThreadPoolExecutor(20) as people:
        keys = [f"{grant['prefix']}{number % 5}" for number in range(40)]
        put = lambda key: answered(s3.put_object, Bucket=grant["bucket"], Key=key, Body=body)  # noqa: E731
        codes = set(people.map(put, keys))
    assert codes <= {"", "closed", "EntityTooLarge", "OperationAborted"}
    assert "" in codes
    assert max(seen) <= 4 * MIB
    assert used(grant) in (2 * MIB, 4 * MIB)


def test_many_completes_make_one_object(visitor: Visitor) -> None:
    body = os.urandom(3 * LEAST_PART + 1000)
    grant = visitor.grant(files=1, bytes=len(body))
    s3 = s3_client(grant, max_pool_connections=20, read_timeout=90)
    where = {"Bucket": grant["bucket"], "Key": f"{grant['prefix']}a.pdf"}
    upload = s3.create_multipart_upload(**where)["UploadId"]
    parts = []
    for number in range(4):
        part = body[number * LEAST_PART : (number + 1) * LEAST_PART]
        etag = s3.upload_part(**where, UploadId=upload, PartNumber=number + 1, Body=part)["ETag"]
        parts.append({"PartNumber": number + 1, "ETag": etag})
    done = {**where, "UploadId": upload, "MultipartUpload": {"Parts": parts}}
    with watched(grant) as seen, ThreadPoolExecutor(20) as people:
        etags = set(people.map(lambda _: s3.complete_multipart_upload(**done)["ETag"], range(20)))
    assert len(etags) == 1
    # The part that is being added lies there twice for a moment.
    assert max(seen) <= len(body) + LEAST_PART + 2000
    assert b"".join(store().read(where["Key"])) == body
    assert used(grant) < len(body) + 200


def test_a_body_sent_again_takes_the_place_of_the_first(visitor: Visitor) -> None:
    """Whose network was gone sends again while the server still waits for the first: it must not be refused."""
    grant = visitor.grant(files=1, bytes=1000)
    s3, where = s3_client(grant), {"Bucket": grant["bucket"], "Key": f"{grant['prefix']}a.pdf"}
    with begun(s3.generate_presigned_url("put_object", Params=where), 1000) as wire:
        wire.sendall(b"old" * 100)
        wait_until(lambda: used(grant) == 1000, what="the first body")
        s3.put_object(**where, Body=b"n" * 1000)
        wire.sendall(b"o" * 700)
        assert b"409" in wire.recv(1000)
    assert b"".join(store().read(where["Key"])) == b"n" * 1000
    assert used(grant) == 1000


def test_a_full_grant_takes_the_same_object_again(visitor: Visitor) -> None:
    grant = visitor.grant(files=1, bytes=1000)
    s3, where = s3_client(grant), {"Bucket": grant["bucket"], "Key": f"{grant['prefix']}a.pdf"}
    for letter in (b"1", b"2"):
        s3.put_object(**where, Body=letter * 1000)
    assert b"".join(store().read(where["Key"])) == b"2" * 1000


def test_files_without_bytes_are_counted_too(visitor: Visitor) -> None:
    grant = visitor.grant(files=1, bytes=1000)
    s3, bucket = s3_client(grant), grant["bucket"]
    places = Access("", files=1, total=1000).places
    codes = [
        answered(s3.put_object, Bucket=bucket, Key=f"{grant['prefix']}{number}", Body=b"")
        for number in range(places + 5)
    ]
    assert codes.count("") <= places
    assert codes[-1] == "EntityTooLarge"
    where = {"Bucket": bucket, "Key": f"{grant['prefix']}more"}
    assert answered(s3.create_multipart_upload, **where) == "EntityTooLarge"
    assert len(list(folder(grant).rglob("*"))) <= places + 1
    s3.delete_object(Bucket=bucket, Key=f"{grant['prefix']}0")
    s3.put_object(Bucket=bucket, Key=f"{grant['prefix']}other", Body=b"")


def test_places_are_bounded_whatever_is_granted() -> None:
    assert Access("", files=1, total=1000).places < 20
    assert Access("", files=200, total=800 << 30).places < 15_000
    assert Access("", files=1, total=4 << 30).places > 820, "the parts of the longest file"


def test_who_gives_an_upload_up_has_its_room_back(visitor: Visitor) -> None:
    grant = visitor.grant(files=1, bytes=1000)
    s3, where = s3_client(grant), {"Bucket": grant["bucket"], "Key": f"{grant['prefix']}a"}
    for _ in range(30):
        upload = s3.create_multipart_upload(**where)["UploadId"]
        s3.upload_part(**where, UploadId=upload, PartNumber=1, Body=b"x" * 1000)
        s3.abort_multipart_upload(**where, UploadId=upload)
    assert used(grant) == 0


def test_requests_of_a_grant_end(visitor: Visitor) -> None:
    """Writing and deleting without end wears a disk out too."""
    grant = visitor.grant(files=1, bytes=100)
    s3, where = s3_client(grant), {"Bucket": grant["bucket"], "Key": f"{grant['prefix']}a"}
    s3.put_object(**where, Body=b"x")
    record = f"grant:{grant['prefix'].split('/')[2]}"
    assert connect().hget(record, "requests") == "1"
    connect().hset(record, "requests", TRIES * Access("", files=1, total=100).places)
    assert answered(s3.put_object, **where, Body=b"x") == "AccessDenied"
    assert answered(s3.delete_object, **where) == "AccessDenied"


def test_an_address_is_granted_so_many_files(visitor: Visitor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grants, "settings", lambda: Settings(address_files=300))
    guest = Caller(os.urandom(8).hex(), "visitor", os.urandom(8).hex())
    grants.issue(guest, 200, 1000)
    with pytest.raises(Refusal, match="too_many_requests"):
        grants.issue(guest, 200, 1000)


def test_a_grant_needs_room_for_what_it_announces(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not for all that it may hold: 200 files of a member's size are more than any disk has."""
    free = shutil.disk_usage(settings().data).free
    chosen = replace(settings(), reserve=free // 2)
    monkeypatch.setattr(room, "settings", lambda: chosen)
    rights = replace(Settings().member, bytes=free)
    monkeypatch.setattr(Settings, "rights", lambda self, rank: rights)
    member = Caller(os.urandom(8).hex(), "member", os.urandom(8).hex())
    assert grants.issue(member, 200, None).bytes == 200 * free
    assert grants.issue(member, 1, free // 4).bytes == free // 4
    with pytest.raises(Refusal, match="storage_full"):
        grants.issue(member, 1, free - free // 4)


def test_putting_together_goes_on_after_a_crash(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Killed at every step, the object is whole in the end and nothing was held twice."""
    body = os.urandom(2 * LEAST_PART + 10)
    wanted = []
    work = tmp_path / "upload"
    work.mkdir()
    for number in range(3):
        piece = body[number * LEAST_PART : (number + 1) * LEAST_PART]
        (work / f"{number + 1:05d}.{number:032x}").write_bytes(piece)
        wanted.append((number + 1, f"{number:032x}"))

    class Killed(Exception):
        pass

    added = []

    def half(path: Path, whole, end: int) -> None:  # type: ignore[no-untyped-def]
        # Dies in the middle of every part, once; then does it right.
        if path.exists() and path.name not in added:
            added.append(path.name)
            whole.seek(end)
            whole.write(b"half")
            raise Killed
        add(path, whole, end)

    add = joining._add
    monkeypatch.setattr(joining, "_add", half)
    for _ in range(2):
        with joining.begin(work, wanted, len(body)), pytest.raises(Killed):
            joining.join(work)
        assert joining.weight(work) == len(body)
    with joining.begin(work, wanted, len(body)):
        assert joining.join(work).read_bytes() == body
    with pytest.raises(S3Problem, match="InvalidPart"):
        joining.begin(work, wanted[:1], len(body))


def test_a_body_whose_process_died_is_nobodys(tmp_path: Path) -> None:
    """Its room goes to the next body, whichever that is."""
    bench = Bench(FolderStore(tmp_path), Access("", "ab", "uploads/o/ab/", 1000, 1000, 1))
    first = bench.begin("uploads/o/ab/one", 1000, Checks({}, ""))
    with pytest.raises(S3Problem, match="larger"):
        bench.begin("uploads/o/ab/two", 1000, Checks({}, ""))
    first.stream.close()  # as the kernel does for the dead
    bench.begin("uploads/o/ab/two", 1000, Checks({}, "")).drop()
    assert [path for path in bench.home.rglob("*") if path.is_file()] == []
