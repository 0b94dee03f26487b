"""A PDF file written with large object streams: many small objects alike compress far better together.

qpdf puts 100 objects into a stream; tagged documents and books have thousands, and lose a quarter by it.
"""

from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cluster.engines.pdf.sink import Sink
from cluster.engines.pdf.streams import deflate

if TYPE_CHECKING:
    import pikepdf

#: Readers unpack a whole stream for one object of it.
_OBJECTS, _BYTES = 2000, 400_000
#: Fewer objects fill one stream anyway; more cost more seconds than they save bytes.
_FEW, _MANY = 150, 300_000


class _PatientSink(Sink):
    """Packs many values together, as small as they get."""

    def __init__(self, path: Path, version: bytes) -> None:
        super().__init__(path, version=version)
        self._weight = 0

    def put(self, number: int, body: bytes) -> None:
        if len(self._values) == _OBJECTS or self._weight + len(body) > _BYTES:
            self._pack()
            self._weight = 0
        self._values.append((number, body))
        self._weight += len(body)

    def _small(self, data: bytes) -> bytes:
        return deflate(data)


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

    sink = _PatientSink(path, b"1.7" if pdf.pdf_version < "1.8" else b"2.0")
    try:
        for number in [sink.reserve() for _ in pdf.objects]:
            each = pdf.get_object(number, 0)
            if not isinstance(each, pikepdf.Stream):
                sink.put(number, _told(each))
            elif each.get("/Type") not in ("/ObjStm", "/XRef"):
                _put_stream(sink, number, each)
        told = pdf.trailer
        info = told.Info.objgen[0] if "/Info" in told else None
        sink.close(told.Root.objgen[0], info, b"", told.ID.unparse() if "/ID" in told else b"")
    finally:
        sink.abandon()


def _put_stream(sink: Sink, number: int, stream: Any) -> None:
    raw = stream.read_raw_bytes()
    if stream.get("/Length") != len(raw):
        stream["/Length"] = len(raw)
    sink.put_stream(number, stream.stream_dict.unparse(), raw)


def _told(each: Any) -> bytes:
    """The object in PDF's own words; pikepdf hands numbers and truth out as Python's."""
    if each is None:
        return b"null"
    if isinstance(each, bool):
        return b"true" if each else b"false"
    return str(each).encode() if isinstance(each, int | Decimal) else bytes(each.unparse(resolved=True))
