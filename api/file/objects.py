"""Objects of the S3 subset over the folder store: single writes and multipart uploads.

Below a grant's prefix lies the hidden folder `.parts`, deleted with the prefix:

    .parts/<random>              a write that is not finished
    .parts/<uploadId>/meta       the key of a multipart upload
    .parts/<uploadId>/<number>.<md5>   a part
    .parts/<uploadId>.done       ETag of a completed upload, so that a repeated Complete gets its answer
"""

import base64
import hashlib
import os
import secrets
import shutil
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO, Protocol

from api.file import grants
from api.file.grants import Access
from cluster.store import FolderStore, Stat

#: S3's bounds: parts but the last one are at least this big, numbered to this.
LEAST_PART = 5 << 20
MOST_PARTS = 10_000


class S3Problem(Exception):
    """An S3 error; `code` is one of STATUS."""

    def __init__(self, code: str, message: str = "") -> None:
        super().__init__(message or code)
        self.code, self.message = code, message or code


#: S3 error code -> HTTP status
STATUS = {
    "AccessDenied": 403,
    "BadDigest": 400,
    "EntityTooLarge": 400,
    "EntityTooSmall": 400,
    "ExpiredToken": 400,
    "IncompleteBody": 400,
    "InternalError": 500,
    "InvalidAccessKeyId": 403,
    "InvalidArgument": 400,
    "InvalidPart": 400,
    "InvalidPartOrder": 400,
    "InvalidRange": 416,
    "InvalidRequest": 400,
    "MalformedXML": 400,
    "MethodNotAllowed": 405,
    "MissingContentLength": 411,
    "NoSuchBucket": 404,
    "NoSuchKey": 404,
    "NoSuchUpload": 404,
    "NotImplemented": 501,
    "RequestTimeTooSkewed": 403,
    "RequestTimeout": 400,
    "SignatureDoesNotMatch": 403,
    "SlowDown": 503,
    "XAmzContentSHA256Mismatch": 400,
}


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
    """One body on its way to disk: a hidden file, its MD5 and the client's own digests."""

    path: Path
    stream: BinaryIO
    limit: int
    checks: Checks
    md5: Any = field(default_factory=lambda: hashlib.md5(usedforsecurity=False))
    size: int = 0

    def write(self, data: bytes) -> None:
        """Append. Raises S3Problem over the limit."""
        self.size += len(data)
        if self.size > self.limit:
            raise S3Problem("EntityTooLarge", "The upload is larger than announced or allowed.")
        self.stream.write(data)
        self.md5.update(data)
        self.checks.update(data)

    def finish(self, trailers: Mapping[str, str]) -> None:
        """Close the file. Raises S3Problem when it is not what was announced."""
        self.stream.close()
        if self.size != self.limit:
            raise S3Problem("IncompleteBody")
        self.checks.finish(self.md5.digest(), trailers)

    def drop(self) -> None:
        """Forget what was written."""
        self.stream.close()
        self.path.unlink(missing_ok=True)


@dataclass(frozen=True)
class Part:
    """One stored part of a multipart upload."""

    number: int
    etag: str
    path: Path

    @property
    def size(self) -> int:
        return self.path.stat().st_size


@dataclass(frozen=True)
class Bench:
    """Where one grant's writes are put together."""

    store: FolderStore
    access: Access

    @property
    def folder(self) -> Path:
        return self.store.path(self.access.prefix.rstrip("/")) / ".parts"

    def begin(self, slot: str, size: int, checks: Checks) -> Writing:
        """A body of exactly `size` bytes. Raises S3Problem when the grant does not hold that much."""
        if size > self.access.each or not grants.reserve(self.access, slot, size):
            raise S3Problem("EntityTooLarge", "The upload is larger than its grant.")
        self.folder.mkdir(parents=True, exist_ok=True)
        path = self.folder / secrets.token_hex(16)
        return Writing(path, path.open("xb"), size, checks)

    def keep(self, key: str, writing: Writing) -> Stat:
        """Publish a finished body as the object `key`."""
        return self._publish(key, writing.path)

    def _publish(self, key: str, path: Path) -> Stat:
        stat = self.store.put(key, path)
        # An account may be erased while its upload runs.
        if not grants.alive(self.access):
            self.store.delete(key)
            raise S3Problem("AccessDenied")
        return stat

    def delete(self, key: str) -> None:
        """Delete the object `key`."""
        self.store.delete(key)
        grants.release(self.access, [f"={key}"])

    def create(self, key: str) -> str:
        """Begin a multipart upload."""
        upload = secrets.token_hex(20)
        if not grants.reserve(self.access, upload, 0):
            raise S3Problem("EntityTooLarge", "The grant holds too many uploads.")
        folder = self.folder / upload
        folder.mkdir(parents=True)
        (folder / "meta").write_text(key)
        return upload

    def uploads(self) -> list[tuple[str, str]]:
        """Key and id of every open upload of the grant."""
        return [(meta.read_text(), meta.parent.name) for meta in sorted(self.folder.glob("*/meta"))]

    def upload(self, key: str, upload: str) -> Path:
        """The folder of an open upload of `key`. Raises S3Problem."""
        folder = self.folder / _safe(upload)
        meta = folder / "meta"
        if not meta.is_file() or meta.read_text() != key:
            raise S3Problem("NoSuchUpload")
        return folder

    def keep_part(self, key: str, upload: str, number: int, writing: Writing) -> str:
        """Keep a finished body as part `number`; returns its ETag."""
        folder, etag = self.upload(key, upload), writing.md5.hexdigest()
        target = folder / f"{number:05d}.{etag}"
        writing.path.replace(target)
        for older in folder.glob(f"{number:05d}.*"):
            if older != target:
                older.unlink(missing_ok=True)
        return str(etag)

    def parts(self, key: str, upload: str) -> list[Part]:
        """The parts so far, by number."""
        names = sorted(path for path in self.upload(key, upload).iterdir() if path.name != "meta")
        return [Part(int(path.name[:5]), path.name[6:], path) for path in names]

    def abort(self, key: str, upload: str) -> None:
        """Forget an upload."""
        slots = _slots(upload, self.parts(key, upload))
        shutil.rmtree(self.upload(key, upload), ignore_errors=True)
        grants.release(self.access, slots)

    def complete(self, key: str, upload: str, wanted: Sequence[tuple[int, str]]) -> str:
        """Put the parts together; returns the object's ETag. Repeating gives the same answer."""
        done = self.folder / f"{_safe(upload)}.done"
        if done.is_file():
            return done.read_text()
        parts = self.parts(key, upload)
        chosen = self._chosen(parts, wanted)
        size = sum(part.size for part in chosen)
        if size > self.access.each:
            raise S3Problem("EntityTooLarge", "The upload is larger than its grant.")
        path = self.folder / secrets.token_hex(16)
        _join(path, chosen)
        grants.release(self.access, _slots(upload, parts))
        if not grants.reserve(self.access, f"={key}", size):
            path.unlink()
            raise S3Problem("EntityTooLarge", "The upload is larger than its grant.")
        etag = self._publish(key, path).etag
        done.write_text(etag)
        shutil.rmtree(self.folder / upload, ignore_errors=True)
        return etag

    @staticmethod
    def _chosen(parts: Sequence[Part], wanted: Sequence[tuple[int, str]]) -> list[Part]:
        found = {(part.number, part.etag): part for part in parts}
        numbers = [number for number, _ in wanted]
        if not wanted:
            raise S3Problem("MalformedXML")
        if numbers != sorted(set(numbers)):
            raise S3Problem("InvalidPartOrder")
        if any(each not in found for each in wanted):
            raise S3Problem("InvalidPart")
        chosen = [found[each] for each in wanted]
        if any(part.size < LEAST_PART for part in chosen[:-1]):
            raise S3Problem("EntityTooSmall")
        return chosen


def byte_range(text: str, size: int) -> tuple[int, int] | None:
    """First and last byte that a Range header asks for; None to send everything. Raises S3Problem (416)."""
    unit, _, wanted = text.strip().partition("=")
    first, dash, last = wanted.strip().partition("-")
    numbers = all(each == "" or (each.isascii() and each.isdecimal() and len(each) < 20) for each in (first, last))
    if unit != "bytes" or not dash or not numbers or not (first or last):
        return None
    if not first:
        if not int(last) or not size:
            raise S3Problem("InvalidRange")
        return max(0, size - int(last)), size - 1
    start, end = int(first), min(int(last), size - 1) if last else size - 1
    if last and int(last) < start:
        return None
    if start >= size:
        raise S3Problem("InvalidRange")
    return start, end


def _slots(upload: str, parts: Sequence[Part]) -> list[str]:
    """What an open upload has booked: itself and each part."""
    return [upload, *(f"{upload}:{part.number}" for part in parts)]


def _join(target: Path, parts: Sequence[Part]) -> None:
    with target.open("xb") as whole:
        for part in parts:
            with part.path.open("rb") as piece:
                _copy(piece, whole)


def _copy(piece: BinaryIO, whole: BinaryIO) -> None:
    # The kernel copies, or only links the blocks where the file system can.
    whole.flush()
    try:
        while os.copy_file_range(piece.fileno(), whole.fileno(), 1 << 26):
            pass
        whole.seek(0, os.SEEK_END)
    except OSError:
        whole.seek(0, os.SEEK_END)
        piece.seek(os.lseek(piece.fileno(), 0, os.SEEK_CUR))
        shutil.copyfileobj(piece, whole, 1 << 20)


def _safe(upload: str) -> str:
    if not upload.isascii() or not upload.isalnum():
        raise S3Problem("NoSuchUpload")
    return upload


def _base64(raw: bytes) -> str:
    return base64.b64encode(raw).decode()
