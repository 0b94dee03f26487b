"""A locked document without its lock: object by object under their own numbers, streams as they pass."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cluster.engines.pdf.cipher import Cipher
from cluster.engines.pdf.moulds import Letter, Mould
from cluster.engines.pdf.reader import STREAM_LIMIT, Cast, Document, Stream, TooLarge
from cluster.engines.pdf.sink import Sink
from cluster.engines.pdf.syntax import Ref, Unreadable, number, write
from cluster.engines.pdf.xref import Place
from cluster.files import Desk

if TYPE_CHECKING:
    import pikepdf

#: No object has a higher number; keys take three bytes of it.
_HIGHEST = 0x7FFFFF
_VERSION = re.compile(rb"%PDF-(\d\.\d)\s")
#: A string: what opens one opens nothing else.
_STRING = re.compile(rb"\(|(?<!<)<(?!<)")
#: Bytes read at once where objects are small.
_AHEAD = 64 << 10
#: Objects between two words of progress.
_TELL = 100


class Locked(Document):
    """A document whose object streams are opened; other streams and the strings are as they lie in the file."""

    locked = True

    def __init__(self, path: Path, cipher: Cipher) -> None:
        self.cipher = cipher
        self._ahead, self._from = b"", 0
        super().__init__(path)

    def read_at(self, offset: int, length: int) -> bytes:
        """Bytes of the file; what follows small ones is read with them, for it is asked for next."""
        if length > _AHEAD:
            return super().read_at(offset, length)
        start = offset - self._from
        if not 0 <= start <= len(self._ahead) - length:
            self._ahead, self._from, start = super().read_at(offset, _AHEAD), offset, 0
        return self._ahead[start : start + length]

    def unpacked(self, container: int, stream: Stream) -> Iterator[bytes]:
        if stream.length > STREAM_LIMIT:
            raise TooLarge
        return self.decoded(stream, coded=map(bytes, self.cipher.blocks(self, container, stream)[1]))


def wrote_unlocked(desk: Desk, pdf: "pikepdf.Pdf", path: Path, stage: str = "writing") -> bool:
    """Write the document that `pdf` has opened to `path`: every object, and no byte of a picture packed anew.

    False where anything is irregular: qpdf can write it. Progress goes to `stage`.
    """
    metadata = bool(pdf.trailer.Encrypt.get("/EncryptMetadata", True))
    try:
        document = Locked(Path(pdf.filename), Cipher(pdf.encryption, metadata=metadata))
        with document:
            head = _VERSION.match(document.read_at(0, 16))
            sink = Sink(path, version=head[1] if head else b"1.7")
            try:
                _copy(document, sink, lambda done: desk.progress(done, document.size, stage))
            finally:
                sink.abandon()
    except (Unreadable, RecursionError, TooLarge):
        return False
    return True


def _copy(document: Locked, sink: Sink, told: Callable[[int], object]) -> None:
    trailer, places = document.table.trailer, _places(document)
    root, info = trailer.get(b"/Root"), trailer.get(b"/Info", Ref(0))
    if type(root) is not Ref or type(info) is not Ref:
        raise Unreadable("trailer")
    for _ in range(max(places)):
        sink.reserve()
    left = _left(document, places)
    copying = _Copying(document, sink)
    for done, (numbered, (kind, place, inside)) in enumerate(sorted(places.items(), key=lambda each: each[1][1])):
        if kind == 2:
            sink.packed(numbered, place, inside)
        elif place not in left:
            copying.add(numbered)
        if done % _TELL == 0:
            told(place if kind == 1 else 0)
    sink.close(root, info or None, bytes(document.size), write(trailer[b"/ID"]) if b"/ID" in trailer else b"")


def _places(document: Document) -> dict[int, Place]:
    """Where each object in use lies."""
    sections = document.table.sections
    if max(each.start + each.count for each in sections) > _HIGHEST:
        raise Unreadable("object number")
    places: dict[int, Place] = {}
    for each in reversed(sections):
        told = document.table.place if each.hidden else each.place
        places.update((numbered, told(numbered)) for numbered in range(each.start, each.start + each.count))
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


class _Copying:
    """Objects on their way; `letters` tell how those without strings are written, by what they have in common."""

    def __init__(self, document: Locked, sink: Sink) -> None:
        self.document, self.sink, self.cipher = document, sink, document.cipher
        self._letters: dict[Mould, Letter | None] = {}

    def add(self, numbered: int) -> None:
        """Write the object of that number."""
        found = self.document.found(numbered)
        letter = self._letter(found) if type(found) is Cast else None
        if letter and not found.offset:
            self.sink.put(numbered, _filled(letter, found.told))
            return
        value = found.value() if type(found) is Cast else found
        if type(value) is not Stream:
            self.sink.put(numbered, write(self.cipher.opened(numbered, value)))
        elif value.entries.get(b"/Type") != b"/XRef":
            length, blocks = self.cipher.blocks(self.document, numbered, value)
            if letter:
                found.told[found.mould.length] = b" %d" % length
                entries = _filled(letter, found.told)
            else:
                held: dict[bytes, Any] = self.cipher.opened(numbered, value.entries)
                entries = write(held | {b"/Length": b"%d" % length})
            self.sink.put_blocks(numbered, entries, blocks)

    def _letter(self, found: Cast) -> Letter | None:
        mould = found.mould
        if mould not in self._letters:
            letter = mould.letter(mould.open())
            strings = any(each[:1] in (b"(", b"<") for each in found.told) or _STRING.search(letter.text)
            lengthless = found.offset and mould.length is None
            self._letters[mould] = None if strings or lengthless else letter
        return self._letters[mould]


def _filled(letter: Letter, told: list[bytes]) -> bytes:
    return letter.text % tuple([each if type(each) is bytes else _named(each) for each in letter.filled(told)])


def _named(held: Any) -> bytes:
    return b"%d 0 R" % held if type(held) is Ref else write(held)
