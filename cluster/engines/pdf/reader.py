"""A PDF read object by object from disk: only what is asked for, in constant memory.

The strict half of reading: a file with any irregularity raises Unreadable and is rewritten by
qpdf first (see pages.opening), which knows encryption, damage and every filter.
"""

import os
import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cluster.engines.pdf.syntax import Ref, Short, Unreadable, number, parse
from cluster.engines.pdf.xref import Table, read_table

#: One decoded stream may hold this much.
STREAM_LIMIT = 256 << 20
_HEAD = re.compile(rb"[\x00\t\n\x0c\r ]*(\d+)[\x00\t\n\x0c\r ]+0+[\x00\t\n\x0c\r ]+obj")
_STREAM = re.compile(rb"[\x00\t\n\x0c\r ]*(?:(stream)(?:\r\n|\n)|(endobj))")
_END_STREAM = re.compile(rb"[\x00\t\n\x0c\r ]*endstream")
_CHUNK = 4096


class Broken(Unreadable):
    """A stream that does not decode: readers differ in what they make of it."""


class TooLarge(Exception):
    """A stream opens to more than STREAM_LIMIT."""


@dataclass(frozen=True, slots=True)
class Stream:
    """A stream object: its dictionary and where its raw bytes lie in the file."""

    entries: dict[bytes, Any]
    offset: int
    length: int


class Document:
    """An unencrypted PDF with a sound cross-reference table."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.file = os.open(path, os.O_RDONLY)
        self.size = os.fstat(self.file).st_size
        self._packed: dict[int, tuple[bytes, dict[int, int]]] = {}
        try:
            self.table: Table = read_table(self.file, self.size)
            if b"/Encrypt" in self.table.trailer:
                raise Unreadable("encrypted")
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
        for _ in range(20):
            if type(value) is not Ref:
                return value
            value = self.object(value)
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
        kind, place, inside = self.table.place(numbered)
        if kind == 1:
            return self._at(numbered, place)
        return self._unpacked(numbered, place, inside) if kind == 2 else b"null"

    def read(self, stream: Stream) -> bytes:
        """The raw bytes of a stream."""
        return os.pread(self.file, stream.length, stream.offset)

    def _at(self, numbered: int, offset: int) -> Any:
        if offset >= self.size:
            raise Unreadable(f"object {numbered}")
        size = _CHUNK
        while True:
            data = os.pread(self.file, size, offset)
            try:
                return self._parsed(numbered, data, offset)
            except Short:
                if len(data) < size or size > 64 << 20:
                    raise Unreadable(f"object {numbered}") from None
                size *= 8

    def _parsed(self, numbered: int, data: bytes, offset: int) -> Any:
        head = _HEAD.match(data)
        if not head:
            raise Short if len(data) < 40 else Unreadable(f"object {numbered}")
        if int(head[1]) != numbered:
            raise Unreadable(f"object {numbered}")
        value, end = parse(data, head.end())
        after = _STREAM.match(data, end)
        if after is None:
            raise Short if len(data) - end < 40 else Unreadable(f"object {numbered}")
        if after[2]:
            return value
        if type(value) is not dict:
            raise Unreadable(f"stream {numbered}")
        return self._stream(value, data, offset, after.end())

    def _stream(self, entries: dict[bytes, Any], data: bytes, offset: int, start: int) -> Stream:
        length = number(self.get(entries.get(b"/Length")))
        stop = start + length
        if not 0 <= length <= self.size:
            raise Unreadable("stream length")
        tail = data[stop : stop + 20] if stop + 20 <= len(data) else os.pread(self.file, 20, offset + stop)
        if not _END_STREAM.match(tail) or b"/F" in entries:
            raise Unreadable("stream end")
        return Stream(entries, offset + start, length)

    def _unpacked(self, numbered: int, container: int, inside: int) -> Any:
        if container not in self._packed:
            if len(self._packed) > 32:
                self._packed.pop(next(iter(self._packed)))
            self._packed[container] = self._container(container)
        data, offsets = self._packed[container]
        if numbered not in offsets:
            raise Unreadable(f"object {numbered}")
        return parse(data, offsets[numbered])[0]

    def _container(self, container: int) -> tuple[bytes, dict[int, int]]:
        kind, place, _ = self.table.place(container)
        stream = self._at(container, place) if kind == 1 else None
        if type(stream) is not Stream:
            raise Unreadable("object stream")
        data = b"".join(self.decoded(stream))
        first, count = number(stream.entries.get(b"/First")), number(stream.entries.get(b"/N"))
        numbers = [number(each) for each in data[:first].split()]
        if len(numbers) < 2 * count:
            raise Unreadable("object stream")
        pairs = iter(numbers[: 2 * count])
        return data, {each: first + offset for each, offset in zip(pairs, pairs, strict=True)}

    def decoded(self, stream: Stream, block: int = 1 << 20) -> Iterator[bytes]:
        """The bytes of a plain or Flate stream, in blocks; TooLarge for bombs.

        Unreadable for other filters, Broken where the stream is.
        """
        filters = self.get(stream.entries.get(b"/Filter", b"null"))
        names = [self.get(each) for each in filters] if type(filters) is list else [filters]
        names = [] if names == [b"null"] else names
        if any(name not in (b"/FlateDecode", b"/Fl") for name in names) or self._predicted(stream):
            raise Unreadable("filter")
        blocks = self._blocks(stream, block)
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
