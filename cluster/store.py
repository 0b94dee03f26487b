"""Store: bytes kept for a while under a key. A folder by default, S3 by setting; one behaviour.

Keys: `uploads/<owner>/<grant>/<name>` and `results/<owner>/<task>/<part>.<fence>/<n>.<ext>`.
"""

import errno
import hashlib
import os
import shutil
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from functools import cache
from pathlib import Path
from stat import S_ISREG
from typing import Any, Protocol

from cluster.settings import Settings, settings

CHUNK = 1 << 20
#: Objects never change, and are nobody's but ours.
READABLE = 0o400


class Away(ConnectionError):
    """The store does not answer; it may again."""


@dataclass(frozen=True)
class Stat:
    """One stored object: bytes, an ETag that changes with every write, seconds since the epoch."""

    key: str
    size: int
    etag: str
    modified: float


class Store(Protocol):
    """What both stores do. Keys are `/`-separated; a missing key is None or FileNotFoundError. All may raise Away.

    `near`: on a disk of this machine's own, so that a look waits for no network.
    """

    near: bool

    def put(self, key: str, path: Path) -> Stat:
        """Keep the bytes of `path` under `key`; the file at `path` may be used up."""
        ...

    def fetch(self, key: str, path: Path) -> None:
        """Make the bytes readable at `path` (read-only). Raises FileNotFoundError."""
        ...

    def stat(self, key: str) -> Stat | None: ...

    def look(self, key: str, length: int) -> tuple[Stat, bytes] | None:
        """The object's Stat with its first bytes, at most `length` (up to CHUNK) of them."""
        ...

    def read(self, key: str, start: int = 0, length: int | None = None) -> Iterator[bytes]:
        """Bytes from `start`, in chunks. Raises FileNotFoundError."""
        ...

    def keys(self, prefix: str) -> Iterator[Stat]:
        """All objects whose key starts with `prefix` (which ends in `/`)."""
        ...

    def delete(self, prefix: str) -> None:
        """Delete the object `prefix`, or everything below it when it ends in `/`."""
        ...


class FolderStore:
    """Objects as files below `root`; a write becomes visible at once and whole."""

    def __init__(self, root: Path) -> None:
        self.root = root
        root.mkdir(parents=True, exist_ok=True)
        # File systems without a device of their own, as those of a network, have the major number 0.
        self.near = os.major(root.stat().st_dev) != 0

    def path(self, key: str) -> Path:
        """Where `key` lives. Raises ValueError on a key that could leave the root."""
        return Path(self._where(key))

    def _where(self, key: str) -> str:
        parts = key.split("/")
        if any(part in ("", ".", "..") or "\x00" in part for part in parts):
            raise ValueError("unsafe key")
        # Words, not a Path: a call that only looks would spend most of its time on paths.
        return "/".join((str(self.root), *map(_component, parts)))

    def put(self, key: str, path: Path) -> Stat:
        target = self.path(key)
        target.parent.mkdir(parents=True, exist_ok=True)
        path.chmod(READABLE)
        try:
            path.replace(target)
        except OSError as error:
            if error.errno != errno.EXDEV:
                raise
            self._copy_in(path, target)
        return self._stat(key, target)

    def _copy_in(self, path: Path, target: Path) -> None:
        # Another file system: copy beside the target first, so that readers never see half a file.
        waiting = target.with_name(f".{uuid.uuid4().hex}")
        try:
            shutil.copyfile(path, waiting)
            waiting.chmod(READABLE)
            waiting.replace(target)
        except OSError:
            waiting.unlink(missing_ok=True)
            raise

    def fetch(self, key: str, path: Path) -> None:
        source = self.path(key)
        try:
            os.link(source, path)
        except FileNotFoundError:
            raise
        except OSError:
            shutil.copyfile(source, path)
            path.chmod(READABLE)

    def stat(self, key: str) -> Stat | None:
        try:
            found = os.stat(self._where(key))  # noqa: PTH116 - as above
        except (FileNotFoundError, NotADirectoryError):
            return None
        return _seen_as(key, found) if S_ISREG(found.st_mode) else None

    def look(self, key: str, length: int) -> tuple[Stat, bytes] | None:
        # Each call of the system counts, for every new task looks at its files: four, with one walk of the path.
        try:
            handle = os.open(self._where(key), os.O_RDONLY | os.O_CLOEXEC)
        except (FileNotFoundError, NotADirectoryError):
            return None
        try:
            found = os.fstat(handle)
            return (_seen_as(key, found), os.read(handle, length)) if S_ISREG(found.st_mode) else None
        finally:
            os.close(handle)

    def read(self, key: str, start: int = 0, length: int | None = None) -> Iterator[bytes]:
        with self.path(key).open("rb", buffering=0) as stream:
            stream.seek(start)
            left = length if length is not None else 1 << 62
            while left and (chunk := stream.read(min(CHUNK, left))):
                left -= len(chunk)
                yield chunk

    def keys(self, prefix: str) -> Iterator[Stat]:
        below = self.path(prefix.rstrip("/")) if prefix.strip("/") else self.root
        for folder, folders, names in os.walk(below):
            folders[:] = [name for name in folders if not name.startswith(".")]
            for name in names:
                target = Path(folder, name)
                if not name.startswith("."):
                    yield from self._seen(target)

    def _seen(self, target: Path) -> Iterator[Stat]:
        try:
            yield self._stat(target.relative_to(self.root).as_posix(), target)
        except FileNotFoundError:
            return  # deleted while we looked

    def delete(self, prefix: str) -> None:
        target = self.path(prefix.rstrip("/"))
        if prefix.endswith("/"):
            shutil.rmtree(target, ignore_errors=True)
        else:
            target.unlink(missing_ok=True)

    def _stat(self, key: str, target: Path) -> Stat:
        return _seen_as(key, target.stat())


def _seen_as(key: str, found: os.stat_result) -> Stat:
    # Every write is a new file, so inode, size and time change with it.
    etag = f"{found.st_ino:x}-{found.st_size:x}-{found.st_mtime_ns:x}"
    return Stat(key, found.st_size, etag, found.st_mtime)


class S3Store:
    """Objects in a bucket of any S3 service, through obstore."""

    near = False

    def __init__(self, chosen: Settings) -> None:
        from obstore.store import S3Store as Bucket

        config: dict[str, Any] = {
            "aws_access_key_id": chosen.s3_key,
            "aws_secret_access_key": chosen.s3_secret,
            "aws_region": chosen.s3_region,
        }
        if chosen.s3_endpoint:
            config |= {"aws_endpoint": chosen.s3_endpoint, "aws_virtual_hosted_style_request": "false"}
        plain = chosen.s3_endpoint.startswith("http://")
        options: dict[str, Any] = {"allow_http": plain, "connect_timeout": "5s"}
        patience: Any = {"max_retries": 5, "retry_timeout": timedelta(seconds=20)}
        self.bucket: Any = Bucket(chosen.s3_bucket, config=config, client_options=options, retry_config=patience)

    def put(self, key: str, path: Path) -> Stat:
        import obstore

        with _reached():
            obstore.put(self.bucket, key, path)
        found = self.stat(key)
        if found is None:
            raise FileNotFoundError(key)
        return found

    def fetch(self, key: str, path: Path) -> None:
        with path.open("wb") as target:
            for chunk in self.read(key):
                target.write(chunk)
        path.chmod(READABLE)

    def stat(self, key: str) -> Stat | None:
        import obstore

        try:
            with _reached():
                return self._stat(obstore.head(self.bucket, key))
        except FileNotFoundError:
            return None

    def look(self, key: str, length: int) -> tuple[Stat, bytes] | None:
        found = self.stat(key)
        # S3 refuses a range of what is empty.
        return (found, b"".join(self.read(key, 0, min(length, found.size)))) if found else None

    def read(self, key: str, start: int = 0, length: int | None = None) -> Iterator[bytes]:
        import obstore

        if length == 0:
            return
        stop = None if length is None else start + length
        asked: dict[str, Any] = {}
        if start or stop is not None:
            asked = {"options": {"range": (start, stop) if stop is not None else {"offset": start}}}
        with _reached():
            for chunk in obstore.get(self.bucket, key, **asked).stream(min_chunk_size=CHUNK):
                yield bytes(chunk)

    def keys(self, prefix: str) -> Iterator[Stat]:
        import obstore

        with _reached():
            for page in obstore.list(self.bucket, prefix or None):
                for found in page:
                    yield self._stat(found)

    def delete(self, prefix: str) -> None:
        import obstore

        names = [stat.key for stat in self.keys(prefix)] if prefix.endswith("/") else [prefix]
        for first in range(0, len(names), 1000):
            with _reached():
                obstore.delete(self.bucket, names[first : first + 1000])

    @staticmethod
    def _stat(found: Any) -> Stat:
        etag = (found["e_tag"] or "").strip('"')
        return Stat(found["path"], found["size"], etag, found["last_modified"].timestamp())


@contextmanager
def _reached() -> Iterator[None]:
    """Raises Away where S3 does not answer, without its words: they hold the key."""
    from obstore.exceptions import GenericError

    try:
        yield
    except GenericError:
        raise Away from None


def _component(name: str) -> str:
    # File systems take 255 bytes a name, and hidden names are ours: such a one is kept under its hash.
    if len(name.encode()) <= 180 and not name.startswith("."):
        return name
    return "~" + hashlib.sha256(name.encode()).hexdigest()


@cache
def store() -> Store:
    """This process's store, as the settings choose."""
    chosen = settings()
    return S3Store(chosen) if chosen.store == "s3" else FolderStore(chosen.data / "store")
