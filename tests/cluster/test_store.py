"""One suite for both stores: the folder, and S3 with moto's server as the service."""

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import boto3
import pytest
from moto.server import ThreadedMotoServer

from cluster.settings import Settings
from cluster.store import FolderStore, S3Store, Store

BUCKET = "papercrane-test"


@pytest.fixture(scope="module")
def s3_address() -> Iterator[str]:
    server = ThreadedMotoServer(port=0, verbose=False)
    server.start()
    _host, port = server.get_host_and_port()
    address = f"http://127.0.0.1:{port}"
    keys = {"aws_access_key_id": "test", "aws_secret_access_key": "test", "region_name": "us-east-1"}
    boto3.client("s3", endpoint_url=address, **keys).create_bucket(Bucket=BUCKET)
    yield address
    server.stop()


@pytest.fixture(params=["folder", "s3"])
def kept(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    if request.param == "folder":
        yield FolderStore(tmp_path / "store")
        return
    address = request.getfixturevalue("s3_address")
    store = S3Store(Settings(store="s3", s3_bucket=BUCKET, s3_endpoint=address, s3_key="test", s3_secret="test"))
    yield store
    store.delete("uploads/")


def file(tmp_path: Path, body: bytes) -> Path:
    path = tmp_path / os.urandom(8).hex()
    path.write_bytes(body)
    return path


@pytest.mark.parametrize(
    "key",
    [
        "uploads/a/b/c.pdf",
        "uploads/合同 (1)+&=%20.pdf",
        "uploads/x/.hidden",
        "uploads/" + "名" * 200 + ".pdf",
        "uploads/~",
    ],
)
def test_what_is_put_can_be_read(kept: Store, tmp_path: Path, key: str) -> None:
    put = kept.put(key, file(tmp_path, b"0123456789"))
    found = kept.stat(key)
    assert found and (found.size, found.etag) == (10, put.etag)
    assert b"".join(kept.read(key)) == b"0123456789"
    assert b"".join(kept.read(key, 3)) == b"3456789"
    assert b"".join(kept.read(key, 3, 4)) == b"3456"
    assert b"".join(kept.read(key, 0, 0)) == b""
    target = tmp_path / "fetched"
    kept.fetch(key, target)
    assert target.read_bytes() == b"0123456789"
    kept.delete(key)
    assert kept.stat(key) is None


@pytest.mark.parametrize("body", [b"0123456789", b"0123", b""])
def test_a_look_tells_what_it_is_and_how_it_begins(kept: Store, tmp_path: Path, body: bytes) -> None:
    put = kept.put("uploads/a/b/c.pdf", file(tmp_path, body))
    seen = kept.look("uploads/a/b/c.pdf", 6)
    assert seen and (seen[0].etag, seen[0].size, seen[1]) == (put.etag, len(body), body[:6])
    assert kept.look("uploads/a/b", 6) is kept.look("uploads/a/b/c.pdf/d", 6) is kept.look("uploads/none", 6) is None


@pytest.mark.skipif(not Path("/dev/shm").is_mount(), reason="no file system without a device here")
def test_a_folder_without_a_device_of_its_own_is_not_near(tmp_path: Path) -> None:
    with tempfile.TemporaryDirectory(dir="/dev/shm") as name:
        assert not FolderStore(Path(name)).near


def test_what_is_not_there(kept: Store, tmp_path: Path) -> None:
    assert kept.stat("uploads/none") is None
    with pytest.raises(FileNotFoundError):
        list(kept.read("uploads/none"))
    with pytest.raises(FileNotFoundError):
        kept.fetch("uploads/none", tmp_path / "x")
    kept.delete("uploads/none")
    kept.delete("uploads/none/")
    assert list(kept.keys("uploads/none/")) == []


def test_the_etag_changes_with_every_content(kept: Store, tmp_path: Path) -> None:
    first = kept.put("uploads/a", file(tmp_path, b"one")).etag
    second = kept.put("uploads/a", file(tmp_path, b"two")).etag
    assert first != second
    assert b"".join(kept.read("uploads/a")) == b"two"


def test_a_prefix_is_deleted_whole_and_alone(kept: Store, tmp_path: Path) -> None:
    for key in ("uploads/a/1", "uploads/a/b/2", "uploads/ab/3"):
        kept.put(key, file(tmp_path, b"x"))
    assert sorted(stat.key for stat in kept.keys("uploads/")) == ["uploads/a/1", "uploads/a/b/2", "uploads/ab/3"]
    kept.delete("uploads/a/")
    assert [stat.key for stat in kept.keys("uploads/")] == ["uploads/ab/3"]


def test_a_megabyte_and_a_bit(kept: Store, tmp_path: Path) -> None:
    body = os.urandom((1 << 20) + 17)
    kept.put("uploads/big", file(tmp_path, body))
    assert b"".join(kept.read("uploads/big")) == body
    assert b"".join(kept.read("uploads/big", 1 << 20)) == body[1 << 20 :]


@pytest.mark.parametrize("key", ["../x", "a/../../x", "/etc/passwd", "a//b", "a/./b", "a\x00b", ""])
def test_no_key_leaves_the_folder(tmp_path: Path, key: str) -> None:
    kept = FolderStore(tmp_path / "store")
    with pytest.raises(ValueError, match="unsafe"):
        kept.put(key, file(tmp_path, b"x"))


def test_hidden_folders_are_not_objects(tmp_path: Path) -> None:
    kept = FolderStore(tmp_path / "store")
    kept.put("uploads/a/1", file(tmp_path, b"x"))
    (tmp_path / "store" / "uploads" / "a" / ".parts" / "u").mkdir(parents=True)
    (tmp_path / "store" / "uploads" / "a" / ".parts" / "u" / "00001.x").write_bytes(b"part")
    assert [stat.key for stat in kept.keys("uploads/")] == ["uploads/a/1"]
    kept.delete("uploads/a/")
    assert not (tmp_path / "store" / "uploads" / "a").exists()
