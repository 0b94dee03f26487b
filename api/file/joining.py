"""Putting the parts of an upload together, without ever holding them twice, and going on after a crash.

joining   what is put together, `<number>.<md5> <size>` a line; locked by who does it
whole     the first part, to which the others are added; each goes as soon as it is added
"""

import fcntl
import os
import re
import shutil
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from api.file.grants import LEAST_PART
from api.file.s3_problem import S3Problem

_PART = re.compile(r"[0-9]{5}\.[0-9a-f]{32}")


@dataclass(frozen=True)
class Uploaded:
    """One stored part of a multipart upload."""

    number: int
    etag: str
    size: int

    @property
    def name(self) -> str:
        """Its file in the upload's folder."""
        return f"{self.number:05d}.{self.etag}"


def listed(folder: Path) -> list[Uploaded]:
    """The parts of an upload, by number."""
    if begun(folder):
        return _planned(folder)
    names = sorted(path.name for path in folder.iterdir() if _PART.fullmatch(path.name))
    return [_part(name, (folder / name).stat().st_size) for name in names]


def begun(folder: Path) -> bool:
    """Whether somebody began to put the upload together."""
    return (folder / "joining").is_file()


def weight(folder: Path) -> int:
    """Bytes of an upload, which stay the same while its parts are put together."""
    return sum(part.size for part in listed(folder))


def begin(folder: Path, wanted: Sequence[tuple[int, str]], most: int) -> BinaryIO:
    """Choose the parts to put together; what it returns is open as long as somebody does. Raises S3Problem."""
    found, before = listed(folder), begun(folder)
    chosen = _chosen(found, wanted)
    if sum(part.size for part in chosen) > most:
        raise S3Problem("EntityTooLarge", "The upload is larger than its grant.")
    if before and chosen != found:
        raise S3Problem("InvalidPart")
    if not before:
        _plan(folder, chosen)
        for part in set(found) - set(chosen):
            (folder / part.name).unlink()
    return claimed(folder)


def claimed(folder: Path) -> BinaryIO:
    """The lock of who puts together. Raises S3Problem while another request has it."""
    stream = (folder / "joining").open("rb")
    try:
        fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        stream.close()
        raise S3Problem("OperationAborted", "Another request completes this upload just now.") from None
    return stream


def join(folder: Path) -> Path:
    """The file of the chosen parts; after a crash it goes on where it was."""
    planned, whole = _planned(folder), folder / "whole"
    if not whole.exists():
        (folder / planned[0].name).rename(whole)
    with whole.open("r+b") as stream:
        end = 0
        for part in planned:
            with suppress(FileNotFoundError):  # added before
                _add(folder / part.name, stream, end)
            end += part.size
    return whole


def _planned(folder: Path) -> list[Uploaded]:
    lines = (folder / "joining").read_text().splitlines()
    return [_part(name, int(size)) for name, size in (line.split() for line in lines)]


def _plan(folder: Path, chosen: Sequence[Uploaded]) -> None:
    # A crash leaves a whole plan or none.
    waiting = folder / "plan"
    waiting.write_text("".join(f"{part.name} {part.size}\n" for part in chosen))
    waiting.rename(folder / "joining")


def _part(name: str, size: int) -> Uploaded:
    return Uploaded(int(name[:5]), name[6:], size)


def _chosen(found: Sequence[Uploaded], wanted: Sequence[tuple[int, str]]) -> list[Uploaded]:
    known = {(part.number, part.etag): part for part in found}
    numbers = [number for number, _ in wanted]
    if not wanted:
        raise S3Problem("MalformedXML")
    if numbers != sorted(set(numbers)):
        raise S3Problem("InvalidPartOrder")
    if any(each not in known for each in wanted):
        raise S3Problem("InvalidPart")
    chosen = [known[each] for each in wanted]
    if any(part.size < LEAST_PART for part in chosen[:-1]):
        raise S3Problem("EntityTooSmall")
    return chosen


def _add(path: Path, whole: BinaryIO, end: int) -> None:
    """Add a part at `end`, and take it away."""
    with path.open("rb") as piece:
        whole.truncate(end)
        whole.seek(end)
        _copy(piece, whole)
    path.unlink()


def _copy(piece: BinaryIO, whole: BinaryIO) -> None:
    # The kernel copies, or only links the blocks where the file system can.
    try:
        while os.copy_file_range(piece.fileno(), whole.fileno(), 1 << 26):
            pass
    except OSError:
        whole.seek(0, os.SEEK_END)
        piece.seek(os.lseek(piece.fileno(), 0, os.SEEK_CUR))
        shutil.copyfileobj(piece, whole, 1 << 20)
