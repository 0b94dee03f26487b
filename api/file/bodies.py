"""Bodies on their way to disk: written to a hidden file, counted, compared with what the client announced."""

import base64
import fcntl
import hashlib
import os
import secrets
import zlib
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO, Protocol

from api.file.s3_problem import S3Problem
from cluster.room import has_room


class Digest(Protocol):
    def update(self, data: bytes, /) -> None: ...

    def digest(self) -> bytes: ...


class _Crc32:
    def __init__(self) -> None:
        self.value = 0

    def update(self, data: bytes, /) -> None:
        self.value = zlib.crc32(data, self.value)

    def digest(self) -> bytes:
        return self.value.to_bytes(4, "big")


_CHECKSUMS: Mapping[str, Any] = {
    "x-amz-checksum-crc32": _Crc32,
    "x-amz-checksum-sha1": lambda: hashlib.sha1(usedforsecurity=False),
    "x-amz-checksum-sha256": hashlib.sha256,
}


@dataclass
class Checks:
    """Digests that the client announced, by header or trailer, compared at the end."""

    headers: Mapping[str, str]
    payload: str
    running: dict[str, Digest] = field(default_factory=dict)

    def __post_init__(self) -> None:
        trailers = {name.strip() for name in self.headers.get("x-amz-trailer", "").lower().split(",")}
        wanted = [name for name in _CHECKSUMS if name in self.headers or name in trailers]
        self.running = {name: _CHECKSUMS[name]() for name in wanted}
        if len(self.payload) == 64:
            self.running["payload"] = hashlib.sha256()

    def update(self, data: bytes) -> None:
        for digest in self.running.values():
            digest.update(data)

    def finish(self, md5: bytes, trailers: Mapping[str, str]) -> None:
        """Raises S3Problem when a digest is another than announced."""
        for name, digest in self.running.items():
            if name == "payload":
                self._same("XAmzContentSHA256Mismatch", digest.digest().hex(), self.payload)
            else:
                self._same("BadDigest", _base64(digest.digest()), trailers.get(name) or self.headers.get(name, ""))
        if "content-md5" in self.headers:
            self._same("BadDigest", _base64(md5), self.headers["content-md5"])

    @staticmethod
    def _same(code: str, found: str, announced: str) -> None:
        if found != announced:
            raise S3Problem(code)


@dataclass
class Writing:
    """One body on its way to disk: a hidden file of the announced size, its MD5 and the client's own digests.

    The file is locked while somebody writes it: without a lock nobody does any more.
    """

    path: Path
    stream: BinaryIO
    limit: int
    checks: Checks
    md5: Any = field(default_factory=lambda: hashlib.md5(usedforsecurity=False))
    size: int = 0

    @property
    def dropped(self) -> bool:
        """Whether somebody else took the file away."""
        return os.fstat(self.stream.fileno()).st_nlink == 0

    def write(self, data: bytes) -> None:
        """Append. Raises S3Problem over the limit, on a full disk, and when the file was taken away."""
        self.size += len(data)
        if self.size > self.limit:
            raise S3Problem("EntityTooLarge", "The upload is larger than announced or allowed.")
        check_room(len(data))
        self.check_kept()
        self.stream.write(data)
        self.md5.update(data)
        self.checks.update(data)

    def check_kept(self) -> None:
        """Raises S3Problem when the file was taken away."""
        if self.dropped:
            raise S3Problem("OperationAborted", "The same body came again, or its upload was given up.")

    def finish(self, trailers: Mapping[str, str]) -> None:
        """Everything has come. Raises S3Problem when it is not what was announced."""
        self.stream.flush()
        if self.size != self.limit:
            raise S3Problem("IncompleteBody")
        self.checks.finish(self.md5.digest(), trailers)

    def drop(self) -> None:
        """Forget what was written; nothing happens when it was kept."""
        drop(self.path)
        with suppress(OSError):  # what it still holds has no room on a full disk
            self.stream.close()


def check_room(size: int) -> None:
    """Raises S3Problem when the disk has no room for `size` bytes more."""
    if not has_room(size):
        raise S3Problem("StorageFull", "The storage is full just now. Try again later.")


def open_body(folder: Path, target: str, size: int, checks: Checks) -> Writing:
    """A new hidden file in `folder` for the `size` bytes of `target`; it counts with all of them from now on."""
    path = folder / f"{target}.{secrets.token_hex(8)}"
    stream = path.open("xb")
    fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
    os.truncate(stream.fileno(), size)
    return Writing(path, stream, size, checks)


def bodies(folder: Path, target: str = "*") -> list[Path]:
    """The hidden files in `folder`, of one target or of all."""
    return [path for path in folder.glob(f"{target}.*") if path.suffix != ".done"]


def abandoned(path: Path) -> bool:
    """Whether nobody writes this file any more: its process died."""
    try:
        with path.open("rb") as stream:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except FileNotFoundError:
        return False
    except BlockingIOError:
        return False
    return True


def drop(path: Path) -> None:
    """Delete the file and free its bytes, also while somebody still has it open."""
    with suppress(FileNotFoundError):
        os.truncate(path, 0)
        path.unlink()


def _base64(raw: bytes) -> str:
    return base64.b64encode(raw).decode()
