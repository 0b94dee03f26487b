"""A PDF read object by object from disk: only what is asked for, in constant memory.

The strict half of reading: a file with any irregularity raises Unreadable and is rewritten by
qpdf first (see pages.opening), which knows encryption, damage and every filter.
"""

import os
import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from cluster.engines.pdf.moulds import LONGEST, Mould, cast
from cluster.engines.pdf.syntax import Ref, Short, Unreadable, number, parse
from cluster.engines.pdf.xref import Table, read_table

#: One decoded stream may hold this much.
STREAM_LIMIT = 256 << 20
_HEAD = re.compile(rb"[\x00\t\n\x0c\r ]*(\d+)[\x00\t\n\x0c\r ]+0+[\x00\t\n\x0c\r ]+obj")
_STREAM = re.compile(rb"[\x00\t\n\x0c\r ]*(?:(stream)(?:\r\n|\n)|(endobj))")
_END_STREAM = re.compile(rb"[\x00\t\n\x0c\r ]*endstream")
_CHUNK = 4096
#: An object that is longer is tried again with so many times as much: what was parsed in vain costs most of it.
_MORE = 32
#: A file up to this size is read at once: one call instead of one or two an object.
_SMALL = 4 << 20


class Coded(Unreadable):
    """The document has a lock."""


class Broken(Unreadable):
    """A stream that does not decode: readers differ in what they make of it."""


class TooLarge(Exception):
    """A stream opens to more than STREAM_LIMIT."""


@dataclass(slots=True)
class Stream:
    """A stream object: its dictionary and where its raw bytes lie in the file."""

    entries: dict[bytes, Any]
    offset: int
    length: int


class Cast(NamedTuple):
    """An object before it is a value: its mould, what that one's holes hold, and where a stream's raw bytes lie."""

    mould: Mould
    told: list[bytes]
    #: 0: no stream.
    offset: int = 0
    length: int = 0

    def value(self) -> Any:
        """The value, or the Stream."""
        made = self.mould.filled(self.told)
        return Stream(made, self.offset, self.length) if self.offset else made


class Document:
    """An unencrypted PDF with a sound cross-reference table."""

    #: Whether it may have a lock.
    locked = False

    def __init__(self, path: Path) -> None:
        self.path = path
        self.file = os.open(path, os.O_RDONLY)
        self.size = os.fstat(self.file).st_size
        self._packed: dict[int, tuple[bytes, dict[int, tuple[int, int]]]] = {}
        self._bytes = os.pread(self.file, self.size, 0) if self.size <= _SMALL else b""
        try:
            self.table: Table = read_table(self.file, self.size)
            if b"/Encrypt" in self.table.trailer and not self.locked:
                raise Coded
            if self.table.given_again:
                raise Unreadable("generation")
            self.root: dict[bytes, Any] = self.dictionary(self.table.trailer.get(b"/Root"))
            if not self.root:
                raise Unreadable("no catalog")
        except BaseException:
            os.close(self.file)
            raise

    def close(self) -> None:
        os.close(self.file)

    def __enter__(self) -> "Document":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def get(self, value: Any) -> Any:
        """What `value` stands for: references are followed, missing objects are null."""
        if type(value) is not Ref:
            return value
        for _ in range(20):
            value = self.object(value)
            if type(value) is not Ref:
                return value
        raise Unreadable("reference loop")

    def dictionary(self, value: Any) -> dict[bytes, Any]:
        """The dictionary that `value` stands for (a stream's too); empty when it is none."""
        found = self.get(value)
        if type(found) is Stream:
            return found.entries
        return found if type(found) is dict else {}

    def array(self, value: Any) -> list[Any]:
        """The array that `value` stands for; empty when it is none."""
        found = self.get(value)
        return found if type(found) is list else []

    def object(self, numbered: int) -> Any:
        """The object of that number: a value or a Stream; null for a free one."""
        found = self.found(numbered)
        return found.value() if type(found) is Cast else found

    def found(self, numbered: int) -> Any:
        """The object of that number, as a Cast where it is like others."""
        kind, place, inside = self.table.place(numbered)
        if kind == 1:
            return self._at(numbered, place)
        return self._unpacked(numbered, place, inside) if kind == 2 else b"null"

    def read(self, stream: Stream) -> bytes:
        """The raw bytes of a stream."""
        return self.read_at(stream.offset, stream.length)

    def read_at(self, offset: int, length: int) -> bytes:
        """Bytes of the file."""
        return self._bytes[offset : offset + length] if self._bytes else os.pread(self.file, length, offset)

    def _at(self, numbered: int, offset: int) -> Any:
        if offset >= self.size:
            raise Unreadable(f"object {numbered}")
        if self._bytes:
            try:
                return self._parsed(numbered, self._bytes, offset, 0)
            except Short:
                raise Unreadable(f"object {numbered}") from None
        size = _CHUNK
        while True:
            data = self.read_at(offset, size)
            try:
                return self._parsed(numbered, data, 0, offset)
            except Short:
                if len(data) < size or size > 64 << 20:
                    raise Unreadable(f"object {numbered}") from None
                size *= _MORE

    def _parsed(self, numbered: int, data: bytes, start: int, before: int) -> Any:
        """The object that begins at `start` of `data`; so many bytes of the file come before these."""
        head = _HEAD.match(data, start)
        if not head:
            raise Short if len(data) - start < 40 else Unreadable(f"object {numbered}")
        if int(head[1]) != numbered:
            raise Unreadable(f"object {numbered}")
        known, stop = _alike(data, head.end())
        value, end = (known, stop) if known else parse(data, head.end())
        after = _STREAM.match(data, end)
        if after is None:
            raise Short if len(data) - end < 40 else Unreadable(f"object {numbered}")
        if after[2]:
            return value
        if known and known.mould.length is not None:
            length = int(known.told[known.mould.length])
            return Cast(known.mould, known.told, self._begun(length, data, after.end(), before), length)
        entries = known.value() if known else value
        if type(entries) is not dict or b"/F" in entries:
            raise Unreadable(f"stream {numbered}")
        length = number(self.get(entries.get(b"/Length")))
        return Stream(entries, self._begun(length, data, after.end(), before), length)

    def _begun(self, length: int, data: bytes, start: int, before: int) -> int:
        """Where the stream's bytes begin in the file, when they end where they should."""
        stop = start + length
        if not 0 <= length <= self.size:
            raise Unreadable("stream length")
        tail = data[stop : stop + 20] if stop + 20 <= len(data) else os.pread(self.file, 20, before + stop)
        if not _END_STREAM.match(tail):
            raise Unreadable("stream end")
        return before + start

    def _unpacked(self, numbered: int, container: int, inside: int) -> Any:
        if container not in self._packed:
            if len(self._packed) > 32:
                self._packed.pop(next(iter(self._packed)))
            self._packed[container] = self._container(container)
        data, offsets = self._packed[container]
        if numbered not in offsets:
            raise Unreadable(f"object {numbered}")
        start, stop = offsets[numbered]
        known = cast(data[start:stop]) if stop - start < LONGEST else None
        return Cast(*known) if known else parse(data, start)[0]

    def _container(self, container: int) -> tuple[bytes, dict[int, tuple[int, int]]]:
        """An object stream's data, and where each object begins in it and the next one does."""
        # A container does not lie in another one.
        stream = self.object(container) if self.table.place(container)[0] == 1 else None
        if type(stream) is not Stream:
            raise Unreadable("object stream")
        data = b"".join(self.unpacked(container, stream))
        first, count = number(stream.entries.get(b"/First")), number(stream.entries.get(b"/N"))
        numbers = [number(each) for each in data[:first].split()]
        if len(numbers) < 2 * count:
            raise Unreadable("object stream")
        starts = [first + offset for offset in numbers[1 : 2 * count : 2]]
        after = dict(pairwise([*sorted({*starts}), len(data)]))
        return data, {each: (start, after[start]) for each, start in zip(numbers[: 2 * count : 2], starts, strict=True)}

    def unpacked(self, container: int, stream: Stream) -> Iterator[bytes]:
        """What the object stream of that number holds, in blocks."""
        return self.decoded(stream)

    def decoded(self, stream: Stream, block: int = 1 << 20, coded: Iterator[bytes] | None = None) -> Iterator[bytes]:
        """The bytes of a plain or Flate stream, in blocks; TooLarge for bombs. `coded`: where they lie otherwise.

        Unreadable for other filters, Broken where the stream is.
        """
        filters = self.get(stream.entries.get(b"/Filter", b"null"))
        names = [self.get(each) for each in filters] if type(filters) is list else [filters]
        names = [] if names == [b"null"] else names
        if any(name not in (b"/FlateDecode", b"/Fl") for name in names) or self._predicted(stream):
            raise Unreadable("filter")
        blocks = coded or self._blocks(stream, block)
        for _ in names:
            blocks = _inflated(blocks, block)
        yield from blocks

    def _predicted(self, stream: Stream) -> bool:
        parameters = self.get(stream.entries.get(b"/DecodeParms", b"null"))
        listed = parameters if type(parameters) is list else [parameters]
        return any(number(self.get(self.dictionary(each).get(b"/Predictor", b"1")), 1) > 1 for each in listed)

    def _blocks(self, stream: Stream, block: int) -> Iterator[bytes]:
        if stream.length > STREAM_LIMIT:
            raise TooLarge
        for start in range(0, stream.length, block):
            yield os.pread(self.file, min(block, stream.length - start), stream.offset + start)


def _alike(data: bytes, start: int) -> tuple[Cast | None, int]:
    """What begins at `start`, where it is like others, and where it ends."""
    stop = data.find(b"stream", start, start + LONGEST)
    before = data.find(b"endobj", start, start + LONGEST if stop < 0 else stop)
    stop = before if before >= 0 else stop
    known = cast(data[start:stop]) if stop >= 0 else None
    return (Cast(*known) if known else None), stop


def _inflated(blocks: Iterator[bytes], block: int) -> Iterator[bytes]:
    opener, total = zlib.decompressobj(), 0
    for data in blocks:
        while data:
            try:
                opened = opener.decompress(data, block)
            except zlib.error as error:
                raise Broken("flate") from error
            total += len(opened)
            if total > STREAM_LIMIT:
                raise TooLarge
            yield opened
            data = opener.unconsumed_tail
