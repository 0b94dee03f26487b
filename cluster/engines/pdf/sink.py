"""A PDF written straight to disk: pictures are copied from file to file, never held."""

import errno
import hashlib
import os
import zlib
from collections.abc import Iterable
from pathlib import Path

from cluster.engines.pdf.reader import Document, Stream

#: Streams up to this size go through the write buffer; larger ones are copied by the kernel.
_HELD = 64 << 10
_BUFFER = 1 << 20
#: Bytes of values that are written as they are: setting a packer up takes longer than all else of a small part.
_LITTLE = 1500
#: A table of so many rows comes out smaller when it tells differences.
_FEW_ROWS = 100
#: So many values share one object stream.
_TOGETHER = 200
#: Below this a second copy costs less than remembering the first.
_REMEMBERED = 2048
_MOST_REMEMBERED = 100_000
#: Streams this small come out larger when compressed.
_INCOMPRESSIBLE = 64
_HEADER = b"%%PDF-%b\n%%\xe2\xe3\xcf\xd3\n"


class Sink:
    """Objects in, a file out. Numbers come from `reserve`; a number never written is free.

    `twins`: a stream equal to one that stands in the file already is not written again.
    """

    def __init__(self, path: Path, *, twins: bool = False, version: bytes = b"1.7") -> None:
        self.path, self.twins = path, twins
        #: What streams look like -> number, and where in the file they lie.
        self._seen: dict[tuple[bytes, int, int], tuple[int, int]] = {}
        self._file = -1
        self._parts: list[bytes | memoryview] = [_HEADER % version]
        self._held = len(_HEADER % version)
        self._written = 0
        self._offsets: list[int] = [0]
        self._packed: list[tuple[int, int, int]] = []
        self._values: list[tuple[int, bytes]] = []

    @property
    def size(self) -> int:
        """Bytes so far; values waiting for their object stream count as they stand."""
        return self._written + self._held + sum(len(body) for _, body in self._values)

    def reserve(self) -> int:
        self._offsets.append(0)
        return len(self._offsets) - 1

    def put(self, number: int, body: bytes) -> None:
        """A value (not a stream)."""
        self._values.append((number, body))
        if len(self._values) >= _TOGETHER:
            self._pack()

    def add(self, body: bytes) -> int:
        """`put` under a new number."""
        number = self.reserve()
        self.put(number, body)
        return number

    def add_stream(self, entries: bytes, data: bytes | bytearray) -> int:
        """A new stream, packed where that pays; `entries` is its dictionary without brackets and /Length."""
        if b"/Filter" not in entries and len(data) > _INCOMPRESSIBLE:
            packed = zlib.compress(data, 6)
            if len(packed) < len(data):
                entries, data = entries + b"/Filter/FlateDecode", packed
        return self.put_stream(self.reserve(), b"<<%b/Length %d>>" % (entries, len(data)), data)

    def put_stream(self, number: int, entries: bytes, data: bytes | bytearray) -> int:
        """A stream; `entries` is its dictionary with a right /Length. Returns the number to refer to."""
        if self.twins and (twin := self._twin(number, entries, data)):
            return twin
        self.put_blocks(number, entries, (bytes(data),))
        return number

    def put_blocks(self, number: int, entries: bytes, blocks: Iterable[bytes | memoryview]) -> None:
        """A stream of any size, as it comes; `entries` as for `put_stream`."""
        self._begin(number)
        self._add(b"%d 0 obj\n%b\nstream\n" % (number, entries))
        for block in blocks:
            self._add(block)
        self._add(b"\nendstream\nendobj\n")

    def packed(self, number: int, container: int, index: int) -> None:
        """An object that lies in an object stream that was put as a stream."""
        self._packed.append((number, container, index))

    def copy_stream(self, number: int, entries: bytes, document: Document, stream: Stream) -> int:
        """A stream whose raw bytes lie in another file. Returns the number to refer to."""
        if stream.length <= _HELD:
            return self.put_stream(number, entries, document.read(stream))
        file, offset, length = document.file, stream.offset, stream.length
        if self.twins and (twin := self._twin_of_file(number, entries, file, offset, length)):
            return twin
        self._begin(number)
        self._add(b"%d 0 obj\n%b\nstream\n" % (number, entries))
        self._flush()
        self._written += _transfer(file, offset, length, self._file)
        self._add(b"\nendstream\nendobj\n")
        return number

    def close(self, root: int, info: int | None, seed: bytes, identity: bytes = b"") -> int:
        """Write the cross-reference and the trailer; the size of the file. `seed` decides its /ID, else `identity`."""
        name = hashlib.sha256(seed).hexdigest()[:32].encode()
        held = identity or b"[<%b><%b>]" % (name, name)
        trailer = b"/Root %d 0 R%b/ID%b" % (root, b"/Info %d 0 R" % info if info else b"", held)
        if self._packed or sum(len(body) for _, body in self._values) > _LITTLE:
            self._pack()
            self._close_packed(trailer)
        else:
            self._close_plain(trailer)
        self._flush()
        os.close(self._file)
        self._file = -1
        return self._written

    def abandon(self) -> None:
        """Close without finishing."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1

    def _pack(self) -> None:
        if not self._values:
            return
        values, self._values = self._values, []
        container, place, head = self.reserve(), 0, []
        for index, (number, body) in enumerate(values):
            head.append(b"%d %d" % (number, place))
            self._packed.append((number, container, index))
            place += len(body) + 1
        first = b" ".join(head) + b"\n"
        data = self._small(first + b"\n".join([body for _, body in values]))
        entries = b"<</Type/ObjStm/N %d/First %d/Filter/FlateDecode/Length %d>>" % (len(values), len(first), len(data))
        self.put_stream(container, entries, data)

    def _close_packed(self, trailer: bytes) -> None:
        number = self.reserve()
        self._begin(number)
        start, count = self._written + self._held, len(self._offsets)
        wide, last = (start.bit_length() + 7) // 8, 1 + any(index > 255 for _, _, index in self._packed)
        free = bytes(1 + wide + last)
        rows = [b"\x01%b%b" % (at.to_bytes(wide, "big"), bytes(last)) if at else free for at in self._offsets]
        for row, container, index in self._packed:
            rows[row] = b"\x02" + container.to_bytes(wide, "big") + index.to_bytes(last, "big")
        how, data = self._table(rows)
        entries = b"<</Type/XRef/Size %d/W[1 %d %d]%b/Length %d%b>>" % (count, wide, last, how, len(data), trailer)
        self._add(
            b"%d 0 obj\n%b\nstream\n%b\nendstream\nendobj\nstartxref\n%d\n%%%%EOF\n" % (number, entries, data, start)
        )

    def _table(self, rows: list[bytes]) -> tuple[bytes, bytes]:
        """Filter entries and bytes of the rows: as they are, packed, or packed as differences to the row above."""
        table, width = b"".join(rows), len(rows[0])
        if len(rows) < _FEW_ROWS:
            packed = self._small(table)
            return (b"/Filter/FlateDecode", packed) if len(packed) + 19 < len(table) else (b"", table)
        changes = bytes([(each - above) & 255 for each, above in zip(table, bytes(width) + table, strict=False)])
        told = b"".join([b"\x02" + changes[at : at + width] for at in range(0, len(table), width)])
        return b"/Filter/FlateDecode/DecodeParms<</Predictor 12/Columns %d>>" % width, self._small(told)

    def _small(self, data: bytes) -> bytes:
        return zlib.compress(data, 6)

    def _close_plain(self, trailer: bytes) -> None:
        for number, body in self._values:
            self._begin(number)
            self._add(b"%d 0 obj\n%b\nendobj\n" % (number, body))
        start, count = self._written + self._held, len(self._offsets)
        rows = [b"%010d 00000 n \n" % offset if offset else b"0000000000 00000 f \n" for offset in self._offsets]
        rows[0] = b"0000000000 65535 f \n"
        self._add(b"xref\n0 %d\n%btrailer\n<</Size %d%b>>\n" % (count, b"".join(rows), count, trailer))
        self._add(b"startxref\n%d\n%%%%EOF\n" % start)

    def _twin(self, number: int, entries: bytes, data: bytes | bytearray) -> int:
        """The number of an equal stream, 0 where there is none; then this one is remembered."""
        if len(data) < _REMEMBERED:
            return 0
        twin, at = self._met(number, entries, len(data), zlib.crc32(data[-512:], zlib.crc32(data[:512])))
        return twin if twin and self._at(at, len(data)) == data else 0

    def _twin_of_file(self, number: int, entries: bytes, file: int, offset: int, length: int) -> int:
        ends = os.pread(file, 512, offset), os.pread(file, 512, offset + length - 512)
        twin, at = self._met(number, entries, length, zlib.crc32(ends[1], zlib.crc32(ends[0])))
        # Compared with the file and not by a hash: a hash of every picture would cost as much as writing it.
        for done in range(0, length if twin else 0, _BUFFER):
            size = min(_BUFFER, length - done)
            if self._at(at + done, size) != os.pread(file, size, offset + done):
                return 0
        return twin

    def _met(self, number: int, entries: bytes, length: int, ends: int) -> tuple[int, int]:
        mark = (entries, length, ends)
        if mark not in self._seen and len(self._seen) < _MOST_REMEMBERED:
            head = len(b"%d 0 obj\n%b\nstream\n" % (number, entries))
            self._seen[mark] = number, self._written + self._held + head
            return 0, 0
        return self._seen.get(mark, (0, 0))

    def _at(self, place: int, length: int) -> bytes:
        """What was written there."""
        if place + length > self._written:
            self._flush()
        return os.pread(self._file, length, place)

    def _begin(self, number: int) -> None:
        self._offsets[number] = self._written + self._held

    def _add(self, data: bytes | memoryview) -> None:
        self._parts.append(data)
        self._held += len(data)
        if self._held > _BUFFER:
            self._flush()

    def _flush(self) -> None:
        if self._file < 0:
            self._file = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o644)
        data = memoryview(b"".join(self._parts))
        self._written += len(data)
        while data:
            data = data[os.write(self._file, data) :]
        self._parts, self._held = [], 0


class Scale(Sink):
    """A sink that only weighs: nothing is written, large streams are not even read."""

    def __init__(self) -> None:
        super().__init__(Path(os.devnull))

    def copy_stream(self, number: int, entries: bytes, document: Document, stream: Stream) -> int:
        self._begin(number)
        self._written += len(entries) + stream.length + 40
        return number

    def _flush(self) -> None:
        self._written += self._held
        self._parts, self._held = [], 0

    @property
    def size(self) -> int:
        """With the cross-reference it will need, before compression."""
        return super().size + 5 * len(self._offsets)


def _transfer(source: int, offset: int, length: int, target: int) -> int:
    done = 0
    while done < length:
        moved = _move(source, offset + done, min(length - done, 1 << 30), target)
        if moved == 0:
            raise OSError("the source ends early")
        done += moved
    return done


def _move(source: int, offset: int, length: int, target: int) -> int:
    try:
        return os.sendfile(target, source, offset, length)
    except OSError as error:
        # macOS sends to sockets only.
        if error.errno not in (errno.EINVAL, errno.ENOTSOCK, errno.ENOSYS, errno.EOPNOTSUPP):
            raise
        return os.write(target, os.pread(source, min(length, _BUFFER), offset))
