"""Write a PDF object by object, straight to disk: memory stays small whatever the result's size.

    with PdfWriter(path) as writer:
        number = writer.reserve()
        writer.put(number, b"<< /Type /Catalog … >>")
        writer.stream(writer.reserve(), b"/Type /XObject …", data)
        writer.close(root=number)

Objects without a stream are packed into object streams. Equal streams are written once.
"""

import hashlib
import os
import struct
import zlib
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType

#: Objects in one object stream: larger ones pack better, but a reader opens one to see one object.
_PACK = 200
#: Below this a second copy costs less than remembering the first.
_REMEMBERED = 2048
_MOST_REMEMBERED = 100_000
#: Streams this small come out larger when compressed.
_INCOMPRESSIBLE = 64
#: Below this one write of a copy is faster than three writes.
_SMALL = 1 << 16
_ENTRY = struct.Struct(">BQB")


class PdfWriter:
    """A PDF 1.7 file under construction; `reserve` numbers may be used before they are written."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("wb", buffering=1 << 20)
        self._written = os.open(path, os.O_RDONLY)
        self._at = 0
        #: how much of it is no more in the buffer
        self._flushed = 0
        self._count = 1
        #: number -> (kind, where, index) as cross-reference streams hold it
        self._places: dict[int, tuple[int, int, int]] = {}
        self._packed: list[tuple[int, bytes]] = []
        self._seen: dict[tuple[bytes, int, int], tuple[int, int]] = {}
        self._write(b"%PDF-1.7\n%\xbf\xf7\xa2\xfe\n")

    def __enter__(self) -> "PdfWriter":
        return self

    def __exit__(self, kind: type[BaseException] | None, _: BaseException | None, __: TracebackType | None) -> None:
        self._file.close()
        os.close(self._written)

    @property
    def size(self) -> int:
        """Bytes written so far."""
        return self._at

    def reserve(self) -> int:
        """A new object number."""
        self._count += 1
        return self._count - 1

    def put(self, number: int, body: bytes) -> None:
        """Write an object that has no stream."""
        self._packed.append((number, body))
        if len(self._packed) == _PACK:
            self._flush()

    def add(self, body: bytes) -> int:
        """`put` under a new number."""
        number = self.reserve()
        self.put(number, body)
        return number

    def stream(self, number: int, entries: bytes, data: bytes | bytearray) -> int:
        """Write a stream; `entries` is its dictionary without brackets and /Length.

        Returns the number to refer to: another one when an equal stream stands in the file already.
        """
        if b"/Filter" not in entries and len(data) > _INCOMPRESSIBLE and b"/Metadata" not in entries:
            packed = zlib.compress(data, 6)
            if len(packed) < len(data):
                entries, data = entries + b" /Filter /FlateDecode", packed
        mark = (entries, len(data), zlib.crc32(data[-512:], zlib.crc32(data[:512])))
        if len(data) >= _REMEMBERED:
            twin, at = self._seen.get(mark, (0, 0))
            if twin and self._holds(at, data):
                return twin
        if len(data) >= _REMEMBERED and len(self._seen) < _MOST_REMEMBERED:
            self._seen[mark] = number, self._raw_stream(number, entries, data)
        else:
            self._raw_stream(number, entries, data)
        return number

    def close(self, root: int, info: int | None = None) -> None:
        """Write what is pending and the cross-reference stream."""
        self._flush()
        number, start = self.reserve(), self._at
        self._places[number] = (1, start, 0)
        places = (self._places.get(each, (0, 0, 0)) for each in range(self._count))
        table = b"".join([_ENTRY.pack(*place) for place in places])
        identity = hashlib.blake2b(table, digest_size=16).hexdigest().encode()
        table = zlib.compress(table, 6)
        entries = b"/Type /XRef /Size %d /W [1 8 1] /Root %d 0 R" % (self._count, root)
        entries += b" /Info %d 0 R" % info if info else b""
        entries += b" /ID [<%b><%b>] /Filter /FlateDecode /Length %d" % (identity, identity, len(table))
        self._write(b"%d 0 obj\n<< %b >>\nstream\n%b\nendstream\nendobj\n" % (number, entries, table))
        self._write(b"startxref\n%d\n%%%%EOF\n" % start)
        self._file.flush()

    def _flush(self) -> None:
        if not self._packed:
            return
        number, at, heads, bodies = self.reserve(), 0, [], []
        for index, (each, body) in enumerate(self._packed):
            self._places[each] = (2, number, index)
            heads.append(b"%d %d" % (each, at))
            bodies.append(body)
            at += len(body) + 1
        head = b" ".join(heads) + b"\n"
        data = zlib.compress(head + b"\n".join(bodies), 6)
        entries = b"/Type /ObjStm /N %d /First %d /Filter /FlateDecode" % (len(self._packed), len(head))
        self._packed.clear()
        self._raw_stream(number, entries, data)

    def _raw_stream(self, number: int, entries: bytes, data: bytes | bytearray) -> int:
        """Write a stream as it is; returns where its data begin."""
        head = b"%d 0 obj\n<< %b /Length %d >>\nstream\n" % (number, entries, len(data))
        self._places[number] = (1, self._at, 0)
        begin = self._at + len(head)
        if len(data) < _SMALL:
            self._write(b"%b%b\nendstream\nendobj\n" % (head, bytes(data)))
        else:
            for piece in (head, data, b"\nendstream\nendobj\n"):
                self._write(piece)
        return begin

    def _holds(self, at: int, data: bytes | bytearray) -> bool:
        # Compared with the file and not by a hash: a hash of every picture would cost as much as writing it.
        if at + len(data) > self._flushed:
            self._file.flush()
            self._flushed = self._at
        return os.pread(self._written, len(data), at) == data

    def _write(self, data: bytes | bytearray) -> None:
        self._file.write(data)
        self._at += len(data)


def name_tree(writer: PdfWriter, entries: Mapping[bytes, bytes]) -> int:
    """A name tree of keys (raw string bytes) and values (as they stand in a file)."""
    pairs = [(b"<%b>" % key.hex().encode(), value) for key, value in sorted(entries.items())]
    return _tree(writer, b"/Names", pairs)


def number_tree(writer: PdfWriter, entries: Mapping[int, bytes]) -> int:
    """A number tree."""
    return _tree(writer, b"/Nums", [(b"%d" % key, value) for key, value in sorted(entries.items())])


def _tree(writer: PdfWriter, leaf: bytes, pairs: list[tuple[bytes, bytes]], width: int = 256) -> int:
    if len(pairs) <= width:
        return writer.add(b"<< %b [ %b ] >>" % (leaf, b" ".join(b"%b %b" % pair for pair in pairs)))
    kids = []
    for start in range(0, len(pairs), width):
        part = pairs[start : start + width]
        limits = b"/Limits [ %b %b ]" % (part[0][0], part[-1][0])
        held = b" ".join(b"%b %b" % pair for pair in part)
        kids.append(writer.add(b"<< %b %b [ %b ] >>" % (limits, leaf, held)))
    return writer.add(b"<< /Kids [ %b ] >>" % b" ".join(b"%d 0 R" % kid for kid in kids))
