"""A PDF file written with large object streams: many small objects alike compress far better together.

qpdf puts 100 objects into a stream; tagged documents and books have thousands, and lose a quarter by it.
"""

import struct
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from cluster.engines.pdf.streams import deflate

if TYPE_CHECKING:
    import pikepdf

#: Readers unpack a whole stream for one object of it.
_OBJECTS, _BYTES = 2000, 400_000
#: Fewer objects fill one stream anyway; more cost more seconds than they save bytes.
_FEW, _MANY = 150, 300_000


def repack(path: Path) -> None:
    """Write the file at `path`, saved by qpdf, with large object streams, where that pays."""
    import pikepdf

    packed = path.with_suffix(".packed")
    with pikepdf.open(path) as pdf:
        if not _FEW < len(pdf.objects) < _MANY:
            return
        write_compact(pdf, packed)
    if packed.stat().st_size < path.stat().st_size:
        packed.replace(path)


def write_compact(pdf: "pikepdf.Pdf", path: Path) -> None:
    """Write `pdf`, which has just been saved by qpdf and so is numbered without gaps, to `path`."""
    import pikepdf

    places: dict[int, tuple[int, int, int]] = {0: (0, 0, 65535)}
    small: list[tuple[int, bytes]] = []
    with path.open("wb") as out:
        out.write(b"%PDF-1.7\n%\xbf\xf7\xa2\xfe\n" if pdf.pdf_version < "1.8" else b"%PDF-2.0\n%\xbf\xf7\xa2\xfe\n")
        number = len(pdf.objects) + 1
        for name in range(1, number):
            each = pdf.get_object(name, 0)
            if not isinstance(each, pikepdf.Stream):
                small.append((name, _told(each)))
            elif each.get("/Type") not in ("/ObjStm", "/XRef"):
                places[name] = 1, out.tell(), 0
                _write_stream(out, each)
        for group in _groups(small):
            places |= {name: (2, number, index) for index, (name, _) in enumerate(group)}
            places[number] = 1, out.tell(), 0
            out.write(_object_stream(number, group))
            number += 1
        _write_table(out, pdf, places, number)


def _told(each: Any) -> bytes:
    """The object in PDF's own words; pikepdf hands numbers and truth out as Python's."""
    if each is None:
        return b"null"
    if isinstance(each, bool):
        return b"true" if each else b"false"
    return str(each).encode() if isinstance(each, int | Decimal) else bytes(each.unparse(resolved=True))


def _groups(small: list[tuple[int, bytes]]) -> Iterator[list[tuple[int, bytes]]]:
    group: list[tuple[int, bytes]] = []
    weight = 0
    for each in small:
        if group and (len(group) >= _OBJECTS or weight + len(each[1]) > _BYTES):
            yield group
            group, weight = [], 0
        group.append(each)
        weight += len(each[1])
    if group:
        yield group


def _write_stream(out: IO[bytes], stream: Any) -> None:
    raw = stream.read_raw_bytes()
    if stream.get("/Length") != len(raw):
        stream["/Length"] = len(raw)
    head = stream.stream_dict.unparse()
    out.write(b"%d 0 obj\n%b\nstream\n" % (stream.objgen[0], head))
    out.write(raw)
    out.write(b"\nendstream\nendobj\n")


def _object_stream(number: int, group: list[tuple[int, bytes]]) -> bytes:
    index, at = [], 0
    for name, body in group:
        index.append(b"%d %d" % (name, at))
        at += len(body) + 1
    head = b" ".join(index) + b"\n"
    packed = deflate(head + b"\n".join(body for _, body in group))
    return b"%d 0 obj\n<</Type/ObjStm/N %d/First %d/Filter/FlateDecode/Length %d>>\nstream\n%b\nendstream\nendobj\n" % (
        number,
        len(group),
        len(head),
        len(packed),
        packed,
    )


def _write_table(out: IO[bytes], pdf: "pikepdf.Pdf", places: dict[int, tuple[int, int, int]], number: int) -> None:
    """The cross-reference stream, its rows told as differences to the row above."""
    import numpy as np

    start = out.tell()
    places[number] = 1, start, 0
    rows = b"".join(struct.pack(">BIH", *places.get(each, (0, 0, 0))) for each in range(number + 1))
    table = np.frombuffer(rows, np.uint8).reshape(-1, 7)
    above = np.vstack([np.zeros((1, 7), np.uint8), table[:-1]])
    up = np.hstack([np.full((len(table), 1), 2, np.uint8), table - above])
    packed = deflate(up.tobytes())
    names = [b"/%b %b" % (key.encode(), pdf.trailer[f"/{key}"].unparse()) for key in _trailer_keys(pdf)]
    out.write(
        b"%d 0 obj\n<</Type/XRef/Size %d/W[1 4 2]/Filter/FlateDecode/DecodeParms<</Predictor 12/Columns 7>>"
        b"/Length %d%b>>" % (number, number + 1, len(packed), b"".join(names))
    )
    out.write(b"\nstream\n%b\nendstream\nendobj\nstartxref\n%d\n%%%%EOF\n" % (packed, start))


def _trailer_keys(pdf: "pikepdf.Pdf") -> list[str]:
    return [key for key in ("Root", "Info", "ID") if f"/{key}" in pdf.trailer]
