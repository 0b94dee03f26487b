"""A locked document without its lock: object by object under their own numbers, streams as they pass."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cluster.engines.pdf.cipher import Cipher
from cluster.engines.pdf.reader import STREAM_LIMIT, Document, Stream, TooLarge
from cluster.engines.pdf.sink import Sink
from cluster.engines.pdf.syntax import Ref, Unreadable, number, write
from cluster.engines.pdf.xref import Place

if TYPE_CHECKING:
    import pikepdf

#: No object has a higher number; keys take three bytes of it.
_HIGHEST = 0x7FFFFF
_VERSION = re.compile(rb"%PDF-(\d\.\d)\s")
#: Objects between two words of progress.
_TELL = 500


class Locked(Document):
    """A document whose object streams are opened; other streams and the strings are as they lie in the file."""

    locked = True

    def __init__(self, path: Path, cipher: Cipher) -> None:
        self.cipher = cipher
        super().__init__(path)

    def unpacked(self, container: int, stream: Stream) -> Iterator[bytes]:
        if stream.length > STREAM_LIMIT:
            raise TooLarge
        return self.decoded(stream, coded=self.cipher.blocks(self, container, stream)[1])


def write_unlocked(pdf: "pikepdf.Pdf", path: Path, told: Callable[[int, int], object]) -> None:
    """Write the document that `pdf` has opened to `path`: every object, and no byte of a picture packed anew.

    `told` hears how many bytes of how many are read. Unreadable where anything is irregular: qpdf can write it.
    """
    metadata = bool(pdf.trailer.Encrypt.get("/EncryptMetadata", True))
    with Locked(Path(pdf.filename), Cipher(pdf.encryption, metadata=metadata)) as document:
        head = _VERSION.match(document.read_at(0, 16))
        sink = Sink(path, version=head[1] if head else b"1.7")
        try:
            _copy(document, sink, told)
        finally:
            sink.abandon()


def _copy(document: Locked, sink: Sink, told: Callable[[int, int], object]) -> None:
    trailer, places = document.table.trailer, _places(document)
    root, info = trailer.get(b"/Root"), trailer.get(b"/Info", Ref(0))
    if type(root) is not Ref or type(info) is not Ref:
        raise Unreadable("trailer")
    for _ in range(max(places)):
        sink.reserve()
    left = _left(document, places)
    for done, (numbered, (kind, place, inside)) in enumerate(sorted(places.items(), key=lambda each: each[1][1])):
        if kind == 2:
            sink.packed(numbered, place, inside)
        elif place not in left:
            _copy_one(document, sink, numbered)
        if done % _TELL == 0:
            told(place if kind == 1 else 0, document.size)
    sink.close(root, info or None, bytes(document.size), write(trailer[b"/ID"]) if b"/ID" in trailer else b"")


def _places(document: Document) -> dict[int, Place]:
    """Where each object in use lies."""
    sections = document.table.sections
    if max(each.start + each.count for each in sections) > _HIGHEST:
        raise Unreadable("object number")
    numbers = {numbered for each in sections for numbered in range(each.start, each.start + each.count)}
    places = {numbered: document.table.place(numbered) for numbered in numbers}
    return {numbered: place for numbered, place in places.items() if place[0] in (1, 2) and numbered}


def _left(document: Document, places: dict[int, Place]) -> set[int]:
    """Offsets of what only the locked file needs: its lock, and what tells where it has which page for the web."""
    offset, first = min((place, numbered) for numbered, (kind, place, _) in places.items() if kind == 1)
    lock = document.table.trailer[b"/Encrypt"]
    left = {places[lock][1]} if type(lock) is Ref and lock in places else set()
    found = document.object(first)
    if type(found) is dict and b"/Linearized" in found:
        left |= {offset, *(number(each, 0) for each in document.array(found.get(b"/H"))[::2])}
    return left


def _copy_one(document: Locked, sink: Sink, numbered: int) -> None:
    value, cipher = document.object(numbered), document.cipher
    if type(value) is not Stream:
        sink.put(numbered, write(cipher.opened(numbered, value)))
        return
    if value.entries.get(b"/Type") == b"/XRef":
        return
    length, blocks = cipher.blocks(document, numbered, value)
    entries: dict[bytes, Any] = cipher.opened(numbered, value.entries) | {b"/Length": b"%d" % length}
    sink.put_blocks(numbered, write(entries), blocks)
