"""Objects of the S3 subset over the folder store: single writes and multipart uploads.

A grant's folder is the only account of what it holds: everything below it counts, at once and as
long as it lies there, under one lock (Bench.alone). Objects lie flat in it; the hidden folder
`.parts` beside them is deleted with it:

    .parts/<target>.<random>           a body on its way (api.file.bodies)
    .parts/<uploadId>/meta             the key of a multipart upload
    .parts/<uploadId>/<number>.<md5>   a part
    .parts/<uploadId>/joining, whole   its parts being put together (api.file.joining)
    .parts/<uploadId>.done             ETag of a completed upload, so that a repeated Complete gets its answer
"""

import fcntl
import hashlib
import secrets
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from api.file import grants, joining
from api.file.bodies import Checks, Writing, abandoned, bodies, check_room, drop, open_body
from api.file.grants import Access
from api.file.joining import Uploaded
from api.file.s3_problem import S3Problem
from cluster.store import FolderStore, Stat

#: Parts are numbered to this.
MOST_PARTS = 10_000


@dataclass(frozen=True)
class Bench:
    """Where one grant's writes are put together."""

    store: FolderStore
    access: Access

    @property
    def home(self) -> Path:
        """The grant's folder: its objects."""
        return self.store.path(self.access.prefix.rstrip("/"))

    @property
    def folder(self) -> Path:
        """What is no object yet."""
        return self.home / ".parts"

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Nobody else changes what this grant holds, in no process of ours."""
        # Grants share a few locks, which nobody ever has to take away.
        path = self.store.root / ".locks" / self.access.grant[:2]
        path.parent.mkdir(exist_ok=True)
        with path.open("a") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield

    def begin(self, key: str, size: int, checks: Checks) -> Writing:
        """A body of exactly `size` bytes for the object `key`. Raises S3Problem when the grant has no room for it."""
        with self.alone():
            return self._open(f"={_mark(key)}", size, checks, [self.store.path(key)])

    def begin_part(self, key: str, upload: str, number: int, size: int, checks: Checks) -> Writing:
        """The same for a part of an upload. Raises S3Problem."""
        with self.alone():
            replaced = list(self._open_upload(key, upload).glob(f"{number:05d}.*"))
            return self._open(f"{upload}-{number}", size, checks, replaced)

    def _open(self, target: str, size: int, checks: Checks, replaced: Sequence[Path]) -> Writing:
        if size > self.access.each:
            raise _too_large()
        check_room(size)
        self.folder.mkdir(parents=True, exist_ok=True)
        # Who sends a body again has given up the first one, which may not have noticed yet.
        for path in bodies(self.folder):
            if path.stem == target or abandoned(path):
                drop(path)
        self._make_room(size, [path for path in replaced if path.is_file()])
        return open_body(self.folder, target, size, checks)

    def _make_room(self, size: int, replaced: Sequence[Path]) -> None:
        """Raises S3Problem when `size` bytes more are too much, also without what they replace."""
        if self._has_room(size):
            return
        if not self._has_room(size - sum(path.stat().st_size for path in replaced), -len(replaced)):
            raise _too_large()
        # At no moment more than was granted: the older one goes first.
        for path in replaced:
            path.unlink()

    def _has_room(self, size: int, files: int = 0) -> bool:
        """Whether so many bytes and one more file (or folder) than those fit."""
        whole = [path for path in self.home.iterdir() if path != self.folder] + bodies(self.folder)
        uploads = [path for path in self.folder.iterdir() if path.is_dir()]
        used = sum(path.stat().st_size for path in whole) + sum(map(joining.weight, uploads))
        held = len(whole) + sum(1 for _ in self.folder.rglob("*"))
        return used + size <= self.access.total and held + files < self.access.places

    def keep(self, key: str, writing: Writing) -> Stat:
        """Publish a finished body as the object `key`; whatever fails leaves nothing. Raises S3Problem."""
        try:
            with self.alone():
                writing.check_kept()
                return self._publish(key, writing.path)
        finally:
            writing.drop()

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

    def create(self, key: str) -> str:
        """Begin a multipart upload. Raises S3Problem."""
        upload = secrets.token_hex(20)
        with self.alone():
            check_room(0)
            self.folder.mkdir(parents=True, exist_ok=True)
            if not self._has_room(0):
                raise S3Problem("EntityTooLarge", "The grant holds too many uploads.")
            folder = self.folder / upload
            folder.mkdir()
            (folder / "meta").write_text(key)
        return upload

    def uploads(self) -> list[tuple[str, str]]:
        """Key and id of every open upload of the grant."""
        return [(meta.read_text(), meta.parent.name) for meta in sorted(self.folder.glob("*/meta"))]

    def upload(self, key: str, upload: str) -> Path:
        """The folder of an upload of `key` that is not complete. Raises S3Problem."""
        folder = self.folder / _safe(upload)
        with suppress(FileNotFoundError):
            if (folder / "meta").read_text() == key:
                return folder
        raise S3Problem("NoSuchUpload")

    def _open_upload(self, key: str, upload: str) -> Path:
        folder = self.upload(key, upload)
        if joining.begun(folder):
            raise S3Problem("NoSuchUpload", "The upload is being completed.")
        return folder

    def keep_part(self, key: str, upload: str, number: int, writing: Writing) -> str:
        """Keep a finished body as part `number`; returns its ETag. Raises S3Problem."""
        try:
            with self.alone():
                writing.check_kept()
                folder, etag = self._open_upload(key, upload), str(writing.md5.hexdigest())
                for older in folder.glob(f"{number:05d}.*"):
                    older.unlink()
                writing.path.replace(folder / f"{number:05d}.{etag}")
                return etag
        finally:
            writing.drop()

    def parts(self, key: str, upload: str) -> list[Uploaded]:
        """The parts so far, by number. Raises S3Problem."""
        with self.alone():
            return joining.listed(self.upload(key, upload))

    def abort(self, key: str, upload: str) -> None:
        """Forget an upload. Raises S3Problem."""
        with self.alone():
            folder = self.upload(key, upload)
            if joining.begun(folder):
                joining.claimed(folder).close()
            for path in bodies(self.folder, f"{upload}-*"):
                drop(path)
            shutil.rmtree(folder)

    def complete(self, key: str, upload: str, wanted: Sequence[tuple[int, str]]) -> str:
        """Put the parts together; returns the object's ETag. Repeating gives the same answer.

        Raises S3Problem, `OperationAborted` while another request does it.
        """
        done = self.folder / f"{_safe(upload)}.done"
        with self.alone():
            if done.is_file():
                return done.read_text()
            folder = self.upload(key, upload)
            check_room(0)
            lock = joining.begin(folder, wanted, self.access.each)
        with lock:
            whole = joining.join(folder)
            with self.alone():
                etag = self._publish(key, whole).etag
                done.write_text(etag)
                shutil.rmtree(folder)
                return etag


def _too_large() -> S3Problem:
    return S3Problem("EntityTooLarge", "The upload is larger than its grant.")


def _mark(key: str) -> str:
    """What stands for a key in a file's name: a key may be longer than that."""
    return hashlib.sha256(key.encode()).hexdigest()[:40]


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


def _safe(upload: str) -> str:
    if not upload.isascii() or not upload.isalnum():
        raise S3Problem("NoSuchUpload")
    return upload
